#include "app/sample_rendering/summary_output.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/console/peak_memory.h"
#include "app/console/printable.h"

namespace threefold {
namespace {

using Json = nlohmann::ordered_json;
using Outcome = RenderResult::Outcome;

constexpr double kMillisecondsInSecond = 1000;

std::string nameOf(const RenderResult& result) {
    return result.mesh.category + '_' + result.mesh.item;
}

Json resultJson(const RenderResult& result, bool dryRun) {
    Json json = {{"mesh", result.mesh.file.string()},
                 {"category", result.mesh.category},
                 {"item", result.mesh.item},
                 {"ok", result.outcome != Outcome::failed}};
    if (result.outcome == Outcome::failed) json["error"] = result.error;
    if (result.outcome == Outcome::skipped) json["skipped"] = true;
    if (result.outcome != Outcome::made) return json;
    json["folder"] = result.sample.folder.string();
    json["truth"] = result.sample.truth.string();
    if (dryRun) return json;
    json["views"] = result.sample.views;
    json["viewsCutOff"] = result.sample.cutOffViews;
    json["viewsEmpty"] = result.sample.emptyViews;
    json["faces"] = result.sample.faces;
    json["facesWithoutArea"] = result.sample.withoutArea;
    json["missing"] = result.sample.missing;
    json["milliseconds"] = result.milliseconds;
    return json;
}

/// Of what is not as one would like it.
std::string remarks(const RenderedSample& sample) {
    std::string text;
    const auto add = [&](std::size_t count, const char* one, const char* many) {
        if (count == 0) return;
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, count == 1 ? one : many);
    };
    add(sample.withoutArea, "face without area left out", "faces without area left out");
    add(sample.cutOffViews, "view cuts it off", "views cut it off");
    add(sample.emptyViews, "view is empty", "views are empty");
    return text.empty() ? text : "  (" + text + ')';
}

double samplesPerSecond(std::size_t made, double milliseconds) {
    return milliseconds > 0 ? static_cast<double>(made) * kMillisecondsInSecond / milliseconds : 0;
}

}  // namespace

RenderCounts::RenderCounts(const std::vector<RenderResult>& results) {
    for (const RenderResult& result : results)
        ++(result.outcome == Outcome::made      ? made
           : result.outcome == Outcome::skipped ? skipped
                                                : failed);
}

std::string renderLine(const RenderResult& result, const RenderRequest& request,
                       const RenderProgress& progress) {
    const std::size_t all = progress.all;
    if (result.outcome == Outcome::skipped)
        return all > 1
                   ? ""
                   : nameOf(result) + "  is there already: skipped (--overwrite makes it again)\n";
    std::string line = fmt::format("{}  {} views  {} faces  {} points  {:.0f} ms", nameOf(result),
                                   result.sample.views, result.sample.faces,
                                   request.settings.points, result.milliseconds);
    if (progress.number < all && progress.made > 0)
        line += leftText(progress.milliseconds / kMillisecondsInSecond *
                         static_cast<double>(all - progress.number) /
                         static_cast<double>(progress.made));
    line += remarks(result.sample) + '\n';
    if (all == 1) return line;
    return fmt::format("[{:{}}/{}] {}", progress.number, std::to_string(all).size(), all, line);
}

std::string planLine(const RenderResult& result) {
    return fmt::format("{} → {}\n", result.mesh.file.string(),
                       result.outcome == Outcome::made ? result.sample.folder.string()
                                                       : nameOf(result) + " is there already");
}

std::string renderSummary(const RenderRequest& request, const std::vector<RenderResult>& results,
                          const std::optional<ListCounts>& lists, double milliseconds) {
    const RenderCounts counts(results);
    const std::string skipped =
        fmt::format("{} skipped{}", counts.skipped,
                    counts.skipped > 0 ? " (there already; --overwrite makes them again)" : "");
    if (request.dryRun)
        return fmt::format("dry run, nothing is written: {} to make, {}, {} in the way\n",
                           counts.made, skipped, counts.failed);
    std::string text;
    if (results.size() > 1)
        text = fmt::format("{} made, {}, {} failed in {:.1f} s ({:.1f} samples/s)\n", counts.made,
                           skipped, counts.failed, milliseconds / kMillisecondsInSecond,
                           samplesPerSecond(counts.made, milliseconds));
    if (lists)
        text += fmt::format("{}: {} samples, {} to train and {} to test with\n",
                            (request.output / "list.txt").string(), lists->all, lists->train,
                            lists->test);
    return text;
}

Json renderJson(const RenderRequest& request, const std::vector<RenderResult>& results,
                const std::optional<ListCounts>& lists, double milliseconds, bool cancelled) {
    const RenderCounts counts(results);
    Json json = {{"output", request.output.string()},
                 {"size", request.settings.size},
                 {"supersampling", kSupersampling},
                 {"points", request.settings.points},
                 {"seed", request.settings.views.seed},
                 {"dryRun", request.dryRun},
                 {"made", counts.made},
                 {"skipped", counts.skipped},
                 {"failed", counts.failed},
                 {"cancelled", cancelled},
                 {"milliseconds", milliseconds},
                 {"samplesPerSecond", samplesPerSecond(counts.made, milliseconds)},
                 {"peakMemoryMb", peakMemoryMegabytes()}};
    if (lists)
        json["lists"] = {{"all", lists->all}, {"train", lists->train}, {"test", lists->test}};
    json["samples"] = Json::array();
    for (const RenderResult& result : results)
        json["samples"].push_back(resultJson(result, request.dryRun));
    return json;
}

}  // namespace threefold
