#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

#include "tempo/cohort.hpp"
#include "tempo/inference_method.hpp"

namespace tempo::external {

/// What an answer has to agree with.
struct Question {
  const Cohort& cohort;
  std::uint64_t seed = 0;    ///< of the task; an answer may repeat it
  bool must_repeat = false;  ///< whether it has to: one that answers many questions may mix them up
  std::string version = {};  ///< that the experiment says the program has; empty: any
};

/// Bytes that an answer may have.
std::size_t most_bytes(const Cohort& cohort);

/// Reads what a program found: README.md lists the keys. Everything is compared with the question.
/// @param text  an object in JSON
/// @throws FitFailure `bad answer: ` and all faults, or `not applicable: ` and why; Error where the
/// program says that it failed
Inference read_answer(const std::string& text, const Question& question);

/// The text of a file that a program wrote.
/// @throws FitFailure if it is not there, no plain file, or too long
std::string answer_text(const std::filesystem::path& file, std::size_t most);

/// @throws FitFailure `bad answer: ` and what it is
[[noreturn]] void refuse_answer(const std::string& what);

}  // namespace tempo::external
