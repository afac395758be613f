// A library that is loaded before a program's own (LD_PRELOAD) and makes calls of the system fail,
// one or all from one on. For tests alone; the environment says what fails:
//
//   TEMPO_FAIL_CALL   which kind: write, read, sync, open, rename, remove, folder, map, memory,
//                     thread or process; nothing fails without it
//   TEMPO_FAIL_AT     which call of that kind, counted from the start of main: 1 is the first;
//                     0: none
//   TEMPO_FAIL_ERROR  a number of errno; 0: a write or a read that does only a part of what was
//                     asked
//   TEMPO_FAIL_ON     set: all calls from there on
//   TEMPO_FAIL_NOTE   a file that is made when the first call has failed, and says which library
//                     or program made it
//   TEMPO_FAIL_COUNT  a file that says how many such calls there were
//   TEMPO_FAIL_LOG    a file that lists what reaches the disk and gets a name, in order:
//                     `sync DEVICE:FILE`, `name DEVICE:FILE DEVICE:FOLDER PATH`
//   TEMPO_FAIL_CLOCK  seconds by which the time of day steps back and forth, at each reading
//
// Counted and failed is in the first process alone, unless TEMPO_FAIL_CHILDREN is set.

#include <dlfcn.h>
#include <fcntl.h>
#include <libgen.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

