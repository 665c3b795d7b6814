#include "engine/pipeline/pipeline_step.h"

#include <cstddef>

namespace threefold {
namespace {

struct StepInfo {
    std::string_view name;
    WorkerGroup group;
};
constexpr std::array<StepInfo, kPipelineSteps.size()> kStepInfos = {{
    {"load", WorkerGroup::loaders},
    {"network", WorkerGroup::network},
    {"fit", WorkerGroup::finishers},
    {"measure", WorkerGroup::finishers},
    {"write", WorkerGroup::finishers},
    {"store", WorkerGroup::store},
}};
constexpr std::array<std::string_view, kWorkerGroups.size()> kWorkerGroupNames = {
    "loaders", "network", "finishers", "store"};

const StepInfo& infoOf(PipelineStep step) {
    return kStepInfos.at(static_cast<std::size_t>(step));
}

}  // namespace

std::string_view pipelineStepName(PipelineStep step) {
    return infoOf(step).name;
}

std::string_view workerGroupName(WorkerGroup group) {
    return kWorkerGroupNames.at(static_cast<std::size_t>(group));
}

WorkerGroup workerGroupOf(PipelineStep step) {
    return infoOf(step).group;
}

}  // namespace threefold
