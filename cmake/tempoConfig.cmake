include("${CMAKE_CURRENT_LIST_DIR}/tempoTargets.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/TempoPlugin.cmake")
