#include "app/reconstruct/measured_entry.h"

#include <memory>
#include <utility>

#include <spdlog/spdlog.h>

#include "engine/error.h"
#include "engine/sample/sample.h"
#include "engine/sample/view_candidates.h"

namespace threefold {

MeasuredSample measuredEntry(NetworkService& network, const ListEntry& entry,
                             const std::filesystem::path& listRoot, const EntryRequest& request,
                             const std::stop_token& cancel) {
    if (!entry.problem.empty()) throw InputError({entry.problem, "", "", ""});
    const std::filesystem::path& root = request.imageRoot.empty() ? listRoot : request.imageRoot;
    auto sample = std::make_shared<const Sample>(findSample(
        {.location = entry.location, .imageRoot = root, .truthRoot = request.truthRoot}));
    std::vector<int> views =
        request.views.empty() ? defaultViews(*sample, readNetworkImage, cancel) : request.views;
    const LoadedSample loaded = loadSample(std::move(sample), std::move(views));
    SampleFitOptions fit;
    fit.threads = request.threads;
    fit.cancel = cancel;
    MeasuredSample measured;
    network.run(Urgency::now, [&](DeviceAccess& access) {
        Backend& device = access.backend();
        measured = measureSample(
            fitIfRequested(reconstructSample(device, loaded, {.cancel = cancel}), request.fit, fit,
                           &device.meshOperations()),
            {.silhouettes = request.silhouettes, .threads = request.threads, .cancel = cancel},
            &device.meshOperations());
    });
    for (const std::string& note : measured.loaded.truth.notes)
        spdlog::warn("{}: {}", entry.listedName, note);
    const auto fitProblem = measured.fit ? measured.fit->problem : std::nullopt;
    for (const auto& problem : {measured.loaded.truthProblem, fitProblem})
        if (problem) spdlog::warn("{}: {}", entry.listedName, Error(*problem).what());
    return measured;
}

}  // namespace threefold
