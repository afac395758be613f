#include "tempo/toolkit/box_minimiser.hpp"

#include <nlopt.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <memory>
#include <type_traits>

namespace tempo::toolkit {
namespace {

using Vector = std::vector<double>;

constexpr double kStep = 1.4901161193847656e-8;  // 2^-26
constexpr double kSmallestShrink = 0.1;
constexpr int kMaxTrials = 11;

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// Runs NLopt's SLSQP with Kraft's own stopping tests, which NLopt replaces by others.
///
/// NLopt asks for the objective at the start; then, after each quadratic program, at x + s and,
/// while the line search shrinks s, at further trials. With x and g known here, the first trial
/// gives away s, and so everything that the tests need. A search that is over is told to stop.
class Search {
 public:
  Search(BoxObjective& objective, std::span<const double> start, std::span<const double> lower,
         std::span<const double> upper, const BoxMinimiserSettings& settings)
      : objective_(objective),
        lower_(lower),
        upper_(upper),
        settings_(settings),
        gradient_(start.size()),
        step_(start.size()),
        probe_(start.size()),
        nlopt_(nlopt_create(NLOPT_LD_SLSQP, static_cast<unsigned>(start.size())), nlopt_destroy) {
    nlopt_set_lower_bounds(nlopt_.get(), lower.data());
    nlopt_set_upper_bounds(nlopt_.get(), upper.data());
    nlopt_set_min_objective(
        nlopt_.get(),
        [](unsigned n, const double* x, double* gradient, void* self) {
          return static_cast<Search*>(self)->answer({x, n}, gradient);
        },
        this);
    result_.x.assign(start.begin(), start.end());
    for (std::size_t i = 0; i < start.size(); ++i)
      result_.x[i] = std::min(std::max(start[i], lower[i]), upper[i]);
  }

  BoxMinimum run() {
    auto at = result_.x;
    double value = 0.0;
    const auto outcome = nlopt_optimize(nlopt_.get(), at.data(), &value);
    // Not our own stop: uphill after several fresh Hessians, or a singular subproblem.
    if (outcome != NLOPT_FORCED_STOP)
      result_.stop = outcome == NLOPT_ROUNDOFF_LIMITED ? BoxStop::rounding : BoxStop::failed;
    return std::move(result_);
  }

 private:
  /// What NLopt's next question is about.
  enum class Question { start, first_trial, further_trial, accepted_point };

  double answer(std::span<const double> x, double* gradient) {
    switch (question_) {
      case Question::start:
        result_.value = evaluate(x);
        if (!std::isfinite(result_.value)) return stop(BoxStop::failed);
        break;
      case Question::accepted_point:
        objective_.value(x);  // what the gradient is taken at
        break;
      case Question::first_trial:
        if (++result_.iterations > settings_.max_iterations) {
          --result_.iterations;
          return stop(BoxStop::iteration_limit);
        }
        set_step(x);
        slope_ = dot(gradient_, step_);
        if (std::abs(slope_) < settings_.tolerance) return stop(BoxStop::converged);
        trials_ = 0;
        shrink_ = 1.0;
        return answer_trial(x, gradient);
      case Question::further_trial:
        set_step(x);
        return answer_trial(x, gradient);
    }
    question_ = Question::first_trial;
    set_gradient(x, gradient);
    return result_.value;
  }

  double answer_trial(std::span<const double> x, double* gradient) {
    const bool is_first = ++trials_ == 1;
    const double value = evaluate(x);
    const double change = value - result_.value;
    if (!std::isfinite(change) || (change > slope_ / 10.0 && trials_ < kMaxTrials)) {
      // NLopt will shrink s, and the slope along it, by this much.
      shrink_ = std::max(kSmallestShrink, std::isfinite(change) ? slope_ / (2.0 * (slope_ - change))
                                                                : 0.5 * shrink_);
      slope_ *= shrink_;
      question_ = Question::further_trial;
      if (gradient != nullptr) std::fill_n(gradient, x.size(), 0.0);
      return value;
    }
    result_.x.assign(x.begin(), x.end());
    result_.value = value;
    if (std::abs(change) < settings_.tolerance ||
        std::sqrt(dot(step_, step_)) < settings_.tolerance)
      return stop(BoxStop::converged);
    // The gradient at the first trial is asked for at once, at later ones by another question.
    if (is_first) {
      set_gradient(x, gradient);
      question_ = Question::first_trial;
    } else {
      question_ = Question::accepted_point;
    }
    return value;
  }

  double stop(BoxStop why) {
    result_.stop = why;
    nlopt_force_stop(nlopt_.get());
    return result_.value;
  }

  double evaluate(std::span<const double> x) {
    ++result_.evaluations;
    return objective_.value(x);
  }

  void set_step(std::span<const double> x) {
    for (std::size_t i = 0; i < x.size(); ++i) step_[i] = x[i] - result_.x[i];
  }

  /// The gradient at x, the point of the last evaluation, kept and given to NLopt.
  void set_gradient(std::span<const double> x, double* out) {
    if (settings_.gradient == Gradient::analytic)
      objective_.gradient(x, gradient_);
    else
      take_differences(x);
    // NLopt's least squares would go round for ever in NaN.
    if (!std::all_of(gradient_.begin(), gradient_.end(),
                     [](double slope) { return std::isfinite(slope); })) {
      stop(BoxStop::failed);
      return;
    }
    std::copy(gradient_.begin(), gradient_.end(), out);
  }

  void take_differences(std::span<const double> x) {
    std::copy(x.begin(), x.end(), probe_.begin());
    for (std::size_t i = 0; i < x.size(); ++i) {
      double h = kStep;
      if ((x[i] + h) - x[i] == 0.0)
        h = (x[i] >= 0.0 ? kStep : -kStep) * std::max(1.0, std::abs(x[i]));
      const double below = x[i] - lower_[i];
      const double above = upper_[i] - x[i];
      if (!(std::abs(h) <= std::max(below, above))) {
        h = above >= below ? above : -below;
      } else if (x[i] + h < lower_[i] || x[i] + h > upper_[i]) {
        h = -h;
      }
      probe_[i] = x[i] + h;
      ++result_.evaluations;
      gradient_[i] = (objective_.value_moved(probe_, i) - result_.value) / (probe_[i] - x[i]);
      probe_[i] = x[i];
    }
  }

  BoxObjective& objective_;
  std::span<const double> lower_;
  std::span<const double> upper_;
  const BoxMinimiserSettings& settings_;
  Vector gradient_;  // at result_.x
  Vector step_;      // from result_.x to the trial
  Vector probe_;
  double slope_ = 0.0;   // g's, shrunk as s is
  double shrink_ = 1.0;  // the last factor of s in this line search
  int trials_ = 0;       // of this line search
  Question question_ = Question::start;
  BoxMinimum result_;
  std::unique_ptr<std::remove_pointer_t<nlopt_opt>, void (*)(nlopt_opt)> nlopt_;
};

}  // namespace

void BoxObjective::gradient(std::span<const double>, std::span<double>) {
  assert(false && "an analytic gradient was asked for, and the objective has none");
}

BoxMinimum minimise_in_box(BoxObjective& objective, std::span<const double> start,
                           std::span<const double> lower, std::span<const double> upper,
                           const BoxMinimiserSettings& settings) {
  assert(start.size() == lower.size() && start.size() == upper.size() && !start.empty());
  return Search(objective, start, lower, upper, settings).run();
}

}  // namespace tempo::toolkit
