#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>
#include <vector>

#include "app/options/sample_arguments.h"
#include "app/reconstruct/request.h"
#include "app/reconstruct/sample_result.h"
#include "engine/network/service/network_service.h"
#include "engine/profile/span.h"

namespace threefold {

/// Called for each sample, done or failed, on one thread.
using ResultFunction = std::function<void(const SampleResult&)>;

/// Reconstructs samples and writes the files that the request names into `folder`. Several samples
/// run concurrently (engine/pipeline/pipeline.h), but one after another if fits run on the GPU.
/// Sets SampleResult::error of a sample that fails, and continues with the next. When `cancel` is
/// requested, the remaining samples are left out. Calls `report` in the order of the samples. If
/// the request names a trace, `spans` receives the times of pipeline steps and run steps.
std::vector<SampleResult> runSamples(NetworkService& network, const ReconstructRequest& request,
                                     const std::filesystem::path& folder,
                                     const std::vector<SampleArgument>& samples,
                                     const std::stop_token& cancel, const ResultFunction& report,
                                     Spans& spans);

}  // namespace threefold
