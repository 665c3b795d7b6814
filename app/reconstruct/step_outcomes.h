#pragma once

#include <exception>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/reconstruct/sample_remarks.h"
#include "app/reconstruct/sample_result.h"
#include "engine/sample_steps/fit_sample.h"
#include "engine/sample_steps/hull_sample.h"
#include "engine/sample_steps/measure_sample.h"

namespace threefold {

/// Outcome of one step of a sample: the step's value, and its lines for the user.
template <class Value>
struct StepOutcome {
    std::optional<Value> value = {};      ///< nullopt: not reached, not requested or not possible
    std::vector<std::string> notes = {};  ///< for SampleResult::notes
    Remarks remarks = {};
    std::exception_ptr failure = {};  ///< ended the step, after these lines; null: none
};

/// Outcomes of a sample's steps, in their order; those of steps that the sample did not reach are
/// empty.
struct SampleSteps {
    StepOutcome<FoundSample> found = {};
    StepOutcome<FitSummary> fit = {};
    StepOutcome<TimesAndMeasures> measured = {};
    StepOutcome<SampleHull> hull = {};
    StepOutcome<WrittenSample> written = {};
};

/// Outcome of a fit: its summary, which is moved out of `fit`, and remarks about the fit. `sample`:
/// the sample's name. `requested`: the fit that the options name.
StepOutcome<FitSummary> fitOutcome(SampleFit& fit, const std::string& sample,
                                   const FitRequest& requested);

/// Times and measures of a sample, and remarks about them; if the truth cannot be read, only the
/// measures are missing. `truthRoot`: folder in which truths were searched; empty: beside the
/// images.
StepOutcome<TimesAndMeasures> measureOutcome(const MeasuredSample& measured,
                                             const std::filesystem::path& truthRoot);

/// Result of a sample, done or failed. A failed sample's result has the outcomes of all steps
/// before the failure. `given`: see SampleResult. `error`: why the sample failed; empty: done.
SampleResult resultOf(std::string given, SampleSteps steps, std::string error);

}  // namespace threefold
