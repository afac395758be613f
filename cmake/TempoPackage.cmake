# What `cmake --install` adds for authors of plugins: find_package(tempo) with tempo::core,
# tempo_add_plugin and, as a component, tempo::toolkit. Until 1.0 every minor version breaks the plugin boundary.
include(CMakePackageConfigHelpers)
set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/tempo")
write_basic_package_version_file(tempoConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(EXPORT tempoTargets NAMESPACE tempo:: DESTINATION "${package_folder}" COMPONENT development)
install(EXPORT tempoToolkitTargets NAMESPACE tempo:: DESTINATION "${package_folder}" COMPONENT development)
install(FILES
  cmake/tempoConfig.cmake cmake/TempoPlugin.cmake cmake/tempo_plugin.map
  "${PROJECT_BINARY_DIR}/tempoConfigVersion.cmake"
  DESTINATION "${package_folder}" COMPONENT development)
