#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "tempo/problem.hpp"

namespace tempo {

/// The bytes of a text file, or nothing and one problem: there is no such file, it is a folder, it
/// cannot be read, or it is no UTF-8 text (see check_text). A leading byte order mark is dropped.
std::optional<std::string> read_text_file(const std::filesystem::path& path, Problems& problems);

/// Adds one problem and returns false if `text` is UTF-16, binary (holds a NUL), or not UTF-8.
/// @param name the file as messages call it
bool check_text(std::string_view text, const std::string& name, Problems& problems);

/// `text` without a leading UTF-8 byte order mark.
std::string_view without_byte_order_mark(std::string_view text);

/// The place of the byte at `offset`: lines end in LF, CRLF or a lone CR; a column is a character,
/// not a byte. Takes time proportional to `offset`: for messages.
Place place_in_text(std::string_view text, std::size_t offset, const std::string& name);

/// Writes the whole file or, if anything fails, leaves what was there: the text goes to a
/// temporary name beside `path`, reaches the disk, and is then renamed.
/// @throws Error naming the file and what the system said.
void write_text_file(const std::filesystem::path& path, std::string_view text);

}  // namespace tempo
