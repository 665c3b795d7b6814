#pragma once

#include <string>
#include <vector>

#include "engine/evaluation/evaluate_list.h"
#include "engine/evaluation/evaluation_list.h"
#include "engine/evaluation/run_description.h"
#include "engine/network/backend.h"

namespace threefold {

/// What a person asks of a run, besides its list and where the results go.
struct RunChoices {
    std::vector<int> views = {};  ///< none: as defaultViews() of each sample has it
    std::vector<Protocol> protocols = {Protocol::published};
    double tau = kTau;
    bool earthMovers = false;
    TruthSpace truthSpace = TruthSpace::unset;
    Shard shard = {};
    int warmUpRuns = -1;  ///< -1: as many as the device needs
};

/// What a run that holds records already was asked for.
RunChoices choicesOf(const RunDescription& about);

/// The run as its journal and its reports tell of it, begun now. `machine` names a GPU where, and
/// only where, `backend` is on one. Two that agree in everything but times and places have the same
/// identity, whoever starts them: the command line or the window.
RunDescription describeRun(const EvaluationList& list, const RunChoices& choices,
                           const Backend& backend, const MachineDescription& machine);

/// Batch, loaders and finishers as the device likes them. `batch` 0: that too.
void fitToDevice(ListRunOptions& options, bool gpu, std::size_t batch = 0);

}  // namespace threefold
