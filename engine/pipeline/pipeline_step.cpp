#include "engine/pipeline/pipeline_step.h"

#include <algorithm>

namespace threefold {
namespace {

struct StepInfo {
    PipelineStep step;
    std::string_view name;
    WorkerGroup group;
};
constexpr std::array<StepInfo, kPipelineSteps.size()> kStepInfos = {{
    {PipelineStep::load, "load", WorkerGroup::loaders},
    {PipelineStep::network, "network", WorkerGroup::network},
    {PipelineStep::fit, "fit", WorkerGroup::finishers},
    {PipelineStep::measure, "measure", WorkerGroup::finishers},
    {PipelineStep::write, "write", WorkerGroup::finishers},
    {PipelineStep::store, "store", WorkerGroup::store},
}};

const StepInfo& infoOf(PipelineStep step) {
    return *std::ranges::find(kStepInfos, step, &StepInfo::step);
}

}  // namespace

std::string_view pipelineStepName(PipelineStep step) {
    return infoOf(step).name;
}

std::string_view workerGroupName(WorkerGroup group) {
    switch (group) {
        case WorkerGroup::loaders:
            return "loaders";
        case WorkerGroup::network:
            return "network";
        case WorkerGroup::finishers:
            return "finishers";
        case WorkerGroup::store:
            break;
    }
    return "store";
}

WorkerGroup workerGroupOf(PipelineStep step) {
    return infoOf(step).group;
}

}  // namespace threefold
