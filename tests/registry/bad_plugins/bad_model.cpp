// A measurement model that fails in the way its settings ask for.
#include <limits>
#include <stdexcept>

#include "one_change.hpp"
#include "tempo/measurement_model.hpp"

namespace tempo::test {
namespace {

struct Settings {
  explicit Settings(Parameters& keys)
      : fault(keys.choice("fault", "none",
                          {"none", "traits", "too_many_traits", "measure", "measure_int",
                           "infinite", "unwritten", "density", "atoms", "atom_nowhere"},
                          "what goes wrong")) {}

  std::string fault;
};

class BadLaw final : public MeasurementLaw {
 public:
  BadLaw(const Settings& settings, const BiomarkerTable& biomarkers)
      : MeasurementLaw(biomarkers, EventEffect::switched), fault_(settings.fault) {}

 private:
  void do_log_density(std::size_t, int, double, std::span<const double> since,
                      std::span<double> out) const override {
    if (fault_ == "density") throw std::runtime_error("no table");
    std::fill_n(out.begin(), since.size() - 1, 0.0);  // the last stays as it is
  }
  std::vector<double> do_atoms(std::size_t, int, EventState) const override {
    if (fault_ == "atoms") throw std::runtime_error("no clips");
    return {0.0, std::numeric_limits<double>::quiet_NaN()};
  }

  std::string fault_;
};

class BadModel final : public MeasurementModel {
 public:
  BadModel(const Settings& settings, const MeasurementModelContext& context)
      : MeasurementModel(context.biomarkers,
                         std::make_unique<BadLaw>(settings, context.biomarkers)),
        fault_(settings.fault) {}

 private:
  std::vector<int> do_draw_traits(RandomStream&) const override {
    if (fault_ == "traits") throw std::runtime_error("no families");
    return std::vector<int>(fault_ == "too_many_traits" ? biomarkers().size() + 1 : 0);
  }

  void do_measure(const Timeline&, const std::vector<int>&, RandomStream&,
                  MatrixView<double> x) const override {
    if (fault_ == "measure") throw std::runtime_error("did not converge");
    if (fault_ == "measure_int") throw 7;
    std::fill_n(x.data(), x.rows() * x.cols() - (fault_ == "unwritten" ? 1 : 0), 0.0);
    if (fault_ == "infinite") x(0, 0) = std::numeric_limits<double>::infinity();
  }

  std::string fault_;
};

}  // namespace
}  // namespace tempo::test

TEMPO_PLUGIN(tempo::MeasurementModel, tempo::test::BadModel, tempo::test::Settings,
             (tempo::test::info_of("bad_model")));
