#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "tempo/cohort.hpp"

namespace tempo {

/// A content key: 122 bits of SHA-1 as a name-based UUID (RFC 4122, version 5), in text.
std::string content_key(std::string_view content);

/// The content key of a file's bytes. @throws InputError if it cannot be read.
std::string file_key(const std::filesystem::path& path);

/// The content key of a cohort: participants, labels, diagnoses, biomarkers, values and which of
/// them are missing. Files with the same content in other bytes have the same key.
std::string cohort_key(const Cohort& cohort);

}  // namespace tempo
