#pragma once

#include <cstddef>

#include "engine/evaluation/run/evaluation_run.h"

namespace threefold::test {

/// Made-up run of `count` samples in `categories` of ShapeNet's categories, with the distributions
/// of scores and times of real runs; always the same. Every `failing`th sample failed, for one of
/// two reasons (0: none, 1: all); about one in twelve regressed.
EvaluationRun fakeRun(std::size_t count, std::size_t categories = 13, std::size_t failing = 97);

/// Makes `record` a sample of photographs without a truth, and removes its scores.
void takeTruthAway(SampleRecord& record);

}  // namespace threefold::test
