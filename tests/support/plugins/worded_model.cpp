// A measurement model with a setting of every type: what reaches a part of a hypothesis shows in
// its measurements.

#include "tempo/measurement_model.hpp"
#include "tempo/plugin.hpp"

namespace tempo::test {
namespace {

struct Settings {
  explicit Settings(Parameters& keys)
      : number(keys.number("number", 0.0, any_number, "a number")),
        integer(keys.integer("integer", 0, any_number, "an integer")),
        flag(keys.flag("flag", false, "a flag")),
        text(keys.text("text", "none", "a text")),
        choice(keys.choice("choice", "one", {"one", "two", "three"}, "a choice")),
        texts(keys.texts("texts", std::vector<std::string>(), "a list of texts")),
        files(keys.files("files", std::vector<std::string>(), "a list of files")) {
    keys.flag("aside", false, "changes nothing");
    keys.set_aside("aside");
    if (const auto* given = keys.raw("table", "a table", "a table with a list", "{}"))
      if (const auto* items = std::get<ParameterTable>(given->value).find("items"))
        for (const auto& item : std::get<ParameterValue::Array>(items->value))
          sum_of_items += static_cast<double>(std::get<std::int64_t>(item.value));
  }

  /// In the order of the settings.
  std::vector<double> in_numbers() const {
    double letters = 0.0;
    for (const auto& item : texts) letters += static_cast<double>(item.size());
    return {number,
            static_cast<double>(integer),
            flag ? 1.0 : 0.0,
            static_cast<double>(text.size()),
            static_cast<double>(choice.size()),
            letters,
            static_cast<double>(files.size()),
            sum_of_items};
  }

  double number;
  std::int64_t integer;
  bool flag;
  std::string text, choice;
  std::vector<std::string> texts, files;
  double sum_of_items = 0.0;
};

/// Measures its settings: biomarker b is setting b in numbers; there are 8.
class WordedModel final : public MeasurementModel {
 public:
  WordedModel(const Settings& settings, const MeasurementModelContext& context)
      : MeasurementModel(context.biomarkers), numbers_(settings.in_numbers()) {}

 private:
  void do_measure(const Timeline&, const std::vector<int>&, RandomStream&,
                  MatrixView<double> x) const override {
    for (std::size_t j = 0; j < x.rows(); ++j)
      for (std::size_t b = 0; b < x.cols(); ++b) x(j, b) = numbers_[b];
  }

  std::vector<double> numbers_;
};

}  // namespace
}  // namespace tempo::test

TEMPO_PLUGIN(tempo::MeasurementModel, tempo::test::WordedModel, tempo::test::Settings,
             ({.id = "worded_model",
               .version = "1.0.0",
               .licence = "MIT",
               .summary = "a test",
               .source = "none"}));
