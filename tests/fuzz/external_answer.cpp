// The answer of an external method.

#include <string>

#include "answer.hpp"
#include "small_cohort.hpp"
#include "target.hpp"
#include "tempo/error.hpp"
#include "tempo/inference_method.hpp"

namespace tempo::fuzz {
namespace {

void read_answer_input(std::string_view text) {
  const auto cohort = small_cohort();
  for (const bool must_repeat : {false, true}) try {
      check(external::read_answer(std::string(text), {cohort, 7, must_repeat, ""}), cohort);
    } catch (const Error&) {
    }
}

const Added kAnswerTarget("external_answer", read_answer_input);

}  // namespace
}  // namespace tempo::fuzz
