# LibTorch::LibTorch: headers and libraries of PyTorch, from Debian's libtorch-dev, a libtorch archive
# or a Python package (CMAKE_PREFIX_PATH as torch.utils.cmake_prefix_path gives it, or the folder that
# has include/ and lib/). Unlike PyTorch's own TorchConfig.cmake it needs no CUDA compiler to link a
# CUDA build, and adds no flags of that build to ours.
set(LibTorch_PREFIXES ${CMAKE_PREFIX_PATH})
foreach(prefix IN LISTS CMAKE_PREFIX_PATH)
  list(APPEND LibTorch_PREFIXES "${prefix}/../..")  # share/cmake
endforeach()
find_path(LibTorch_INCLUDE_DIR ATen/ATen.h HINTS ${LibTorch_PREFIXES} PATH_SUFFIXES include)
find_path(LibTorch_API_INCLUDE_DIR torch/types.h HINTS "${LibTorch_INCLUDE_DIR}"
  PATH_SUFFIXES torch/csrc/api/include)
set(LibTorch_LIBRARIES "")
set(LibTorch_REQUIRED_LIBRARIES "")
foreach(name IN ITEMS torch torch_cpu c10 torch_cuda c10_cuda)
  find_library(LibTorch_${name}_LIBRARY ${name} HINTS ${LibTorch_PREFIXES} PATH_SUFFIXES lib)
  mark_as_advanced(LibTorch_${name}_LIBRARY)
  if(LibTorch_${name}_LIBRARY)
    list(APPEND LibTorch_LIBRARIES "${LibTorch_${name}_LIBRARY}")
  endif()
  if(NOT name MATCHES "cuda")
    list(APPEND LibTorch_REQUIRED_LIBRARIES LibTorch_${name}_LIBRARY)
  endif()
endforeach()
mark_as_advanced(LibTorch_INCLUDE_DIR LibTorch_API_INCLUDE_DIR)

# A LibTorch with the std::string of before g++ 5 ("pre-cxx11") compiles and then lacks symbols by the
# hundred. A function that takes one tells by its name which it is.
set(LibTorch_ABI_FITS TRUE)
set(LibTorch_ABI_FAULT "")
if(LibTorch_c10_LIBRARY)
  include(CheckCXXSourceCompiles)
  check_cxx_source_compiles("#include <string>
    static_assert(_GLIBCXX_USE_CXX11_ABI);
    int main() {}" LibTorch_STRINGS_ARE_CXX11)
  file(STRINGS "${LibTorch_c10_LIBRARY}" LibTorch_new_strings LIMIT_COUNT 1
    REGEX "^_ZN3c10.*NSt7__cxx1112basic_string")
  file(STRINGS "${LibTorch_c10_LIBRARY}" LibTorch_old_strings LIMIT_COUNT 1 REGEX "^_ZN3c10.*RKSs")
  if(LibTorch_STRINGS_ARE_CXX11 AND LibTorch_old_strings AND NOT LibTorch_new_strings)
    set(LibTorch_ABI_FAULT "${LibTorch_c10_LIBRARY} was built with the C++ library's old ABI \
(_GLIBCXX_USE_CXX11_ABI=0), tempo is built with the new one: take the archive called cxx11-abi, \
libtorch-dev, or PyTorch 2.7 and later")
  elseif(NOT LibTorch_STRINGS_ARE_CXX11 AND LibTorch_new_strings)
    set(LibTorch_ABI_FAULT "${LibTorch_c10_LIBRARY} was built with the C++ library's new ABI, tempo \
is built with the old one: leave _GLIBCXX_USE_CXX11_ABI=0 out of CMAKE_CXX_FLAGS")
  endif()
  if(LibTorch_ABI_FAULT)
    set(LibTorch_ABI_FITS FALSE)
  endif()
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibTorch
  REQUIRED_VARS LibTorch_INCLUDE_DIR LibTorch_API_INCLUDE_DIR ${LibTorch_REQUIRED_LIBRARIES}
    LibTorch_ABI_FITS
  REASON_FAILURE_MESSAGE "${LibTorch_ABI_FAULT}")
if(LibTorch_FOUND AND NOT TARGET LibTorch::LibTorch)
  add_library(LibTorch::LibTorch INTERFACE IMPORTED)
  target_include_directories(LibTorch::LibTorch SYSTEM INTERFACE
    "${LibTorch_INCLUDE_DIR}" "${LibTorch_API_INCLUDE_DIR}")
  # CUDA's kernels register themselves when their library is loaded: no symbol asks for it.
  target_link_libraries(LibTorch::LibTorch INTERFACE
    -Wl,--push-state,--no-as-needed ${LibTorch_LIBRARIES} -Wl,--pop-state)
endif()
