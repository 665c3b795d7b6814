#pragma once

#include "engine/measures/measure_table.h"
#include "engine/measures/scores.h"

namespace threefold {

/// Calls `visit(measure, value)` for measures that are not fields of Scores
/// (TruthMeasure::compute()), where they have a value.
inline void forEachComputedMeasure(const Scores& scores, const auto& visit) {
    for (const TruthMeasure& measure : truthMeasures()) {
        if (measure.compute == nullptr) continue;
        if (const auto value = measure.value(scores)) visit(measure, *value);
    }
}

}  // namespace threefold
