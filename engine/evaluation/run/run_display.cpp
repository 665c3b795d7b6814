#include "engine/evaluation/run/run_display.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/error.h"
#include "engine/sample/data_set.h"
#include "engine/sample/sample.h"
#include "engine/sample_steps/fit_request.h"

namespace threefold {
namespace {

std::vector<int> viewsOf(const SampleRecord& record) {
    std::vector<int> views;
    for (const ViewSilhouetteScores& each : record.silhouettes) views.push_back(each.view);
    return views;
}

}  // namespace

std::vector<int> usedViews(const EvaluationRun& run) {
    if (!run.description.identity.measures.views.empty())
        return run.description.identity.measures.views;
    std::vector<int> used;
    for (const SampleRecord& record : run.records) {
        if (!record.succeeded()) continue;
        const std::vector<int> views =
            record.silhouettes.empty() ? kPublishedViews : viewsOf(record);
        if (!used.empty() && used != views) return {};
        used = views;
    }
    return used;
}

std::string viewsText(const EvaluationRun& run) {
    const std::vector<int> used = usedViews(run);
    if (!used.empty()) return fmt::format("{}", fmt::join(used, ", "));
    return fmt::format("{}; for your own photographs, three views that differ",
                       fmt::join(kPublishedViews, ", "));
}

std::string fitText(const std::string& name) {
    try {
        return fitRequestText(fitRequestFromName(name));
    } catch (const UsageError&) {
        return name;  // a name that another version wrote
    }
}

std::string displayCategory(const std::string& category) {
    const std::string name = categoryName(category);
    return !name.empty() ? name : category.empty() ? "no category" : category;
}

const std::string& displayName(const SampleRecord& record) {
    return record.name.empty() ? record.listedName : record.name;
}

}  // namespace threefold
