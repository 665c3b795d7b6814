#include "app/eval/request.h"

#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "app/options/protocols.h"
#include "app/options/tau.h"
#include "app/reconstruct/request.h"
#include "engine/error.h"
#include "engine/evaluation/describe_run.h"
#include "engine/evaluation/machine.h"

namespace threefold {
namespace {

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
    RunChoices choices;
    choices.views = request.views;
    choices.protocols = protocolsOf(request.protocol);
    choices.tau = request.tau;
    choices.earthMovers = request.earthMovers;
    choices.truthSpace = truthSpaceWord(request.truthSpace);
    choices.shard = shardFromText(request.shard);
    choices.warmUpRuns = request.warmUpRuns;
    return describeRun(list, choices, *opened.backend,
                       describeMachine(request.model.threads, opened.gpu ? &*opened.gpu : nullptr));
}

}  // namespace threefold
