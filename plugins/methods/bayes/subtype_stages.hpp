#pragma once

#include "tempo/process_law.hpp"
#include "tempo/toolkit/subtype_chain.hpp"
#include "whole_stage_law.hpp"

namespace tempo::bayes {

using DrawStages = toolkit::SubtypeChain::DrawStages;

/// How probabilities of stages are drawn in a progression whose event times are ranks.
DrawStages draw_stages_by(const WholeStageLaw& law);
/// The same in a progression of this process: of ranks, or of continuous event times of kind beta
/// with continuous stages.
DrawStages draw_stages_of(const ProcessLaw& process);

}  // namespace tempo::bayes
