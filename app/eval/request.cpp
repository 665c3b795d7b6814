#include "app/eval/request.h"

#include <chrono>
#include <cmath>
#include <ctime>
#include <thread>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "app/reconstruct/request.h"
#include "engine/error.h"
#include "engine/evaluation/machine.h"

namespace threefold {
namespace {

/// A GPU chooses its ways of computing in its first runs; of the processor only the first is slow.
constexpr int kGpuWarmUp = 15;
constexpr int kProcessorWarmUp = 1;

std::vector<Protocol> protocolsOf(const std::string& name) {
    if (name == "both") return {Protocol::published, Protocol::surface};
    return {protocolFromName(name)};
}

std::string now() {
    return fmt::format(
        "{:%Y-%m-%dT%H:%M:%SZ}",
        fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
}

}  // namespace

JournalStart EvalRequest::start() const {
    if (overwrite) return JournalStart::overwrite;
    return resume ? JournalStart::resume : JournalStart::fresh;
}

void checkRequest(const EvalRequest& request) {
    checkViews(request.views);
    shardFromText(request.shard);
    if (!(request.tau > 0) || !std::isfinite(request.tau)) {
        throw UsageError({"--tau", fmt::format("{}", request.tau), "is not above zero",
                          "It is a threshold on squared distances, such as 1e-4."});
    }
}

RunDescription describeRun(const EvalRequest& request, const EvaluationList& list,
                           const OpenedBackend& opened) {
    const Model& model = opened.backend->model();
    RunDescription about;
    RunIdentity& identity = about.identity;
    identity.version = THREEFOLD_VERSION;
    identity.listHash = list.hash;
    identity.listSize = list.entries.size();
    identity.modelHash = model.hash;
    identity.sampler = samplerName(model.sampler);
    identity.backend = opened.gpu ? "cuda" : "cpu";
    identity.precision = precisionName(opened.backend->precision());
    identity.views = request.views;
    identity.protocols = protocolsOf(request.protocol);
    identity.tau = request.tau;
    identity.earthMovers = request.earthMovers;
    identity.truthSpace = truthSpaceWord(request.truthSpace);
    about.shard = shardFromText(request.shard);
    about.list = list.source;
    about.modelFile = model.source.string();
    about.backend = opened.backend->description();
    about.warmUpRuns = request.warmUpRuns >= 0 ? request.warmUpRuns
                       : opened.gpu            ? kGpuWarmUp
                                               : kProcessorWarmUp;
    const int threads = request.model.threads > 0
                            ? request.model.threads
                            : static_cast<int>(std::thread::hardware_concurrency());
    about.machines = {describeMachine(threads, opened.gpu ? &*opened.gpu : nullptr)};
    about.begun = now();
    return about;
}

}  // namespace threefold
