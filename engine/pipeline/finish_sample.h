#pragma once

#include "engine/pipeline/pipeline.h"
#include "engine/sample_steps/measure_sample.h"

namespace threefold {

/// Fits and measures a sample of a list. Fills in the record's scores, distances, silhouettes,
/// `fitNote`, `fitSource`, and the times of fit and measure. Throws as fitSample() and
/// measureSample() do.
MeasuredSample finishSample(ComputedSample computed, const SampleFitOptions& fit,
                            const MeasureOptions& measure, SampleRecord& record,
                            PipelineStepTimer& clock);

}  // namespace threefold
