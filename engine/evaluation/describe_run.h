#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "engine/devices/gpu_description.h"
#include "engine/evaluation/evaluate_list.h"
#include "engine/evaluation/list/evaluation_list.h"
#include "engine/evaluation/run/run_description.h"
#include "engine/network/service/network_service.h"
#include "engine/sample_steps/fit_request.h"

namespace threefold {

/// Describes this machine. `threads`: the network's threads; 0: as many as the process may use.
/// `gpu`: the network's GPU as described by the plug-in, or null; no driver is queried here.
/// Unknown members stay empty. May be called on any thread.
MachineDescription describeMachine(int threads, const GpuDescription* gpu = nullptr);

/// Options of a run, besides its list and output folder.
struct RunChoices {
    MeasureChoices measures = {};
    Shard shard = {};
    int warmUpRuns = -1;                 ///< -1: as many as the device needs
    std::optional<FitRequest> fit = {};  ///< nullopt: no third stage
    std::size_t truthPoints = 0;         ///< LoadOptions::maxTruthPoints
    bool measureOnDevice = true;         ///< measures on the network's GPU, if there is one
};

/// The options of an earlier run.
RunChoices choicesOf(const RunDescription& description);

/// Folders that a session reads from. `imageRoot`, `truthRoot`: see ListRunOptions.
RunFolders runFolders(const EvaluationList& list, const std::filesystem::path& imageRoot,
                      const std::filesystem::path& truthRoot);

/// Describes a run that begins now, without its folders. `machine` must name a GPU if and only if
/// `network` is on one. Command line and window give equal identities to runs that differ only in
/// times and folders.
RunDescription describeRun(const EvaluationList& list, const RunChoices& choices,
                           const NetworkInfo& network, const MachineDescription& machine);

}  // namespace threefold
