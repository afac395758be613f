#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <vector>

#include "tempo/matrix.hpp"

namespace tempo {

/// A list of rows, as results keep matrices.
inline nlohmann::json to_json(const Matrix& matrix) {
  auto rows = nlohmann::json::array();
  for (std::size_t i = 0; i < matrix.rows(); ++i)
    rows.push_back(std::vector<double>(matrix.row(i).begin(), matrix.row(i).end()));
  return rows;
}

/// @param columns  of every row: a matrix without rows has some, too
inline Matrix matrix_from(const nlohmann::json& rows, std::size_t columns) {
  Matrix out(rows.size(), columns);
  for (std::size_t i = 0; i < out.rows(); ++i)
    for (std::size_t k = 0; k < columns; ++k) out(i, k) = rows[i][k].get<double>();
  return out;
}
inline Matrix matrix_from(const nlohmann::json& rows) {
  return matrix_from(rows, rows.empty() ? 0 : rows.front().size());
}

}  // namespace tempo
