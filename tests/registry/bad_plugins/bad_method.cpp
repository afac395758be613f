// A method that fails in the way its settings ask for.
#include <pthread.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <cfenv>
#include <chrono>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <locale>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include "one_change.hpp"
#include "tempo/inference_method.hpp"

namespace tempo::test {
namespace {

/// As some languages write decimal numbers.
struct Comma : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
};

struct Settings {
  explicit Settings(Parameters& keys)
      : fault(keys.choice("fault", "none",
                          {"none",
                           "fit",
                           "fit_int",
                           "few_scores",
                           "nan_score",
                           "few_stages",
                           "late_stage",
                           "late_event",
                           "lone_spread",
                           "wide_spread",
                           "half_posterior",
                           "few_results",
                           "crash",
                           "abort",
                           "exit",
                           "hang",
                           "swallow",
                           "fork",
                           "rounds_down",
                           "flushes",
                           "locale",
                           "global_locale",
                           "handler",
                           "blocks",
                           "quick_exit",
                           "exit_beside",
                           "terminate_beside",
                           "no_memory_beside",
                           "crash_at_end",
                           "overflow",
                           "prints",
                           "closes",
                           "writes_to_pipes",
                           "leaves_threads",
                           "escapes"},
                          "what goes wrong")),
        only(keys.text("only", "", "it goes wrong if this biomarker is in the first column")) {}

  std::string fault, only;
};

/// Events in the order of the columns, everybody at stage 0.
class BadMethod final : public InferenceMethod {
 public:
  explicit BadMethod(const Settings& settings) : fault_(settings.fault), only_(settings.only) {}

 private:
  Inference do_fit(const Cohort& cohort, RandomStream&) const override {
    if (only_.empty() || cohort.biomarkers.front() == only_) misbehave();
    if (fault_ == "fit") throw std::runtime_error("did not converge");
    if (fault_ == "fit_int") throw 7;
    change_surroundings();
    const auto J = cohort.participant_count();
    const auto B = cohort.biomarker_count();
    Inference out;
    for (std::size_t b = 0; b < B; ++b) out.event_scores.push_back(static_cast<double>(b));
    out.stages.assign(J, 0.0);
    if (fault_ == "few_scores") out.event_scores.pop_back();
    if (fault_ == "nan_score") out.event_scores[1] = std::numeric_limits<double>::quiet_NaN();
    if (fault_ == "few_stages") out.stages.pop_back();
    if (fault_ == "late_stage") out.stages[1] = static_cast<double>(B) + 1.0;
    if (fault_ == "late_event") out.event_times = std::vector<double>(B, 2.0);
    if (fault_ == "lone_spread") out.event_time_spreads.emplace(B);
    if (fault_ == "wide_spread") {
      out.event_times = std::vector<double>(B, 0.5);
      out.event_time_spreads.emplace(B, EventTimeSpread{0.25, 0.5, 1.5});
    }
    if (fault_ == "escapes") out.warnings.emplace_back("red \x1b[31mtext\a");
    if (fault_ == "half_posterior") out.stage_posterior = Matrix(J, B + 1, 0.1);
    return out;
  }

  /// Faults that cost more than the fit.
  void misbehave() const {
    if (fault_ == "crash") std::raise(SIGSEGV);
    if (fault_ == "abort") {
      std::fputs("bad_method: cannot go on\n", stderr);
      std::abort();
    }
    if (fault_ == "exit") {
      std::puts("bad_method: done");
      std::exit(0);
    }
    if (fault_ == "quick_exit") std::quick_exit(0);
    if (fault_ == "exit_beside") std::thread([] { std::exit(0); }).join();
    if (fault_ == "terminate_beside")
      std::thread([] { throw std::runtime_error("beside"); }).join();
    if (fault_ == "no_memory_beside") std::thread([] { throw std::bad_alloc(); }).join();
    if (fault_ == "crash_at_end") std::atexit([] { std::raise(SIGSEGV); });
    if (fault_ == "overflow") deeper(1.0);
    if (fault_ == "prints") print_answers();
    if (fault_ == "writes_to_pipes") write_to_pipes();
    if (fault_ == "closes")
      for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::close(stream);
    if (fault_ == "leaves_threads")
      std::thread([] { std::this_thread::sleep_for(std::chrono::minutes(1)); }).detach();
    volatile std::size_t work = 0;
    while (fault_ == "hang") work = work + 1;
    if (fault_ == "fork") leave_a_process();
    while (fault_ == "swallow") std::memset(std::malloc(kMiB), 1, kMiB);
  }

  /// As somebody might who asks it: nothing of this is the fit's answer.
  static void print_answers() {
    for (int i = 0; i < 1000; ++i) {
      std::puts(R"({"status": "ok", "event_scores": [0, 0, 0]})");
      std::fputs("{}\n", stderr);
    }
    std::fflush(nullptr);
  }

  /// Notes it in a file, and fails if there still is one that an earlier fit left.
  static void leave_a_process() {
    constexpr const char* kFile = "left-processes";
    std::ifstream earlier(kFile);
    for (pid_t process = 0; earlier >> process;)
      if (::kill(process, 0) == 0) throw std::runtime_error("an earlier fit left a process");
    const auto left = ::fork();
    if (left == 0) {
      ::sleep(60);
      ::_exit(0);
    }
    std::ofstream(kFile, std::ios::app) << left << std::endl;
  }

  /// Of whoever has called it.
  static void write_to_pipes() {
    const std::string zeros(4096, '\0');
    for (int file = 3; file < 64; ++file) {
      struct stat what {};
      if (::fstat(file, &what) == 0 && S_ISFIFO(what.st_mode)) [[maybe_unused]]
        const auto count = ::write(file, zeros.data(), zeros.size());
    }
  }

  /// And does not put it back.
  void change_surroundings() const {
    if (fault_ == "rounds_down") std::fesetround(FE_DOWNWARD);
#if defined(__x86_64__)
    if (fault_ == "flushes") _mm_setcsr(_mm_getcsr() | 0x8000U);
#endif
    static const locale_t other = newlocale(LC_ALL_MASK, "C.UTF-8", locale_t{});
    if (fault_ == "locale") uselocale(other);
    if (fault_ == "global_locale") {
      std::locale::global(std::locale(std::locale::classic(), new Comma));
      std::setlocale(LC_ALL, "C.UTF-8");
    }
    if (fault_ == "handler") std::signal(SIGTERM, SIG_IGN);
    if (fault_ == "blocks") {
      sigset_t set;
      sigemptyset(&set);
      sigaddset(&set, SIGTERM);
      pthread_sigmask(SIG_BLOCK, &set, nullptr);
    }
  }

  static double deeper(double value) {
    volatile double room[512]{};
    room[0] = value;
    return value > 0.0 ? deeper(value + room[0]) + room[0] : room[1];
  }

  std::vector<Inference> do_fit_all(std::span<const Cohort> cohorts,
                                    std::span<RandomStream> streams) const override {
    std::vector<Inference> out;
    for (std::size_t i = 0; i < cohorts.size(); ++i) out.push_back(do_fit(cohorts[i], streams[i]));
    if (fault_ == "few_results") out.pop_back();
    return out;
  }

  static constexpr std::size_t kMiB = 1 << 20;
  std::string fault_, only_;
};

}  // namespace
}  // namespace tempo::test

TEMPO_PLUGIN(tempo::InferenceMethod, tempo::test::BadMethod, tempo::test::Settings,
             (tempo::test::info_of("bad_method")));
