#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "tempo/problem.hpp"

namespace tempo {

/// Reads the bytes of a file; absent, and one problem, if there is no such file, it is a folder, or
/// it cannot be read.
std::optional<std::string> read_text_file(const std::filesystem::path& path, Problems& problems);

/// Reads the bytes of a file, if there is one. @throws Error if it is there and cannot be read
std::optional<std::string> text_if_there(const std::filesystem::path& path);

/// Returns `text` without a leading byte order mark; absent, and one problem, if it is UTF-16,
/// binary (holds a NUL), or not UTF-8.
/// @param name  the file as messages call it
std::optional<std::string_view> checked_text(std::string_view text, const std::string& name,
                                             Problems& problems);

/// The place of the byte at `offset`. Lines end in LF, CRLF or a lone CR; a column is a character,
/// not a byte. It takes time proportional to `offset`, which is fine for messages.
Place place_in_text(std::string_view text, std::size_t offset, const std::string& name);

/// Writes a file piece by piece; the file appears when it is whole.
class TextFileWriter {
 public:
  /// @throws Error, as append and finish, naming the file and what the system said.
  explicit TextFileWriter(std::filesystem::path path);
  ~TextFileWriter();  ///< removes the file unless it was finished
  TextFileWriter(const TextFileWriter&) = delete;
  TextFileWriter& operator=(const TextFileWriter&) = delete;

  void append(std::string_view text);
  /// Waits until the text is on disk, replaces the file, and waits until that is on disk, too.
  void finish();

 private:
  [[noreturn]] void fail() const;

  std::filesystem::path path_;
  std::string part_;  ///< beside it: a rename is one step within one file system only
  int file_ = -1;
  bool has_name_ = false;  ///< whether the text lies under `part_`
};

/// Gives a finished file its name, in the same file system, once it has reached the disk.
/// @throws Error likewise
void move_whole_file(const std::filesystem::path& from, const std::filesystem::path& to);

/// Writes the whole file or, if anything fails, leaves what was there: the text goes to a
/// temporary name beside `path`, reaches the disk, and is then renamed.
/// @throws Error naming the file and what the system said.
void write_text_file(const std::filesystem::path& path, std::string_view text);

}  // namespace tempo
