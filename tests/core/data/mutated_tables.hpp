#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tempo/random_stream.hpp"

namespace tempo::test {

/// A clinic's table as a program of spreadsheets holds it, and how it writes it.
struct Sheet {
  std::vector<std::vector<std::string>> rows;  ///< the first is the header
  std::string separator = ",", line_end = "\n";
  std::string before;  ///< text above the header
  std::string after;   ///< text below the last row
  bool are_quoted = false;

  std::string text() const;
  std::size_t column(const std::string& name) const;
  /// A column of measurements.
  std::size_t a_biomarker(RandomStream& stream) const;
  /// A row below the header.
  std::size_t a_row(RandomStream& stream) const;
};

/// The table that all others are made of: 60 participants, five biomarkers.
Sheet clean_sheet();

/// Something that happens to tables. What it changes in a cohort has to be said in these words.
struct Mutation {
  std::string name;
  std::function<void(Sheet&, RandomStream&)> apply;
  std::vector<std::string> words = {};  ///< one of them has to be there; none: any message does
  std::string encoding = {};            ///< what is done to the bytes afterwards
};

const std::vector<Mutation>& mutations();

}  // namespace tempo::test
