# tempo_add_plugin(TARGET SOURCES ... [ID id] [LIBRARIES ...] [OUTPUT_DIRECTORY DIR] [NO_INSTALL])
#
# One plugin = one shared library, called as the id of its plugin (ID, by default the name of the
# target), that exports one symbol. Undefined symbols are link errors. Works inside tempo's own tree
# and against an installed tempo (find_package(tempo)).
include(GNUInstallDirs)
function(tempo_add_plugin target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "NO_INSTALL" "ID;OUTPUT_DIRECTORY" "SOURCES;LIBRARIES")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_SOURCES)
    message(FATAL_ERROR "tempo_add_plugin(${target}): usage: SOURCES files... [ID id] "
      "[LIBRARIES targets...] [OUTPUT_DIRECTORY folder] [NO_INSTALL]")
  endif()
  if(NOT arg_ID)
    set(arg_ID ${target})
  endif()
  if(NOT arg_OUTPUT_DIRECTORY)
    set(arg_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib/tempo/plugins")
  endif()
  add_library(${target} MODULE ${arg_SOURCES})
  target_link_libraries(${target} PRIVATE tempo::core ${arg_LIBRARIES})
  if(TARGET tempo_warnings)
    target_link_libraries(${target} PRIVATE tempo_warnings)
  endif()
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    target_compile_options(${target} PRIVATE -O2)  # a project that asks for nothing wants speed
  endif()
  set(exports "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/tempo_plugin.map")
  target_link_options(${target} PRIVATE -Wl,--no-undefined "-Wl,--version-script=${exports}")
  set_target_properties(${target} PROPERTIES
    PREFIX "" OUTPUT_NAME ${arg_ID} LIBRARY_OUTPUT_DIRECTORY "${arg_OUTPUT_DIRECTORY}"
    LINK_DEPENDS "${exports}" INSTALL_RPATH "$ORIGIN/../.."
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON CXX_EXTENSIONS OFF)
  if(NOT arg_NO_INSTALL)
    install(TARGETS ${target} LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/tempo/plugins")
  endif()
endfunction()
