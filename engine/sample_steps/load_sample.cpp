#include "engine/sample_steps/load_sample.h"

#include <utility>

#include "engine/profile/stopwatch.h"
#include "engine/views/network_input.h"

namespace threefold {

LoadedTruth loadTruth(const Sample& sample, int view, const LoadOptions& options) {
    if (!sample.truth) {
        if (options.truthRequired) return {loadGroundTruth(sample, view), {}};  // throws
        return {};
    }
    try {
        LoadedTruth loaded{loadGroundTruth(sample, view), std::nullopt};
        if (options.maxTruthPoints > 0) downsampleRandomly(loaded.truth, options.maxTruthPoints);
        return loaded;
    } catch (const Error& error) {
        if (options.strictTruth) throw;
        return {{}, error.report()};
    }
}

LoadedSample loadSample(std::shared_ptr<const Sample> sample, std::vector<int> views,
                        const LoadOptions& options) {
    requireViewCount(sample->folder.string(), views.size());
    LoadedSample loaded{std::move(sample), std::move(views)};
    LoadedTruth truth = loadTruth(*loaded.sample, loaded.views.front(), options);
    loaded.truth = std::move(truth.truth);
    loaded.truthProblem = std::move(truth.problem);
    loaded.startedAt = std::chrono::steady_clock::now();
    const Stopwatch watch;
    loaded.input = loadViews(*loaded.sample, loaded.views, options.readView);
    loaded.milliseconds = watch.milliseconds();
    return loaded;
}

}  // namespace threefold
