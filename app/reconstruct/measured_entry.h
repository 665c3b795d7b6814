#pragma once

#include <filesystem>
#include <optional>
#include <stop_token>
#include <vector>

#include "engine/evaluation/list/evaluation_list.h"
#include "engine/network/service/network_service.h"
#include "engine/sample_steps/fit_request.h"
#include "engine/sample_steps/measure_sample.h"

namespace threefold {

/// Choices for the samples of a command that shows them: `figure`, `page`.
struct EntryRequest {
    std::vector<int> views;         ///< empty: defaultViews()
    std::optional<FitRequest> fit;  ///< for resolveFit(); nullopt: no fitted mesh
    std::filesystem::path imageRoot;
    std::filesystem::path truthRoot;
    int threads = 0;           ///< of a fit and of measures; 0: all available
    bool silhouettes = false;  ///< MeasureOptions::silhouettes
};

/// Reconstructs, fits and measures a sample of a list. Logs assumptions about the truth, and why
/// there is no truth or fit. Throws InputError for an entry with a problem, Cancelled, DeviceError;
/// otherwise throws as findSample() and loadSample() do.
MeasuredSample measuredEntry(NetworkService& network, const ListEntry& entry,
                             const std::filesystem::path& listRoot, const EntryRequest& request,
                             const std::stop_token& cancel);

}  // namespace threefold
