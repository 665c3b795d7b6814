#include "engine/evaluation/describe_run.h"

#include <chrono>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "engine/network/backend_kind.h"

namespace threefold {
namespace {

/// A GPU tunes itself in its first runs; on the processor only the first is slow.
constexpr int kGpuWarmUp = 15;
constexpr int kProcessorWarmUp = 1;

std::string now() {
    return fmt::format(
        "{:%Y-%m-%dT%H:%M:%SZ}",
        fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
}

}  // namespace

RunChoices choicesOf(const RunDescription& about) {
    const RunIdentity& identity = about.identity;
    RunChoices choices{
        identity.views,      identity.protocols, identity.tau,     identity.earthMovers,
        identity.truthSpace, about.shard,        about.warmUpRuns, {}};
    if (identity.fit) choices.fit = fitViewsFromName(*identity.fit);
    return choices;
}

RunDescription describeRun(const EvaluationList& list, const RunChoices& choices,
                           const Backend& backend, const MachineDescription& machine) {
    const bool gpu = !machine.gpu.empty();
    const Model& model = backend.model();
    RunDescription about;
    RunIdentity& identity = about.identity;
    identity.version = THREEFOLD_VERSION;
    identity.listHash = list.hash;
    identity.listSize = list.entries.size();
    identity.modelHash = model.hash;
    identity.sampler = samplerName(model.sampler);
    identity.backend = (gpu ? kCudaKind : kProcessorKind).name;
    identity.precision = precisionName(backend.precision());
    identity.views = choices.views;
    identity.protocols = choices.protocols;
    identity.tau = choices.tau;
    identity.earthMovers = choices.earthMovers;
    identity.truthSpace = choices.truthSpace;
    if (choices.fit) identity.fit = fitViewsName(*choices.fit);
    about.shard = choices.shard;
    about.list = list.source;
    about.modelFile = model.source.string();
    about.backend = backend.description();
    about.warmUpRuns = choices.warmUpRuns >= 0 ? choices.warmUpRuns
                       : gpu                   ? kGpuWarmUp
                                               : kProcessorWarmUp;
    about.machines = {machine};
    about.begun = now();
    return about;
}

}  // namespace threefold
