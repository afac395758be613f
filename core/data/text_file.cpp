#include "data/text_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include "model/utf8.hpp"
#include "tempo/error.hpp"

namespace tempo {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// An open file that is closed with the object.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int number() const { return number_; }
  /// Closes now; false if the system reports an error only now, as network folders may.
  bool close() { return ::close(std::exchange(number_, -1)) == 0; }

 private:
  int number_;
};

std::string system_says() { return std::strerror(errno); }

}  // namespace

std::optional<std::string> read_text_file(const fs::path& path, Problems& problems) {
  const auto name = path.string();
  const auto fail = [&](const std::string& message) {
    problems.add({name}, message);
    return std::nullopt;
  };
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return fail("is a folder; expected a file");
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.number() < 0)
    return fail(errno == ENOENT ? "no such file" : "cannot be read: " + system_says());

  if (struct stat status{}; ::fstat(file.number(), &status) == 0 && S_ISCHR(status.st_mode) &&
                            ::isatty(file.number()) == 0)
    return fail("is a device; expected a file");

  std::string text;
  std::array<char, 1 << 16> buffer;
  while (true) {
    const auto count = ::read(file.number(), buffer.data(), buffer.size());
    if (count == 0) break;
    if (count > 0)
      text.append(buffer.data(), static_cast<std::size_t>(count));
    else if (errno != EINTR)
      return fail("cannot be read: " + system_says());
  }
  return text;
}

std::optional<std::string> text_if_there(const fs::path& path) {
  std::error_code unknown;
  if (fs::status(path, unknown).type() == fs::file_type::not_found) return std::nullopt;
  Problems problems;
  auto text = read_text_file(path, problems);
  if (!text) throw Error(problems.report());
  return text;
}

std::optional<std::string_view> checked_text(std::string_view text, const std::string& name,
                                             Problems& problems) {
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    problems.add({name}, "is UTF-16 text; save it as UTF-8");
    return std::nullopt;
  }
  if (text.find('\0') != std::string_view::npos) {
    problems.add({name}, "is a binary file; expected text in UTF-8");
    return std::nullopt;
  }
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  for (std::size_t i = 0; i < text.size();) {
    const auto length = character_length(text.substr(i));
    if (length == 0) {
      problems.add(place_in_text(text, i, name),
                   fmt::format("byte 0x{:02X} is not UTF-8; save the file as UTF-8",
                               static_cast<unsigned char>(text[i])));
      return std::nullopt;
    }
    i += length;
  }
  return text;
}

