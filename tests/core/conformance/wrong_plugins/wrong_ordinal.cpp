// An ordinal stage prior that is wrong in the way its setting asks for.

#include <memory>

#include "tempo/stage_prior.hpp"
#include "wrong.hpp"

namespace tempo::test {
namespace {

std::vector<double> rising(std::size_t last) {
  std::vector<double> out;
  for (std::size_t k = 0; k < last; ++k) out.push_back(static_cast<double>(k + 1));
  return out;
}

class RisingLaw final : public DirichletStageLaw {
 public:
  explicit RisingLaw(const Faulty& faulty) : faulty_(faulty) {}

 private:
  std::vector<double> do_concentrations(std::size_t last) const override {
    auto out = rising(last);
    if (faulty_.has("no_concentration")) out.back() = 0.0;
    return out;
  }

  Faulty faulty_;
};

class WrongOrdinal final : public StagePrior {
 public:
  explicit WrongOrdinal(const Faulty& faulty)
      : StagePrior(std::make_unique<RisingLaw>(faulty)), faulty_(faulty) {}

 private:
  void do_draw(std::size_t last, RandomStream& stream, std::span<double> stages) const override {
    auto alpha = rising(last);
    if (faulty_.has("all_alike"))
      for (double& value : alpha) value *= 50.0;  // the shares are those of the law, and too sure
    const auto shares = stream.dirichlet(alpha);
    for (double& stage : stages) stage = 1.0 + static_cast<double>(stream.categorical(shares));
  }

  Faulty faulty_;
};

}  // namespace
}  // namespace tempo::test

TEMPO_PLUGIN(tempo::StagePrior, tempo::test::WrongOrdinal, tempo::test::Faulty,
             (tempo::test::wrong_info("wrong_ordinal")));
