#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "tempo/problem.hpp"

namespace tempo {

/// The bytes of a file, or nothing and one problem: there is no such file, it is a folder, or it
/// cannot be read.
std::optional<std::string> read_text_file(const std::filesystem::path& path, Problems& problems);

/// `text` without a leading byte order mark, or nothing and one problem: it is UTF-16, binary
/// (holds a NUL), or not UTF-8.
/// @param name the file as messages call it
std::optional<std::string_view> checked_text(std::string_view text, const std::string& name,
                                             Problems& problems);

/// The place of the byte at `offset`: lines end in LF, CRLF or a lone CR; a column is a character,
/// not a byte. Takes time proportional to `offset`: for messages.
Place place_in_text(std::string_view text, std::size_t offset, const std::string& name);

/// A file that is written piece by piece, and appears when it is whole.
class TextFileWriter {
 public:
  /// @throws Error, as append and finish, naming the file and what the system said.
  explicit TextFileWriter(std::filesystem::path path);
  ~TextFileWriter();  ///< what was not finished is removed
  TextFileWriter(const TextFileWriter&) = delete;
  TextFileWriter& operator=(const TextFileWriter&) = delete;

  void append(std::string_view text);
  /// The text reaches the disk and takes the place of what was there.
  void finish();

 private:
  [[noreturn]] void fail() const;

  std::filesystem::path path_;
  std::string
      part_;  // beside it, since only within one file system does a rename replace it in one step
  int file_ = -1;
};

/// Writes the whole file or, if anything fails, leaves what was there: the text goes to a
/// temporary name beside `path`, reaches the disk, and is then renamed.
/// @throws Error naming the file and what the system said.
void write_text_file(const std::filesystem::path& path, std::string_view text);

}  // namespace tempo
