#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "app/eval/seed_flags.h"
#include "app/options/model_options.h"
#include "app/options/open_backend.h"
#include "app/options/truth_space.h"
#include "engine/evaluation/evaluation_list.h"
#include "engine/evaluation/journal.h"

namespace threefold {

/// Everything that `threefold eval` is asked.
struct EvalRequest {
    ModelOptions model;
    SeedFlags seed;
    std::filesystem::path list;
    std::filesystem::path imageRoot;
    std::filesystem::path truthRoot;
    TruthSpace truthSpace;
    std::filesystem::path output;
    std::vector<int> views;              ///< none: as defaultViews() has it
    std::string protocol = "published";  ///< or "surface", "both"
    double tau = kTau;
    int warmUpRuns = -1;  ///< -1: as many as the device needs
    std::string shard = "1/1";
    std::size_t batch = 0;  ///< 0: as many as the device likes
    bool resume = false;
    bool overwrite = false;
    bool earthMovers = false;
    bool meshes = true;
    bool json = false;

    JournalStart start() const;
};

/// Throws UsageError for what no sample can make right.
void checkRequest(const EvalRequest& request);

/// The run as its journal and its reports tell of it.
RunDescription describeRun(const EvalRequest& request, const EvaluationList& list,
                           const OpenedBackend& opened);

}  // namespace threefold
