// A stage prior that is wrong in the way its setting asks for.

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <clocale>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <thread>

#include "tempo/stage_prior.hpp"
#include "wrong.hpp"

namespace tempo::test {
namespace {

/// k = B max(U, U): P(k <= s) = (s / B)^2.
class SquareLaw final : public ContinuousStageLaw {
 public:
  explicit SquareLaw(const Faulty& faulty) : faulty_(faulty) {}

 private:
  std::vector<double> do_cumulative(std::size_t last,
                                    std::span<const double> stages) const override {
    std::vector<double> out;
    for (const double stage : stages) out.push_back(std::pow(stage / static_cast<double>(last), 2));
    if (faulty_.has("falling_law") && out.size() > 10) std::swap(out[3], out[7]);
    return out;
  }

  Faulty faulty_;
};

std::atomic<int> objects{0};
/// Those that were left behind: as many as the check for it needs, and no thousands.
std::atomic<int> threads{0};
constexpr int kMostThreads = 60;

class WrongPrior final : public StagePrior {
 public:
  explicit WrongPrior(const Faulty& faulty)
      : StagePrior(std::make_unique<SquareLaw>(faulty)), faulty_(faulty), number_(objects++) {}

 private:
  void do_draw(std::size_t last, RandomStream& stream, std::span<double> stages) const override {
    disturb(stages.size());
    for (std::size_t j = 0; j < stages.size(); ++j) stages[j] = drawn(last, stream);
    if (faulty_.has("one_sequence"))
      for (std::size_t j = 0; j < stages.size(); ++j)
        stages[j] = static_cast<double>(last) *
                    std::sqrt((static_cast<double>(j) + 0.5) / static_cast<double>(stages.size()));
    if (faulty_.has("race")) through_scratch(stages);
  }

  double drawn(std::size_t last, RandomStream& stream) const {
    double share = std::max(stream.uniform(), stream.uniform());
    if (faulty_.has("not_its_law")) share = std::max(share, stream.uniform());
    if (faulty_.has("counts_calls")) share /= 1.0 + 1e-6 * static_cast<double>(calls_++);
    if (faulty_.has("counts_objects")) share /= 1.0 + 1e-6 * number_;
    if (faulty_.has("rarely_nan") && share > 0.9999) share = std::nan("");
    return static_cast<double>(last) * share;
  }

  /// What is wrong with it and has nothing to do with the numbers.
  void disturb(std::size_t participants) const {
    if (faulty_.has("not_many") && participants > 50'000) throw std::runtime_error("too many");
    if (faulty_.has("leak")) leaked_ = new char[64];
    if (faulty_.has("prints")) std::puts("drawing");
    if (faulty_.has("locale")) {
      const bool is_plain = std::string(std::setlocale(LC_ALL, nullptr)) == "C";
      std::setlocale(LC_ALL, is_plain ? "C.UTF-8" : "C");
    }
    if (faulty_.has("writes")) std::ofstream("draws.log") << "drawing";
    if (faulty_.has("moves")) std::filesystem::current_path("/");
    if (faulty_.has("environment"))
      ::setenv("TZ", std::getenv("TZ") == nullptr ? "UTC" : "GMT", /*overwrite=*/1);
    if (faulty_.has("mask")) ::umask(::umask(0) == 0 ? 077 : 0);
    if (faulty_.has("threads") && threads++ < kMostThreads)
      std::thread([] { std::this_thread::sleep_for(std::chrono::minutes(1)); }).detach();
    if (faulty_.has("square")) {
      const auto rounds = std::min<std::size_t>(participants, 16'000);
      for (std::size_t i = 0; i < rounds * rounds; ++i) work_ = work_ + 1;
    }
  }

  void through_scratch(std::span<double> stages) const {
    for (double& stage : stages) {
      scratch_.store(stage);
      if (&stage == &stages[0]) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      stage = scratch_.load();
    }
  }

  Faulty faulty_;
  int number_;
  mutable std::atomic<int> calls_{0};
  mutable std::atomic<double> scratch_{0.0};
  mutable char* leaked_ = nullptr;
  mutable volatile std::size_t work_ = 0;
};

}  // namespace
}  // namespace tempo::test

TEMPO_PLUGIN(tempo::StagePrior, tempo::test::WrongPrior, tempo::test::Faulty,
             (tempo::test::wrong_info("wrong_prior")));
