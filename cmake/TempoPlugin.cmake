# tempo_add_plugin(NAME SOURCES ... [LIBRARIES ...] [OUTPUT_DIRECTORY DIR] [NO_INSTALL])
#
# One plugin = one shared library that exports one symbol. Undefined symbols are link errors. Works
# inside tempo's own tree and against an installed tempo (find_package(tempo)).
include(GNUInstallDirs)
function(tempo_add_plugin name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "NO_INSTALL" "OUTPUT_DIRECTORY" "SOURCES;LIBRARIES")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_SOURCES)
    message(FATAL_ERROR "tempo_add_plugin(${name}): usage: SOURCES files... [LIBRARIES targets...]")
  endif()
  if(NOT arg_OUTPUT_DIRECTORY)
    set(arg_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib/tempo/plugins")
  endif()
  add_library(${name} MODULE ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE tempo::core ${arg_LIBRARIES})
  if(TARGET tempo_warnings)
    target_link_libraries(${name} PRIVATE tempo_warnings)
  endif()
  target_link_options(${name} PRIVATE -Wl,--no-undefined -Wl,--exclude-libs,ALL)
  set_target_properties(${name} PROPERTIES
    PREFIX "" LIBRARY_OUTPUT_DIRECTORY "${arg_OUTPUT_DIRECTORY}"
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON CXX_EXTENSIONS OFF)
  if(NOT arg_NO_INSTALL)
    install(TARGETS ${name} LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/tempo/plugins")
  endif()
endfunction()
