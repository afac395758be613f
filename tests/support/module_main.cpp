// A program that does what a library does: it opens TEMPO_MODULE as tempo opens a plugin, and calls
// it.
//
// LibTorch's wheels export symbols of the C++ library they were built with. A program that links
// them binds to those as well as to its own; a library opened this way does not.

#include <dlfcn.h>

#include <cstdio>

int main(int argc, char* argv[]) {
  void* const module = dlopen(TEMPO_MODULE, RTLD_NOW | RTLD_LOCAL);
  void* const entry = module == nullptr ? nullptr : dlsym(module, "tempo_module_main");
  if (entry == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  return reinterpret_cast<int (*)(int, char**)>(entry)(argc, argv);
}
