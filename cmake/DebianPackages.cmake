# What `cpack` packs, for Debian 12: tempo (the program, its core library, all plugins but one), tempo-torch (the plugin
# that needs LibTorch) and tempo-dev (for authors of plugins). scripts/packages builds for it: prefix /usr.
set(TEMPO_PACKAGE_MAINTAINER "The tempo authors <maintainers@tempo.invalid>" CACHE STRING
  "Who answers for the .deb packages: Name <address>")
set(CPACK_GENERATOR DEB)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${TEMPO_PACKAGE_MAINTAINER}")
set(CPACK_PACKAGE_VENDOR "The tempo authors")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL program torch development)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(TEMPO_DEBIAN_VERSION "${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}")
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${CMAKE_LIBRARY_OUTPUT_DIRECTORY}")  # libtempo_core
# Each package has a summary of its own, the first line of its description: CPack must not put another before it.
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_NAME} built using CMake")

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME tempo)
set(CPACK_DEBIAN_PROGRAM_DESCRIPTION "order and timing in which a disease changes its biomarkers
Simulates cohorts of participants under hypotheses about a disease, runs
inference methods on them and scores each against the truth. Applies the same
methods to a real cohort, seen once, and says which hypothesis fits it.

This package has the program, all hypotheses and all methods but the one that
trains networks, which is in tempo-torch.")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "tempo-torch, libjs-mathjax")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "tempo-dev, nodejs")

set(CPACK_DEBIAN_TORCH_PACKAGE_NAME tempo-torch)
set(CPACK_DEBIAN_TORCH_DESCRIPTION "method of tempo that trains networks, on LibTorch
Networks trained on simulated cohorts recover the order and timing of events
and the stage of each participant.

It is a package of its own because LibTorch and what it needs are large.")
set(CPACK_DEBIAN_TORCH_PACKAGE_DEPENDS
  "tempo (= ${TEMPO_DEBIAN_VERSION}), libopenblas0-pthread")  # without OpenBLAS LibTorch is 20 times slower

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME tempo-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "headers, CMake package and toolkit for plugins of tempo
A hypothesis, a measurement model, a stage prior or an inference method of
your own is a plugin: one library that tempo finds when it starts.

`tempo plugins new` begins one. Examples are in
/usr/share/doc/tempo-dev/examples, tutorials in the documentation of tempo.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS catch2)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
  "tempo (= ${TEMPO_DEBIAN_VERSION}), cmake, make, g++, libnlopt-dev, libnlopt-cxx-dev, libfmt-dev")

# Each package says who may do what with it, and what changed.
file(READ LICENSE licence)
string(REGEX REPLACE "^.*\n(Permission is hereby)" "\\1" licence "${licence}")
string(STRIP "${licence}" licence)
string(REPLACE "\n\n" "\n.\n" licence "${licence}")
string(REPLACE "\n" "\n " TEMPO_LICENCE_TEXT " ${licence}")
string(TIMESTAMP TEMPO_DEBIAN_DATE "%a, %d %b %Y %H:%M:%S +0000" UTC)  # that of SOURCE_DATE_EPOCH, where it is set
set(debian "${PROJECT_BINARY_DIR}/debian")
configure_file(cmake/debian/copyright.in "${debian}/copyright" @ONLY)
configure_file(cmake/debian/changelog.in "${debian}/changelog.Debian" @ONLY)
add_custom_command(OUTPUT "${debian}/changelog.gz" "${debian}/changelog.Debian.gz"
  COMMAND gzip -9nc "${PROJECT_SOURCE_DIR}/CHANGELOG.md" > "${debian}/changelog.gz"
  COMMAND gzip -9nc "${debian}/changelog.Debian" > "${debian}/changelog.Debian.gz"
  DEPENDS CHANGELOG.md "${debian}/changelog.Debian" VERBATIM)
# Who links libtempo_core needs this very version of it; who installs it, the loader's cache anew.
file(WRITE "${debian}/shlibs" "libtempo_core ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} tempo (= ${TEMPO_DEBIAN_VERSION})\n")
file(WRITE "${debian}/triggers" "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_CONTROL_EXTRA "${debian}/shlibs;${debian}/triggers")
set(packed "${debian}/changelog.gz" "${debian}/changelog.Debian.gz")

file(STRINGS CITATION.cff cited REGEX "^version: ")
if(NOT cited STREQUAL "version: ${PROJECT_VERSION}")
  message(FATAL_ERROR "CITATION.cff has '${cited}', and this is tempo ${PROJECT_VERSION}")
endif()

# Manual pages and the completion of command lines, as the program itself knows its commands.
add_custom_command(OUTPUT "${debian}/man1/tempo.1.gz" "${debian}/tempo.bash" "${debian}/_tempo"
  COMMAND "${PROJECT_SOURCE_DIR}/cmake/debian/manual_pages" $<TARGET_FILE:tempo> "${debian}/man1"
  COMMAND tempo help --format bash > "${debian}/tempo.bash"
  COMMAND tempo help --format zsh > "${debian}/_tempo"
  DEPENDS tempo cmake/debian/manual_pages VERBATIM)
list(APPEND packed "${debian}/man1/tempo.1.gz")
install(DIRECTORY "${debian}/man1" DESTINATION "${CMAKE_INSTALL_MANDIR}")
install(FILES "${debian}/tempo.bash" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" RENAME tempo)
install(FILES "${debian}/_tempo" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions")
add_custom_target(tempo_packed_texts ALL DEPENDS ${packed})

foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER ${component} upper)
  install(FILES "${debian}/copyright" "${debian}/changelog.gz" "${debian}/changelog.Debian.gz"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME}" COMPONENT ${component})
endforeach()
set(documents "${CMAKE_INSTALL_DATADIR}/doc/tempo")
install(FILES README.md CITATION.cff DESTINATION "${documents}")
install(DIRECTORY docs plugins DESTINATION "${documents}"
  FILES_MATCHING REGEX "\\.(md|png|svg)$" PATTERN site EXCLUDE PATTERN include EXCLUDE)
install(DIRECTORY experiments DESTINATION "${CMAKE_INSTALL_DATADIR}/tempo" FILES_MATCHING
  PATTERN "*.toml" PATTERN "*.py" PATTERN "*.R")
# The pages lead to experiments that stand beside them in the tree.
install(CODE "file(MAKE_DIRECTORY \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${documents}\")
  file(CREATE_LINK ../../tempo/experiments \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${documents}/experiments\" SYMBOLIC)")
# The site, if scripts/docs has made it. In Debian its formulas are drawn by the system's MathJax.
if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")
  set(drawn_by_system PATTERN mathjax EXCLUDE)
  install(CODE "if(EXISTS \"${PROJECT_SOURCE_DIR}/build/docs/index.html\")
    file(MAKE_DIRECTORY \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${documents}/html/_static\")
    file(CREATE_LINK ../../../../javascript/mathjax
      \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${documents}/html/_static/mathjax\" SYMBOLIC)
  endif()")
endif()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/build/docs/" DESTINATION "${documents}/html" OPTIONAL
  PATTERN .buildinfo EXCLUDE PATTERN objects.inv EXCLUDE ${drawn_by_system})
install(DIRECTORY plugins/methods/debm plugins/measurement_models/sigmoid
  DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/tempo-dev/examples" COMPONENT development)

include(CPack)
