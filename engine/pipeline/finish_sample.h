#pragma once

#include <optional>

#include "engine/pipeline/pipeline.h"
#include "engine/sample_steps/measure_sample.h"

namespace threefold {

/// Options of finishSample(), the same for all samples of a list.
struct FinishOptions {
    std::optional<FitRequest> fit = {};  ///< for resolveFit(); nullopt: no fit
    SampleFitOptions fitOptions = {};
    MeasureOptions measure = {};
};

/// Fits and measures a sample of a list. Fills in the record's scores, distances, silhouettes,
/// `fitNote`, `fit`, and the times of fit and measure. Throws as fitSample() and
/// measureSample() do.
MeasuredSample finishSample(ComputedSample computed, const FinishOptions& options,
                            SampleRecord& record, PipelineStepTimer& timer);

}  // namespace threefold
