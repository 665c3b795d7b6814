#include "app/eval/request.h"

#include <chrono>
#include <ctime>
#include <filesystem>
#include <system_error>
#include <thread>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "app/options/protocols.h"
#include "app/options/tau.h"
#include "app/reconstruct/request.h"
#include "engine/error.h"
#include "engine/evaluation/machine.h"

namespace threefold {
namespace {

/// A GPU chooses its ways of computing in its first runs; of the processor only the first is slow.
constexpr int kGpuWarmUp = 15;
constexpr int kProcessorWarmUp = 1;

std::string now() {
    return fmt::format(
        "{:%Y-%m-%dT%H:%M:%SZ}",
        fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
}

/// A mistyped root is one mistake, not one a sample.
void requireFolder(const char* flag, const std::filesystem::path& folder) {
    std::error_code error;
    if (folder.empty() || std::filesystem::is_directory(folder, error)) return;
    throw InputError(
        {folder.string(), "", "is not a folder", fmt::format("Name one with {}.", flag)});
}

}  // namespace

JournalStart EvalRequest::start() const {
    if (overwrite) return JournalStart::overwrite;
    return resume ? JournalStart::resume : JournalStart::fresh;
}

void checkRequest(const EvalRequest& request) {
    requireFolder("--images", request.imageRoot);
    requireFolder("--gt", request.truthRoot);
    if (!request.views.empty()) checkViews(request.views);
    shardFromText(request.shard);
    checkTau(request.tau);
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
