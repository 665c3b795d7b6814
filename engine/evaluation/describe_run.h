#pragma once

#include <optional>
#include <vector>

#include "engine/evaluation/evaluate_list.h"
#include "engine/evaluation/evaluation_list.h"
#include "engine/evaluation/record.h"
#include "engine/network/service/network_service.h"
#include "engine/pipeline/fit_request.h"

namespace threefold {

struct GpuDescription;

/// This machine. `threads` are the network's; 0: as many as the process may use. `gpu` is the
/// device that the network runs on, as its plug-in describes it, or null: the engine queries no
/// driver itself. What is unknown stays empty. Any thread.
MachineDescription describeMachine(int threads, const GpuDescription* gpu = nullptr);

/// Options of a run, besides its list and output folder.
struct RunChoices {
    std::vector<int> views = {};  ///< none: defaultViews() of each sample
    std::vector<Protocol> protocols = {Protocol::published};
    double tau = kTau;
    bool earthMovers = false;
    TruthSpace truthSpace = TruthSpace::unset;
    Shard shard = {};
    int warmUpRuns = -1;                 ///< -1: as many as the device needs
    std::optional<FitRequest> fit = {};  ///< none: no third stage
    std::size_t truthPoints = 0;         ///< LoadOptions::truthPoints
    bool measureOnDevice = true;         ///< where the network runs on a GPU
};

/// The options of an earlier run.
RunChoices choicesOf(const RunDescription& about);

/// Describes a run that begins now. `machine` names a GPU if and only if `network` is on one.
/// Command line and window give the same identity to runs that differ only in times and places.
RunDescription describeRun(const EvaluationList& list, const RunChoices& choices,
                           const NetworkInfo& network, const MachineDescription& machine);

}  // namespace threefold
