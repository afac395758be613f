#include "tempo/event_times.hpp"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "tempo/error.hpp"

namespace tempo {
namespace {

constexpr double kImpossible = -std::numeric_limits<double>::infinity();

/// Every permutation of 1..B is equally likely.
class PermutationLaw final : public EventTimeLaw {
 public:
  PermutationLaw() : EventTimeLaw(TimeSupport::ranks) {}

 private:
  double do_log_density(std::span<const double> times) const override {
    const auto B = times.size();
    std::vector<bool> seen(B);
    for (const double time : times) {
      if (!(time >= 1.0 && time <= static_cast<double>(B)) || time != std::floor(time))
        return kImpossible;
      const auto rank = static_cast<std::size_t>(time) - 1;
      if (seen[rank]) return kImpossible;
      seen[rank] = true;
    }
    return -boost::math::lgamma(static_cast<double>(B) + 1.0);
  }
};

/// xi_b / B ~ Beta(alpha, beta), independently.
class BetaLaw final : public EventTimeLaw {
 public:
  BetaLaw(double alpha, double beta)
      : alpha_(alpha), beta_(beta), log_constant_(std::log(boost::math::beta(alpha, beta))) {}

 private:
  double do_log_density(std::span<const double> times) const override {
    const auto B = static_cast<double>(times.size());
    double sum = 0.0;
    for (const double time : times) {
      const double x = time / B;
      if (!(x >= 0.0 && x <= 1.0)) return kImpossible;
      sum += power(x, alpha_ - 1.0) + power(1.0 - x, beta_ - 1.0) - log_constant_ - std::log(B);
    }
    return sum;
  }

  /// log x^exponent; 0^0 is 1.
  static double power(double x, double exponent) {
    return exponent == 0.0 ? 0.0 : exponent * std::log(x);
  }

  double alpha_, beta_;
  double log_constant_;
};

}  // namespace

EventTimeLaw::~EventTimeLaw() = default;

double EventTimeLaw::log_density(std::span<const double> times) const {
  double out = std::numeric_limits<double>::quiet_NaN();
  guard_quickly("computing the log density of event times", [&] { out = do_log_density(times); });
  if (!(out < std::numeric_limits<double>::infinity()))
    throw NumericError(blame("computing the log density of event times") +
                       "expected a number or -inf, got " + std::to_string(out));
  return out;
}

EventTimes::EventTimes(Kind kind, double alpha, double beta, double noise_sd,
                       std::shared_ptr<EventTimeLaw> law)
    : kind_(kind), alpha_(alpha), beta_(beta), noise_sd_(noise_sd), law_(std::move(law)) {
  if (!(noise_sd >= 0.0 && std::isfinite(noise_sd)))
    throw NumericError("noise of event times: expected a finite sd >= 0, got " +
                       std::to_string(noise_sd));
}

void EventTimes::set_plugin_id(const std::string& id) {
  if (law_ != nullptr) law_->set_plugin_id(id);
}

EventTimes permutation_times(double noise_sd) {
  return {EventTimes::Kind::permutation, 1.0, 1.0, noise_sd, std::make_shared<PermutationLaw>()};
}

EventTimes beta_times(double alpha, double beta, double noise_sd) {
  for (const double shape : {alpha, beta})
    if (!(shape > 0.0 && std::isfinite(shape)))
      throw NumericError("beta law of event times: expected finite shapes > 0, got " +
                         std::to_string(shape));
  return {EventTimes::Kind::beta, alpha, beta, noise_sd, std::make_shared<BetaLaw>(alpha, beta)};
}

EventTimes own_times(std::shared_ptr<EventTimeLaw> law, double noise_sd) {
  return {EventTimes::Kind::own, 1.0, 1.0, noise_sd, std::move(law)};
}

EventTimes read_event_times(Parameters& keys, const std::string& key) {
  const ParameterValue fallback{keys.place_of(key), std::string("permutation")};
  const auto* value = keys.raw(key, "'permutation', 'beta' or a table",
                               "how event times come about", "\"permutation\"");
  if (value == nullptr) value = &fallback;
  ParameterTable table;
  if (const auto* kind = std::get_if<std::string>(&value->value)) {
    table.place = value->place;
    table.set("kind", ParameterValue{value->place, *kind});
  } else if (const auto* given = std::get_if<ParameterTable>(&value->value)) {
    table = *given;
    // What `--set event_times.alpha=3` makes of a text: it takes all texts for names of plugins.
    if (table.find("kind") == nullptr)
      for (auto& entry : table.entries)
        if (entry.key == "plugin") entry.key = "kind";
  } else {
    keys.complain(key, "expected 'permutation', 'beta' or a table with kind, not " +
                           std::string(kind_of(*value)));
    return permutation_times();
  }
  Parameters nested(table, keys.where() + " " + key, keys.problems());
  const bool is_beta = nested.choice("kind", std::nullopt, {"permutation", "beta"},
                                     "law of the event times") == "beta";
  const auto shape = [&](const char* name, const char* help) {
    return is_beta ? nested.number(name, 2.0, positive, help) : 1.0;
  };
  const double alpha = shape("alpha", "first shape of xi / B");
  const double beta = shape("beta", "second shape of xi / B");
  const double noise_sd = nested.number("noise_sd", is_beta ? 0.05 : 0.0, unit_interval,
                                        "noise of a cell's own event time", "B");
  nested.report_unread();
  keys.resolve(key, nested.resolved());
  return is_beta ? beta_times(alpha, beta, noise_sd) : permutation_times(noise_sd);
}

}  // namespace tempo
