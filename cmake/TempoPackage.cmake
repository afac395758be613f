# What `cmake --install` adds for authors of plugins: find_package(tempo) with tempo::core,
# tempo_add_plugin, tempo_add_plugin_tests and, as a component, tempo::toolkit; templates of `tempo plugins new`. Until 1.0 every minor version breaks the plugin boundary.
include(CMakePackageConfigHelpers)
set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/tempo")
write_basic_package_version_file(tempoConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(EXPORT tempoTargets NAMESPACE tempo:: DESTINATION "${package_folder}" COMPONENT development)
install(EXPORT tempoToolkitTargets NAMESPACE tempo:: DESTINATION "${package_folder}" COMPONENT development)
install(EXPORT tempoTestingTargets NAMESPACE tempo:: DESTINATION "${package_folder}" COMPONENT development)
install(FILES
  cmake/tempoConfig.cmake cmake/TempoPlugin.cmake cmake/tempo_plugin.map
  "${PROJECT_BINARY_DIR}/tempoConfigVersion.cmake"
  DESTINATION "${package_folder}" COMPONENT development)

# The program finds templates in ../share/tempo/templates seen from itself, in a build tree and an installation alike.
set(templates "${PROJECT_BINARY_DIR}/share/tempo/templates")
file(GLOB_RECURSE template_files CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/plugins/templates"
  "${PROJECT_SOURCE_DIR}/plugins/templates/*.in")
file(REMOVE_RECURSE "${templates}")  # files that are gone
foreach(file IN LISTS template_files)
  configure_file("plugins/templates/${file}" "${templates}/${file}" COPYONLY)
endforeach()
file(READ LICENSE licence)  # the same words under another name
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS LICENSE)
string(REPLACE "the tempo authors" "@authors@" licence "${licence}")
file(WRITE "${templates}/common/LICENSE.in" "${licence}")
install(DIRECTORY "${templates}" DESTINATION "${CMAKE_INSTALL_DATADIR}/tempo" COMPONENT program)
