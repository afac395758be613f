# tempo_write_version_header(FOLDER OUTPUT): writes OUTPUT from version.hpp.in of a folder of public
# headers. The build tag in it ends in a hash of these headers, so that a plugin is refused that was
# compiled against others. When a header changes, CMake runs again.
function(tempo_write_version_header folder output)
  file(GLOB headers CONFIGURE_DEPENDS RELATIVE "${folder}" "${folder}/*.hpp")
  list(APPEND headers version.hpp.in)
  list(SORT headers)
  set(digest "")
  foreach(header IN LISTS headers)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${folder}/${header}")
    file(SHA256 "${folder}/${header}" of_bytes)
    string(APPEND digest "${header} ${of_bytes}\n")
  endforeach()
  string(SHA256 digest "${digest}")
  string(SUBSTRING "${digest}" 0 16 TEMPO_HEADERS_HASH)
  configure_file("${folder}/version.hpp.in" "${output}" @ONLY)
endfunction()
