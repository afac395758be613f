#include "data/content_key.hpp"

#include <array>
#include <bit>
#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <cmath>
#include <limits>

#include "data/text_file.hpp"
#include "tempo/problem.hpp"

namespace tempo {

std::string content_key(std::string_view content) {
  const boost::uuids::name_generator_sha1 generator(boost::uuids::ns::oid());
  return boost::uuids::to_string(generator(content.data(), content.size()));
}

std::string file_key(const std::filesystem::path& path) {
  Problems problems;
  const auto bytes = read_text_file(path, problems);
  problems.throw_if_any();
  return content_key(*bytes);
}

std::string cohort_key(const Cohort& cohort) {
  std::string content;
  // The length comes first, so that no two lists of texts look alike.
  const auto add = [&](const std::string& text) {
    content += std::to_string(text.size()) + ":" + text;
  };
  for (const auto* names : {&cohort.participants, &cohort.biomarkers, &cohort.diagnoses}) {
    add(std::to_string(names->size()));
    for (const auto& name : *names) add(name);
  }
  add({cohort.diseased.begin(), cohort.diseased.end()});
  std::string row;
  for (std::size_t j = 0; j < cohort.participant_count(); ++j) {
    row.clear();
    for (const double x : cohort.measurements.row(j)) {
      // All zeros are one value here, and so are all NaNs.
      const double value = std::isnan(x) ? std::numeric_limits<double>::quiet_NaN() : x + 0.0;
      const auto bytes = std::bit_cast<std::array<char, sizeof value>>(value);
      row.append(bytes.data(), bytes.size());
    }
    add(content_key(row));
  }
  return content_key(content);
}

}  // namespace tempo
