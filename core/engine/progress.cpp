#include "engine/progress.hpp"

#include <fmt/format.h>

#include <cmath>
#include <ostream>

namespace tempo {

std::string in_words(std::chrono::duration<double> time) {
  const auto seconds = static_cast<long>(std::ceil(time.count()));
  if (seconds < 90) return fmt::format("{} s", seconds);
  if (seconds < 90 * 60) return fmt::format("{} min", (seconds + 30) / 60);
  return fmt::format("{} h {} min", seconds / 3600, seconds % 3600 / 60);
}

Progress::Progress(std::ostream& out, bool terminal, std::string what,
                   std::function<Clock::time_point()> now)
    : out_(out), terminal_(terminal), what_(std::move(what)), now_(std::move(now)) {}

std::string Progress::line(const Count& count) const {
  const auto [done, failed, total] = count;
  const std::chrono::duration<double> elapsed = now_() - start_;
  auto text = fmt::format("{}/{} {}", done, total, what_);
  if (failed > 0) text += fmt::format(", {} failed", failed);
  if (done > 0 && done < total) {
    const auto rate = static_cast<double>(done) / elapsed.count();
    text += fmt::format(
        ", {:.3g}/s, {} left", rate,
        in_words(std::chrono::duration<double>(static_cast<double>(total - done) / rate)));
  }
  return text;
}

void Progress::show(const Count& count) {
  const auto now = now_();
  const auto pause = terminal_ ? std::chrono::milliseconds(100) : std::chrono::milliseconds(10'000);
  if (now - last_shown_ < pause) return;
  last_shown_ = now;
  if (!terminal_) {
    out_ << line(count) << std::endl;
    return;
  }
  constexpr std::size_t kWidth = 30;
  const auto filled = count.total == 0 ? kWidth : count.done * kWidth / count.total;
  out_ << "\r\033[K[" << std::string(filled, '#') << std::string(kWidth - filled, ' ') << "] "
       << line(count) << std::flush;
  bar_is_open_ = true;
}

void Progress::finish() {
  if (bar_is_open_) out_ << "\r\033[K" << std::flush;
  bar_is_open_ = false;
}

}  // namespace tempo
