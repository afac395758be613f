#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "tempo/biomarker_table.hpp"
#include "tempo/cohort.hpp"
#include "tempo/generative_process.hpp"
#include "tempo/process_law.hpp"

namespace tempo::conformance {

// Cohorts that methods are checked on. They are made of the SDK's own composition with two parts
// that are written here, so that a check depends on no other plugin: neither on finding one nor on
// its being right.

/// Biomarkers in units of their own, half of them falling at the event.
/// @param separation  of the two means, in sds before the event
BiomarkerTable biomarkers(std::size_t count, double separation = 2.5);

/// A hypothesis whose law is known: events in random order, nearly uniform ordinal stages, a normal
/// before each event and another after it.
std::unique_ptr<GenerativeProcess> known_process(const BiomarkerTable& biomarkers);

/// A cohort whose truth is known, and the biomarkers that it was drawn from.
struct Example {
  BiomarkerTable biomarkers;
  Cohort cohort;
  Truth truth;
};

/// A cohort of the known process, 3 of 10 participants healthy.
Example example(const BiomarkerTable& biomarkers, std::size_t participants,
                std::uint64_t number = 0);
/// The same with the events in an order that is given.
Example example_in_order(const BiomarkerTable& biomarkers, std::size_t participants,
                         const std::vector<std::size_t>& ranks, std::uint64_t number = 0);

/// What most checks of methods begin with: 240 participants, 8 biomarkers.
Example plain_example(std::uint64_t number = 0);
/// 240 participants, 6 biomarkers so far apart that no value is in doubt, in an order that is
/// neither its own inverse nor that of the columns.
Example clear_example(std::uint64_t number = 0);

}  // namespace tempo::conformance
