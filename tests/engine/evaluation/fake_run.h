#pragma once

#include <cstddef>

#include "engine/evaluation/run/evaluation_run.h"

namespace threefold::test {

/// Made-up run of `count` samples in `categories` of ShapeNet's categories. Scores and times are
/// distributed as in real runs; equal arguments give equal runs. Every `failing`th sample (0: no
/// sample) failed for one of two reasons. About one in eleven of the other samples regressed.
EvaluationRun fakeRun(std::size_t count, std::size_t categories = 13, std::size_t failing = 97);

/// Turns `record` into the record of a sample without a truth: clears the truth and the scores.
void takeTruthAway(SampleRecord& record);

}  // namespace threefold::test
