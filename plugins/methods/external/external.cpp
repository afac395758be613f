// A method that is a program in any language: README.md.

#include <fmt/format.h>

#include <cstring>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "answer.hpp"
#include "process/conversation.hpp"
#include "process/program.hpp"
#include "process/scratch_folder.hpp"
#include "settings.hpp"
#include "task_files.hpp"
#include "tempo/error.hpp"
#include "tempo/inference_method.hpp"
#include "tempo/plugin.hpp"
#include "tempo/stop.hpp"

namespace tempo::external {
namespace {

constexpr int kNotApplicable = 3;  // exit status

Cohort without_labels(Cohort cohort) {
  cohort.diseased.clear();
  cohort.diagnoses.clear();
  return cohort;
}

/// The failure that this end of a program is.
/// @param folder  of the task: its name is made up anew each time, and messages call it `.`
[[noreturn]] void fail(const process::End& end, const Settings& settings,
                       const std::string& folder) {
  auto words = process::last_words(end.errors);
  for (auto at = words.find(folder); at != std::string::npos; at = words.find(folder, at))
    words.replace(at, folder.size(), ".");
  const auto with_words = [&](const std::string& what) {
    return words.empty() ? what : what + ": " + words;
  };
  const auto what = with_words("the program " + process::in_words(end, settings.limits));
  switch (end.outcome) {
    case process::Outcome::timed_out:
      throw FitFailure(FailureKind::timed_out, what);
    case process::Outcome::out_of_memory:
      throw FitFailure(FailureKind::out_of_memory, what);
    case process::Outcome::interrupted:
      throw Stopped("tempo was asked to stop");
    case process::Outcome::exited:
      if (end.code == kNotApplicable)
        throw FitFailure(FailureKind::not_applicable, with_words("not applicable"));
      if (end.code == 0) refuse_answer(with_words("the program ended and gave none"));
      throw Error(what);
    default:
      throw Error(what);
  }
}

using Waiting = std::unique_ptr<process::Conversation>;

/// Programs that live longer than a fit. Each answers one fit at a time.
class Programs {
 public:
  /// Null if none waits.
  Waiting take() {
    const std::lock_guard lock(mutex_);
    if (waiting_.empty()) return nullptr;
    auto out = std::move(waiting_.back());
    waiting_.pop_back();
    return out;
  }
  void give_back(Waiting program) {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(program));
  }

 private:
  std::mutex mutex_;
  std::vector<Waiting> waiting_;
};

class External final : public InferenceMethod {
 public:
  explicit External(const Settings& settings) : settings_(settings) {
    decide_abilities(settings.labels, settings.missing);
    if (settings.is_persistent) home_ = std::make_unique<process::ScratchFolder>(kFolderOf);
  }

 private:
  Inference do_fit(const Cohort& cohort, RandomStream& stream) const override {
    constexpr int kToDouble = 11;  // 53 of 64 bits
    const Task task{settings_.settings, stream() >> kToDouble, settings_.limits.seconds};
    const auto shown = settings_.labels == LabelUse::none ? without_labels(cohort) : cohort;
    const Question question{shown, task.seed, settings_.is_persistent, settings_.version};
    process::ScratchFolder folder(kFolderOf);
    try {
      write_cohort(question.cohort, folder.path());
      return settings_.is_persistent ? ask_one_that_waits(question, task, folder.path())
                                     : run(question, task, folder.path());
    } catch (const Stopped&) {
      throw;
    } catch (const FitFailure& failure) {
      throw FitFailure(failure.kind(), failure.what() + kept(folder));
    } catch (const Error& error) {
      throw Error(error.what() + kept(folder));
    }
  }

  /// The folder of a failed fit, which is kept if it should be.
  std::string kept(process::ScratchFolder& folder) const {
    if (!settings_.keep_failed) return {};
    folder.keep();
    return fmt::format(" (kept: {})", folder.path().string());
  }

  Inference run(const Question& question, const Task& task,
                const std::filesystem::path& folder) const {
    write_task(question.cohort, task, folder);
    const auto end = process::run(settings_.call(folder.string()), settings_.limits, &stop_asked());
    if (!process::is_success(end)) fail(end, settings_, folder.string());
    return read_answer(answer_text(folder / kAnswerFile, most_bytes(question.cohort)), question);
  }

  /// One that has answered as agreed waits for the next fit. Any other may have lost count of the
  /// questions.
  Inference ask_one_that_waits(const Question& question, const Task& task,
                               const std::filesystem::path& folder) const {
    const auto most = most_bytes(question.cohort);
    auto [program, reply] = reply_to(task_line(question.cohort, task, folder), most, folder);
    if (reply.what == process::Reply::What::too_long)
      refuse_answer(fmt::format("a line of more than {} bytes", most));
    try {
      auto out = read_answer(reply.line, question);
      programs_.give_back(std::move(program));
      return out;
    } catch (const FitFailure& failure) {
      if (failure.kind() == FailureKind::not_applicable) programs_.give_back(std::move(program));
      throw;
    }
  }

  /// What a program that waits says, or a new one. One that waited may have ended by itself, before
  /// or after it was asked: then a new one decides, so that chance does not.
  std::pair<Waiting, process::Reply> reply_to(const std::string& question, std::size_t most,
                                              const std::filesystem::path& folder) const {
    if (auto program = programs_.take()) {
      auto reply = program->ask(question, most, &stop_asked());
      if (reply.what != process::Reply::What::nothing) return {std::move(program), reply};
      const auto end = program->end();
      if (end.outcome != process::Outcome::exited && end.outcome != process::Outcome::crashed)
        fail(end, settings_, folder.string());
    }
    auto program = std::make_unique<process::Conversation>(settings_.call(home_->path().string()),
                                                           settings_.limits);
    auto reply = program->ask(question, most, &stop_asked());
    if (reply.what == process::Reply::What::nothing)
      fail(program->end(), settings_, folder.string());
    return {std::move(program), std::move(reply)};
  }

  const Settings settings_;
  std::unique_ptr<process::ScratchFolder>
      home_;  ///< where programs that live longer than a fit work
  mutable Programs programs_;
};

}  // namespace
}  // namespace tempo::external

TEMPO_PLUGIN(tempo::InferenceMethod, tempo::external::External, tempo::external::Settings,
             {.id = "external",
              .version = "1.0.0",
              .licence = "MIT",
              .summary = "a program in any language: a cohort in a folder, an answer in JSON",
              .source = "none: the program's authors say what it does",
              .labels = tempo::LabelUse::optional,
              .missing = tempo::MissingData::marginal});