namespace {

constexpr int kPart = -1;  ///< in place of an errno: a part of what was asked is done

const char* kind = nullptr;
const char* note = nullptr;
const char* log_file = nullptr;
long fails_at = 0;
int error_number = 0;
bool goes_on = false;
long clock_step = 0;
std::atomic<bool> counts{false};
std::atomic<long> calls{0};

long number_of(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? 0 : std::strtol(text, nullptr, 10);
}

/// The function that a name would be without this library.
template <typename Function>
Function* next(const char* name, Function*& known) {
  if (known == nullptr) known = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
  return known;
}

/// @param caller  an address in what called
void leave_note(const void* caller) {
  if (note == nullptr) return;
  const long file =
      syscall(SYS_openat, AT_FDCWD, note, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) return;  // the first call that fails counts
  Dl_info from{};
  if (dladdr(caller, &from) != 0 && from.dli_fname != nullptr)
    syscall(SYS_write, file, from.dli_fname, std::strlen(from.dli_fname));
  syscall(SYS_close, file);
}

/// What a call of a kind does: 0 as it should, kPart a part, otherwise it fails with this errno.
/// @param caller  of the function below that asks
int fate(const char* of, const void* caller = __builtin_return_address(0)) {
  if (!counts.load(std::memory_order_relaxed) || kind == nullptr || std::strcmp(kind, of) != 0)
    return 0;
  const long call = ++calls;
  if (fails_at == 0 || (goes_on ? call < fails_at : call != fails_at)) return 0;
  leave_note(caller);
  return error_number == 0 ? kPart : error_number;
}

/// Whether a call fails; errno is set.
bool fails(const char* of, const void* caller = __builtin_return_address(0)) {
  const int error = fate(of, caller);
  if (error > 0) errno = error;
  return error > 0;
}

/// What stat says of a path, or fstat of an open file.
struct stat look_at(const char* path) {
  struct stat out {};
  ::stat(path, &out);
  return out;
}

void write_log(const char* line, int size) {
  const long file =
      syscall(SYS_openat, AT_FDCWD, log_file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (file < 0) return;
  syscall(SYS_write, file, line, size);
  syscall(SYS_close, file);
}

void log_sync(int file) {
  struct stat of {};
  if (log_file == nullptr || ::fstat(file, &of) != 0) return;
  char line[64];
  write_log(line, std::snprintf(line, sizeof line, "sync %lu:%lu\n", of.st_dev, of.st_ino));
}

/// A file has got a name.
void log_name(const char* path) {
  if (log_file == nullptr) return;
  char name[1024], folder[1024], line[1200];
  std::snprintf(name, sizeof name, "%s", path);
  std::snprintf(folder, sizeof folder, "%s", path);
  const auto file = look_at(name), in = look_at(dirname(folder));
  write_log(line, std::snprintf(line, sizeof line, "name %lu:%lu %lu:%lu %s\n", file.st_dev,
                                file.st_ino, in.st_dev, in.st_ino, path));
}

/// How much of so many bytes is done.
std::size_t part_of(std::size_t size) { return size > 1 ? size / 2 : size; }

int (*main_of_program)(int, char**, char**) = nullptr;

int counted_main(int argc, char** argv, char** environment) {
  kind = std::getenv("TEMPO_FAIL_CALL");
  note = std::getenv("TEMPO_FAIL_NOTE");
  log_file = std::getenv("TEMPO_FAIL_LOG");
  fails_at = number_of("TEMPO_FAIL_AT");
  error_number = static_cast<int>(number_of("TEMPO_FAIL_ERROR"));
  goes_on = std::getenv("TEMPO_FAIL_ON") != nullptr;
  clock_step = number_of("TEMPO_FAIL_CLOCK");
  if (std::getenv("TEMPO_FAIL_CHILDREN") == nullptr) unsetenv("LD_PRELOAD");
  counts = true;
  return main_of_program(argc, argv, environment);
}

/// Says how many calls there were.
__attribute__((destructor)) void tell_count() {
  counts = false;
  const char* file = std::getenv("TEMPO_FAIL_COUNT");
  if (file == nullptr || kind == nullptr) return;
  char text[24];
  char* begin = text + sizeof text;
  *--begin = '\n';
  long rest = calls;
  do *--begin = static_cast<char>('0' + rest % 10);
  while ((rest /= 10) > 0);
  const long out =
      syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (out < 0) return;
  syscall(SYS_write, out, begin, text + sizeof text - begin);
  syscall(SYS_close, out);
}

/// The time of day, which steps back and forth.
time_t stepped(time_t seconds) {
  static std::atomic<unsigned> readings{0};
  if (clock_step == 0) return seconds;
  return seconds + (++readings % 2 == 0 ? clock_step : -clock_step);
}

}  // namespace

// Each function below has the name and the arguments of one of the C library.
#define FAILS_AS(kind_of, result_type, name, parameters, arguments, failure) \
  result_type name parameters {                                              \
    static result_type(*known) parameters = nullptr;                         \
    if (fails(kind_of)) return failure;                                      \
    return next(#name, known) arguments;                                     \
  }

extern "C" {

int __libc_start_main(int (*program)(int, char**, char**), int argc, char** argv, void (*init)(),
                      void (*fini)(), void (*rtld_fini)(), void* stack_end) {
  static int (*known)(int (*)(int, char**, char**), int, char**, void (*)(), void (*)(), void (*)(),
                      void*) = nullptr;
  main_of_program = program;
  return next("__libc_start_main", known)(counted_main, argc, argv, init, fini, rtld_fini,
                                          stack_end);
}

#define WRITES_AS(kind_of, name, buffer_type, type_of_offset)                              \
  ssize_t name(int file, buffer_type* bytes, std::size_t size, type_of_offset offset) {    \
    static ssize_t (*known)(int, buffer_type*, std::size_t, type_of_offset) = nullptr;     \
    const int error = fate(kind_of);                                                       \
    if (error > 0) return errno = error, -1;                                               \
    return next(#name, known)(file, bytes, error == kPart ? part_of(size) : size, offset); \
  }
WRITES_AS("write", pwrite, const void, off_t)
WRITES_AS("write", pwrite64, const void, off64_t)
WRITES_AS("read", pread, void, off_t)
WRITES_AS("read", pread64, void, off64_t)

ssize_t write(int file, const void* bytes, std::size_t size) {
  static ssize_t (*known)(int, const void*, std::size_t) = nullptr;
  const int error = fate("write");
  if (error > 0) return errno = error, -1;
  return next("write", known)(file, bytes, error == kPart ? part_of(size) : size);
}

ssize_t writev(int file, const iovec* parts, int count) {
  static ssize_t (*known)(int, const iovec*, int) = nullptr;
  const int error = fate("write");
  if (error > 0) return errno = error, -1;
  return next("writev", known)(file, parts, error == kPart && count > 1 ? 1 : count);
}

ssize_t read(int file, void* bytes, std::size_t size) {
  static ssize_t (*known)(int, void*, std::size_t) = nullptr;
  const int error = fate("read");
  if (error > 0) return errno = error, -1;
  return next("read", known)(file, bytes, error == kPart ? part_of(size) : size);
}

FAILS_AS("write", ssize_t, copy_file_range,
         (int from, off64_t* at, int to, off64_t* at_to, std::size_t size, unsigned flags),
         (from, at, to, at_to, size, flags), -1)
FAILS_AS("write", ssize_t, sendfile, (int to, int from, off_t* at, std::size_t size),
         (to, from, at, size), -1)
FAILS_AS("write", ssize_t, sendfile64, (int to, int from, off64_t* at, std::size_t size),
         (to, from, at, size), -1)

#define SYNCS_AS(name)                         \
  int name(int file) {                         \
    static int (*known)(int) = nullptr;        \
    if (fails("sync")) return -1;              \
    const int code = next(#name, known)(file); \
    if (code == 0) log_sync(file);             \
    return code;                               \
  }
SYNCS_AS(fsync)
SYNCS_AS(fdatasync)
FAILS_AS("sync", int, ftruncate, (int file, off_t size), (file, size), -1)
FAILS_AS("sync", int, ftruncate64, (int file, off64_t size), (file, size), -1)
int rename(const char* from, const char* to) {
  static int (*known)(const char*, const char*) = nullptr;
  if (fails("rename")) return -1;
  const int code = next("rename", known)(from, to);
  if (code == 0) log_name(to);
  return code;
}
FAILS_AS("remove", int, unlink, (const char* name), (name), -1)
FAILS_AS("remove", int, remove, (const char* name), (name), -1)
FAILS_AS("remove", int, rmdir, (const char* name), (name), -1)
FAILS_AS("remove", int, unlinkat, (int folder, const char* name, int flags), (folder, name, flags),
         -1)
FAILS_AS("rename", int, linkat,
         (int from_folder, const char* from, int to_folder, const char* to, int flags),
         (from_folder, from, to_folder, to, flags), -1)
FAILS_AS("folder", int, mkdir, (const char* name, mode_t mode), (name, mode), -1)
FAILS_AS("folder", char*, mkdtemp, (char* name), (name), nullptr)
FAILS_AS("map", void*, mmap,
         (void* at, std::size_t size, int access, int flags, int file, off_t offset),
         (at, size, access, flags, file, offset), MAP_FAILED)
FAILS_AS("map", void*, mmap64,
         (void* at, std::size_t size, int access, int flags, int file, off64_t offset),
         (at, size, access, flags, file, offset), MAP_FAILED)

FAILS_AS("process", pid_t, fork, (), (), -1)
FAILS_AS("process", int, pipe2, (int* ends, int flags), (ends, flags), -1)

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*work)(void*),
                   void* argument) {
  static int (*known)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*) = nullptr;
  const int error = fate("thread");
  return error > 0 ? error : next("pthread_create", known)(thread, attributes, work, argument);
}

#define OPENS_AS(name)                                                 \
  int name(const char* path, int flags, ...) {                         \
    static int (*known)(const char*, int, ...) = nullptr;              \
    std::va_list rest;                                                 \
    va_start(rest, flags);                                             \
    const auto mode = va_arg(rest, mode_t);                            \
    va_end(rest);                                                      \
    return fails("open") ? -1 : next(#name, known)(path, flags, mode); \
  }
OPENS_AS(open)
OPENS_AS(open64)

int openat(int folder, const char* path, int flags, ...) {
  static int (*known)(int, const char*, int, ...) = nullptr;
  std::va_list rest;
  va_start(rest, flags);
  const auto mode = va_arg(rest, mode_t);
  va_end(rest);
  return fails("open") ? -1 : next("openat", known)(folder, path, flags, mode);
}

FAILS_AS("open", FILE*, fopen, (const char* path, const char* mode), (path, mode), nullptr)
FAILS_AS("open", FILE*, fopen64, (const char* path, const char* mode), (path, mode), nullptr)

// The C library's own allocator has these names, too: no dlsym, which allocates.
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t size) { return fails("memory") ? nullptr : __libc_malloc(size); }
void* calloc(std::size_t count, std::size_t size) {
  return fails("memory") ? nullptr : __libc_calloc(count, size);
}
void* realloc(void* block, std::size_t size) {
  return fails("memory") ? nullptr : __libc_realloc(block, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return fails("memory") ? nullptr : __libc_memalign(alignment, size);
}
int posix_memalign(void** block, std::size_t alignment, std::size_t size) {
  if (fails("memory")) return ENOMEM;
  *block = __libc_memalign(alignment, size);
  return *block == nullptr ? ENOMEM : 0;
}

int clock_gettime(clockid_t clock, timespec* out) {
  static int (*known)(clockid_t, timespec*) = nullptr;
  const int code = next("clock_gettime", known)(clock, out);
  if (code == 0 && clock == CLOCK_REALTIME) out->tv_sec = stepped(out->tv_sec);
  return code;
}

int gettimeofday(timeval* out, void* zone) {
  static int (*known)(timeval*, void*) = nullptr;
  const int code = next("gettimeofday", known)(out, zone);
  if (code == 0) out->tv_sec = stepped(out->tv_sec);
  return code;
}

time_t time(time_t* out) {
  static time_t (*known)(time_t*) = nullptr;
  const time_t seconds = stepped(next("time", known)(nullptr));
  if (out != nullptr) *out = seconds;
  return seconds;
}

}  // extern "C"
