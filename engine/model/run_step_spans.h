#pragma once

#include "engine/model/run_step.h"
#include "engine/profile/span.h"

namespace threefold {

/// Spans of one reconstruction's run steps, starting at `begin`. Timings are durations only, so
/// steps are placed one after another: `load` on the processor, the rest on `device`. If a GPU's
/// steps sum to more than `wallMilliseconds` (0: unknown), the step `cnn2` is placed on a second
/// stream, beside stage 1. `spanNumber`: Span::number.
Spans runStepSpans(const StepTimings& timings, double wallMilliseconds, LaneKind device,
                   double begin, int spanNumber);

}  // namespace threefold