Place place_in_text(std::string_view text, std::size_t offset, const std::string& name) {
  Place place{name, 1, 1};
  for (std::size_t i = 0; i < std::min(offset, text.size()); ++i) {
    const bool ends_line =
        text[i] == '\n' || (text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n'));
    const bool continues_character = (static_cast<unsigned char>(text[i]) & 0xC0) == 0x80;
    if (ends_line) {
      ++place.line;
      place.column = 1;
    } else if (!continues_character) {
      ++place.column;
    }
  }
  return place;
}

namespace {

fs::path folder_of(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

/// Waits until what a file holds is on disk, however often a signal comes; false if the system
/// reports an error.
bool sync(int file) {
  while (::fsync(file) != 0)
    if (errno != EINTR) return false;
  return true;
}

/// Likewise, of a file or a folder.
bool sync(const fs::path& path) {
  const Descriptor open(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  return open.number() >= 0 && sync(open.number());
}

/// A new file would take the place of a device, a pipe or the like. @throws Error if there is one
void refuse_what_is_no_file(const fs::path& path) {
  std::error_code unknown;
  const auto type = fs::status(path, unknown).type();
  for (const auto other :
       {fs::file_type::block, fs::file_type::character, fs::file_type::fifo, fs::file_type::socket})
    if (type == other)
      throw Error(fmt::format("cannot write '{}': it is a device or a pipe; expected a file",
                              path.string()));
}

/// Gives a file that is on disk its name, for good; false if the system reports an error.
bool rename_for_good(const fs::path& from, const fs::path& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) return false;
  if (sync(folder_of(to))) return true;
  // Not every file system can do this for folders, and not everybody may open them.
  return errno != EIO && errno != ENOSPC && errno != EDQUOT;
}

/// An open file without a name, as the system names it.
std::string nameless(int descriptor) { return fmt::format("/proc/self/fd/{}", descriptor); }

/// A file without a name, which can be given one; negative where there is no such thing.
int open_nameless(const fs::path& folder) {
  const int file = ::open(folder.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
  if (file < 0 || fs::is_symlink(nameless(file))) return file;
  ::close(file);  // without /proc it would stay without a name
  return -1;
}

/// Whether a path names an open file.
bool is_name_of(int file, const fs::path& path) {
  struct stat open {
  }, named{};
  return ::fstat(file, &open) == 0 && ::stat(path.c_str(), &named) == 0 &&
         open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

/// Removes what lies under the name if nobody is at work on it: whoever is has locked it. The lock
/// is held until the name is gone, so that it is not that of the next one.
bool removes_what_is_left(const fs::path& step) {
  const Descriptor open(::open(step.c_str(), O_RDONLY | O_CLOEXEC));
  return open.number() >= 0 && ::flock(open.number(), LOCK_EX | LOCK_NB) == 0 &&
         is_name_of(open.number(), step) && ::unlink(step.c_str()) == 0;
}

/// Gives a file without a name one, for good; false if the system reports an error. A rename needs
/// a name to begin with, which whoever is killed in between leaves: the next writer removes it.
/// Several writers at a time wait for each other.
bool link_for_good(int file, const fs::path& step, const fs::path& to) {
  constexpr int kMilliseconds = 5000;
  ::flock(file, LOCK_EX | LOCK_NB);
  for (int i = 0;
       ::linkat(AT_FDCWD, nameless(file).c_str(), AT_FDCWD, step.c_str(), AT_SYMLINK_FOLLOW) != 0;
       ++i) {
    if (errno != EEXIST || i == kMilliseconds) return false;
    if (!removes_what_is_left(step)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  if (rename_for_good(step, to)) {
    // Nothing is renamed where both are names of this file already: another writer did it.
    if (is_name_of(file, step)) ::unlink(step.c_str());
    return true;
  }
  const int fault = errno;
  ::unlink(step.c_str());
  errno = fault;
  return false;
}

}  // namespace

TextFileWriter::TextFileWriter(fs::path path)
    : path_(std::move(path)), part_(path_.string() + ".part") {
  refuse_what_is_no_file(path_);
  // Without a name, where the file system can: whoever is killed leaves nothing.
  file_ = open_nameless(folder_of(path_));
  has_name_ = file_ < 0;
  if (has_name_) part_ += fmt::format("-{}", ::getpid());
  if (has_name_) file_ = ::open(part_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file_ < 0) fail();
}

TextFileWriter::~TextFileWriter() {
  if (file_ >= 0) ::close(file_);
  if (has_name_) ::unlink(part_.c_str());
}

void TextFileWriter::fail() const {
  throw Error(fmt::format("cannot write '{}': {}", path_.string(), system_says()));
}

void TextFileWriter::append(std::string_view text) {
  for (auto rest = text; !rest.empty();) {
    const auto count = ::write(file_, rest.data(), rest.size());
    if (count >= 0)
      rest.remove_prefix(static_cast<std::size_t>(count));
    else if (errno != EINTR)
      fail();
  }
}

void TextFileWriter::finish() {
  if (!sync(file_)) fail();
  const bool is_there =
      has_name_ ? rename_for_good(part_, path_) : link_for_good(file_, part_, path_);
  if (!is_there) fail();
  has_name_ = false;
  if (::close(std::exchange(file_, -1)) != 0) fail();
}

void move_whole_file(const fs::path& from, const fs::path& to) {
  refuse_what_is_no_file(to);
  if (!sync(from) || !rename_for_good(from, to))
    throw Error(fmt::format("cannot write '{}': {}", to.string(), system_says()));
}

void write_text_file(const fs::path& path, std::string_view text) {
  TextFileWriter writer(path);
  writer.append(text);
  writer.finish();
}

}  // namespace tempo
