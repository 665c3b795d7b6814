#pragma once

#include <cstddef>

#include "engine/evaluation/run/evaluation_run.h"

namespace threefold::test {

/// A run that never was: `count` samples over `categories` of ShapeNet's categories, scores and
/// times as real ones are spread, always the same. Every `failing`th sample failed, for one of two
/// reasons (0: none, 1: all); about one in twelve regressed.
EvaluationRun fakeRun(std::size_t count, std::size_t categories = 13, std::size_t failing = 97);

/// Makes it a sample of photographs alone: nothing to score it by.
void takeTruthAway(SampleRecord& record);

}  // namespace threefold::test
