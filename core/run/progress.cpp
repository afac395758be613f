#include "run/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>

#include "results/training_history.hpp"

namespace tempo {

std::string in_words(std::chrono::duration<double> time) {
  const auto seconds = static_cast<long>(std::ceil(time.count()));
  if (seconds < 90) return fmt::format("{} s", seconds);
  if (seconds < 90 * 60) return fmt::format("{} min", (seconds + 30) / 60);
  return fmt::format("{} h {} min", seconds / 3600, seconds % 3600 / 60);
}

namespace {

/// Whether progress is to be shown again: quick work shows none.
bool is_due(std::chrono::steady_clock::duration since_last, bool terminal) {
  return since_last >=
         (terminal ? std::chrono::milliseconds(100) : std::chrono::milliseconds(10'000));
}

std::string bar(double share, const std::string& line) {
  constexpr std::size_t kWidth = 30;
  const auto filled = static_cast<std::size_t>(share * static_cast<double>(kWidth));
  // On one line, whatever does not fit: a bar that wraps could not be redrawn.
  return "\r\033[K\033[?7l[" + std::string(filled, '#') + std::string(kWidth - filled, ' ') + "] " +
         line + "\033[?7h";
}

}  // namespace

Progress::Progress(std::ostream& out, bool terminal, std::string what,
                   std::function<Clock::time_point()> now)
    : out_(out), terminal_(terminal), what_(std::move(what)), now_(std::move(now)) {}

std::string Progress::line(const Count& count) const {
  const auto& [done, failed, total, seconds_left] = count;
  const std::chrono::duration<double> elapsed = now_() - start_;
  auto text = fmt::format("{}/{} {}", done, total, what_);
  if (failed > 0) text += fmt::format(", {} failed", failed);
  if (done == total || (done == 0 && !seconds_left)) return text;
  const auto rate = static_cast<double>(done) / elapsed.count();
  if (done > 0) text += fmt::format(", {:.3g}/s", rate);
  const auto left = seconds_left.value_or(static_cast<double>(total - done) / rate);
  return text + fmt::format(", {} left", in_words(std::chrono::duration<double>(left)));
}

void Progress::show(const Count& count) {
  const auto now = now_();
  if (!is_due(now - last_shown_, terminal_)) return;
  last_shown_ = now;
  if (!terminal_) {
    out_ << line(count) << std::endl;
    return;
  }
  const auto share =
      count.total == 0 ? 1.0 : static_cast<double>(count.done) / static_cast<double>(count.total);
  out_ << bar(share, line(count)) << std::flush;
  bar_is_open_ = true;
}

void Progress::finish() {
  if (bar_is_open_) out_ << "\r\033[K" << std::flush;
  bar_is_open_ = false;
}

std::string in_words(const TrainingEpoch& epoch) { return epoch_in_words(epoch.numbers); }

TrainingProgress::TrainingProgress(std::ostream& out, bool terminal, std::string what,
                                   const std::atomic<bool>& stop,
                                   std::function<Clock::time_point()> now)
    : out_(out), terminal_(terminal), what_(std::move(what)), stop_(stop), now_(std::move(now)) {}

double TrainingProgress::share_done() const {
  const auto inside = step_.samples == 0 ? 0.0
                                         : static_cast<double>(step_.samples_done) /
                                               static_cast<double>(step_.samples);
  const auto epochs = static_cast<double>(std::max<std::uint64_t>(1, step_.epochs));
  return std::clamp((static_cast<double>(step_.epoch) - 1.0 + inside) / epochs, 0.0, 1.0);
}

std::string TrainingProgress::line() const {
  auto text = fmt::format("{}: epoch {}/{}", what_, step_.epoch, step_.epochs);
  const auto& [since, at_start] = *start_;
  const std::chrono::duration<double> elapsed = now_() - since;
  const auto done = share_done();
  if (done > at_start && done < 1.0)
    text += fmt::format(", {} left", in_words(elapsed * ((1.0 - done) / (done - at_start))));
  text += fmt::format(", loss {:.4g}", step_.loss);
  if (epoch_.epoch > 0) text += fmt::format("; epoch {}: {}", epoch_.epoch, in_words(epoch_));
  if (step_.samples_per_second > 0.0)
    text += fmt::format("; {:.3g} samples/s", step_.samples_per_second);
  return text;
}

void TrainingProgress::show() {
  const auto now = now_();
  if (!start_ || !is_due(now - last_shown_, terminal_)) return;
  last_shown_ = now;
  if (!terminal_) {
    out_ << line() << std::endl;
    return;
  }
  out_ << bar(share_done(), line()) << std::flush;
  bar_is_open_ = true;
}

void TrainingProgress::step(const TrainingStep& step) {
  step_ = step;
  if (!start_) start_.emplace(now_(), share_done());
  show();
}

void TrainingProgress::epoch(const TrainingEpoch& epoch) {
  epoch_ = epoch;
  show();
}

bool TrainingProgress::stop_asked() const {
  if (stop_ && !said_stopping_) {
    finish();
    out_ << "stopping the training; Ctrl-C again to leave at once" << std::endl;
    said_stopping_ = true;
  }
  return stop_;
}

void TrainingProgress::finish() const {
  if (bar_is_open_) out_ << "\r\033[K" << std::flush;
  bar_is_open_ = false;
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace tempo
