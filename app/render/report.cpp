#include "app/render/report.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/console/peak_memory.h"

namespace threefold {
namespace {

using Json = nlohmann::ordered_json;
using Outcome = MakingResult::Outcome;

constexpr double kMillisecondsInSecond = 1000;

std::string nameOf(const MakingResult& result) {
    return result.mesh.category + '_' + result.mesh.item;
}

Json resultJson(const MakingResult& result) {
    Json json = {{"mesh", result.mesh.file.string()},
                 {"category", result.mesh.category},
                 {"item", result.mesh.item},
                 {"ok", result.outcome != Outcome::failed}};
    if (result.outcome == Outcome::failed) json["error"] = result.error;
    if (result.outcome == Outcome::skipped) json["skipped"] = true;
    if (result.outcome != Outcome::made) return json;
    json["folder"] = result.sample.folder.string();
    json["truth"] = result.sample.truth.string();
    json["views"] = result.sample.views;
    json["faces"] = result.sample.faces;
    json["facesWithoutArea"] = result.sample.withoutArea;
    json["missing"] = result.sample.missing;
    json["milliseconds"] = result.milliseconds;
    return json;
}

double samplesPerSecond(std::size_t made, double milliseconds) {
    return milliseconds > 0 ? static_cast<double>(made) * kMillisecondsInSecond / milliseconds : 0;
}

}  // namespace

RenderCounts::RenderCounts(const std::vector<MakingResult>& results) {
    const auto count = [&](Outcome outcome) {
        return static_cast<std::size_t>(
            std::count_if(results.begin(), results.end(),
                          [&](const MakingResult& result) { return result.outcome == outcome; }));
    };
    made = count(Outcome::made);
    skipped = count(Outcome::skipped);
    failed = count(Outcome::failed);
}

std::string renderLine(const MakingResult& result, const RenderRequest& request, std::size_t number,
                       std::size_t all) {
    const std::string name = all > 1 ? fmt::format("[{:{}}/{}] {}", number,
                                                   std::to_string(all).size(), all, nameOf(result))
                                     : nameOf(result);
    if (result.outcome == Outcome::skipped)
        return name + "  is there already: skipped (--overwrite makes it again)\n";
    std::string line =
        fmt::format("{}  {} views  {} faces  {} points  {:.0f} ms", name, result.sample.views,
                    result.sample.faces, request.settings.points, result.milliseconds);
    if (result.sample.withoutArea > 0)
        line += fmt::format("  ({} faces without area left out)", result.sample.withoutArea);
    return line + '\n';
}

std::string renderSummary(const RenderRequest& request, const std::vector<MakingResult>& results,
                          const std::optional<ListCounts>& lists, double milliseconds) {
    const RenderCounts counts(results);
    std::string text;
    if (results.size() > 1)
        text = fmt::format("{} made, {} skipped, {} failed in {:.1f} s ({:.1f} samples/s)\n",
                           counts.made, counts.skipped, counts.failed,
                           milliseconds / kMillisecondsInSecond,
                           samplesPerSecond(counts.made, milliseconds));
    if (lists)
        text += fmt::format("{}: {} samples, {} to train and {} to test with\n",
                            (request.output / "list.txt").string(), lists->all, lists->train,
                            lists->test);
    return text;
}

Json renderJson(const RenderRequest& request, const std::vector<MakingResult>& results,
                const std::optional<ListCounts>& lists, double milliseconds, bool cancelled) {
    const RenderCounts counts(results);
    Json json = {{"output", request.output.string()},
                 {"size", request.settings.size},
                 {"supersampling", kSupersampling},
                 {"points", request.settings.points},
                 {"seed", request.settings.views.seed},
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
    for (const MakingResult& result : results) json["samples"].push_back(resultJson(result));
    return json;
}

}  // namespace threefold
