# tempo_npm_packages(RESULT): fetches what package-lock.json of the current folder names into the
# build folder, where it stays until the lock file changes; sets RESULT to its node_modules, or to nothing
# if npm cannot.
function(tempo_npm_packages result)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/npm")
  set(fetched "${folder}/fetched")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
    "${CMAKE_CURRENT_SOURCE_DIR}/package-lock.json")
  file(SHA256 "${CMAKE_CURRENT_SOURCE_DIR}/package-lock.json" wanted)
  set(have "")
  if(EXISTS "${fetched}")
    file(READ "${fetched}" have)
  endif()
  set(${result} "${folder}/node_modules" PARENT_SCOPE)
  if(have STREQUAL wanted)
    return()
  endif()
  file(REMOVE "${fetched}")
  file(COPY package.json package-lock.json DESTINATION "${folder}")
  # No scripts of packages are run. One try again, not minutes of waiting, where there is no network.
  execute_process(
    COMMAND "${NPM_PROGRAM}" ci --ignore-scripts --no-audit --no-fund --fetch-retries=1
      --fetch-retry-mintimeout=1000 --fetch-timeout=60000
    WORKING_DIRECTORY "${folder}" RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output
    TIMEOUT 300)
  if(failed)
    message(STATUS "npm ci: ${output}")
    set(${result} "" PARENT_SCOPE)
    return()
  endif()
  file(WRITE "${fetched}" "${wanted}")
endfunction()
