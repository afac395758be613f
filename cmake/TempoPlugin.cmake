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
  target_link_options(${target} PRIVATE "-Wl,--version-script=${exports}")
  if(NOT TEMPO_BUILD_FUZZERS)  # there the program alone has the sanitizers
    target_link_options(${target} PRIVATE -Wl,--no-undefined)
  endif()
  set_target_properties(${target} PROPERTIES
    PREFIX "" OUTPUT_NAME ${arg_ID} LIBRARY_OUTPUT_DIRECTORY "${arg_OUTPUT_DIRECTORY}"
    LINK_DEPENDS "${exports}" INSTALL_RPATH "$ORIGIN/../.."
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON CXX_EXTENSIONS OFF)
  if(NOT arg_NO_INSTALL)
    install(TARGETS ${target} LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/tempo/plugins")
  endif()
endfunction()

# tempo_add_plugin_tests(TARGET SOURCES ...)
#
# Against an installed tempo, after enable_testing(): `ctest` runs `tempo plugins check` on the plugin, with the file
# `expected.toml` of the project if it has one. Where Catch2 and fmt are installed, it also runs the tests in SOURCES,
# which get the plugin from tempo/testing/plugins.hpp.
function(tempo_add_plugin_tests target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_SOURCES)
    message(FATAL_ERROR "tempo_add_plugin_tests(${target}): usage: SOURCES files...")
  endif()
  set(expected "${CMAKE_CURRENT_SOURCE_DIR}/expected.toml")
  set(options "")
  if(EXISTS "${expected}")
    set(options --expected "${expected}")
  endif()
  add_test(NAME ${target}_check COMMAND tempo::tempo plugins check $<TARGET_FILE:${target}> ${options})
  find_package(Catch2 2 QUIET)
  find_package(fmt QUIET)
  if(NOT Catch2_FOUND OR NOT fmt_FOUND)
    message(STATUS "${target}_test is not built: Catch2 2 or fmt is not here; `tempo plugins check` is run all the same")
    return()
  endif()
  include("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/tempoTestingTargets.cmake")
  add_executable(${target}_test ${arg_SOURCES})
  target_link_libraries(${target}_test PRIVATE tempo::testing Catch2::Catch2)
  get_target_property(core tempo::core LOCATION)
  cmake_path(GET core PARENT_PATH libraries)
  target_compile_definitions(${target}_test PRIVATE
    TEMPO_PLUGIN_UNDER_TEST="$<TARGET_FILE_DIR:${target}>" TEMPO_SHIPPED_PLUGINS="${libraries}/tempo/plugins")
  add_dependencies(${target}_test ${target})
  add_test(NAME ${target}_test COMMAND ${target}_test)
endfunction()
