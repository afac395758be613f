#include "report/misfit_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "data/names.hpp"

namespace tempo {

std::vector<std::string> misfit_lines(const std::vector<RunDescription::Misfit>& misfits) {
  std::vector<RunDescription::Misfit> lines;
  for (const auto& misfit : misfits) {
    const auto same = std::find_if(lines.begin(), lines.end(), [&](const auto& line) {
      return line.method == misfit.method && line.reason == misfit.reason;
    });
    if (same == lines.end()) {
      lines.push_back(misfit);
      continue;
    }
    same->hypothesis += ", " + misfit.hypothesis;
    same->fits += misfit.fits;
  }
  std::vector<std::string> out;
  for (const auto& line : lines)
    out.push_back(fmt::format("{} not applicable: {} under {}: {}", counted(line.fits, "fit"),
                              line.method, line.hypothesis, line.reason));
  return out;
}

}  // namespace tempo
