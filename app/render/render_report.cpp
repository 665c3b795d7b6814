#include "app/render/render_report.h"

#include <cstdio>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include "app/console/output.h"
#include "app/console/process.h"
#include "engine/json_text.h"
#include "engine/raster/rasterize.h"
#include "engine/sample_rendering/view_renderer.h"
#include "engine/text.h"

namespace threefold {
namespace {

std::string resultName(const RenderResult& result) {
    return result.mesh.category + '_' + result.mesh.id;
}

nlohmann::ordered_json sampleJson(const RenderResult& result) {
    nlohmann::ordered_json json = {{"mesh", result.mesh.file.string()},
                                   {"category", result.mesh.category},
                                   {"item", result.mesh.id},  // this key keeps its published name
                                   {"ok", result.outcome != RenderResult::Outcome::failed}};
    if (result.outcome == RenderResult::Outcome::failed) json["error"] = result.error;
    if (result.outcome == RenderResult::Outcome::skipped) json["skipped"] = true;
    if (result.isOutdated) json["outdated"] = true;
    if (result.outcome != RenderResult::Outcome::made) return json;
    json["folder"] = result.paths.folder.string();
    json["truth"] = result.paths.truth.string();
    if (!result.sample) return json;
    json["views"] = result.sample->viewCount;
    json["viewsCutOff"] = result.sample->cutOffViewCount;
    json["viewsEmpty"] = result.sample->emptyViewCount;
    json["faces"] = result.sample->faceCount;
    json["facesWithoutArea"] = result.sample->degenerateFaceCount;
    json["missing"] = result.sample->unreadable;
    json["milliseconds"] = result.milliseconds;
    return json;
}

/// Text of a tier: "vectorised, avx512".
std::string tierText(RasterTier tier) {
    std::string text(rasterTierName(tier));
    if (tier != RasterTier::vectorised) return text;
    return text + ", " + std::string(runnableRasterInstructions().front());
}

/// The counts of left out faces and of bad views, in parentheses.
std::string remarks(const RenderedSample& sample) {
    std::string text;
    const auto add = [&](std::size_t count, const char* one, const char* many) {
        if (count == 0) return;
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, count == 1 ? one : many);
    };
    add(sample.degenerateFaceCount, "face without area left out", "faces without area left out");
    add(sample.cutOffViewCount, "view cuts the object off", "views cut the object off");
    add(sample.emptyViewCount, "view is empty", "views are empty");
    return text.empty() ? text : "  (" + text + ')';
}

/// A dry run's line for one sample: "chairs/a.obj → data/chairs/a".
std::string planLine(const RenderResult& result) {
    return fmt::format("{} → {}\n", result.mesh.file.string(),
                       result.outcome == RenderResult::Outcome::made
                           ? result.paths.folder.string()
                           : resultName(result) + " is there already");
}

}  // namespace

RenderCounts::RenderCounts(const std::vector<RenderResult>& results) {
    for (const RenderResult& result : results)
        ++(result.outcome == RenderResult::Outcome::made      ? made
           : result.outcome == RenderResult::Outcome::skipped ? skipped
                                                              : failed);
}

std::string renderSummary(const RenderRequest& request, const std::vector<RenderResult>& results,
                          const std::optional<ListCounts>& lists, double milliseconds) {
    const RenderCounts counts(results);
    const std::string skipped =
        fmt::format("{} skipped{}", counts.skipped,
                    counts.skipped > 0 ? " (there already; --overwrite makes them again)" : "");
    if (request.dryRun)
        return fmt::format(
            "dry run, nothing is written: {} to make, {}, {} blocked by other files\n", counts.made,
            skipped, counts.failed);
    std::string text;
    if (results.size() > 1)
        text = fmt::format("{} made, {}, {} failed in {:.1f} s ({:.1f} samples/s)\n", counts.made,
                           skipped, counts.failed, milliseconds / kMillisecondsPerSecond,
                           perSecond(counts.made, milliseconds));
    if (lists)
        text += fmt::format("{}: {} sample{}, {} to train and {} to test with\n",
                            (request.output / "list.txt").string(), lists->all,
                            lists->all == 1 ? "" : "s", lists->train, lists->test);
    return text;
}

nlohmann::ordered_json renderJson(const RenderRequest& request,
                                  const std::vector<RenderResult>& results,
                                  const std::optional<ListCounts>& lists, double milliseconds,
                                  bool cancelled) {
    const RenderCounts counts(results);
    nlohmann::ordered_json json = {{"output", request.output.string()},
                                   {"size", request.options.side},
                                   {"supersampling", kSupersampling},
                                   {"points", request.options.points},
                                   {"seed", request.options.views.seed},
                                   {"dryRun", request.dryRun},
                                   {"made", counts.made},
                                   {"skipped", counts.skipped},
                                   {"failed", counts.failed},
                                   {"cancelled", cancelled},
                                   {"milliseconds", milliseconds},
                                   {"samplesPerSecond", perSecond(counts.made, milliseconds)},
                                   {"peakMemoryMb", peakMemoryMegabytes()}};
    if (lists)
        json["lists"] = {{"all", lists->all}, {"train", lists->train}, {"test", lists->test}};
    json["samples"] =
        jsonArray(results, [](const RenderResult& result) { return sampleJson(result); });
    return json;
}

RenderReporter::RenderReporter(const RenderRequest& request, std::size_t sampleCount)
    : request_(request), sampleCount_(sampleCount), terminal_(::isatty(STDERR_FILENO) == 1) {}

void RenderReporter::report(const RenderResult& result) {
    ++number_;
    if (result.outcome == RenderResult::Outcome::failed) return spdlog::error("{}", result.error);
    if (result.outcome == RenderResult::Outcome::made) ++made_;
    if (result.isOutdated && outdated_++ == 0)
        spdlog::warn(
            "{}: was changed after its sample {} was made, which is kept; --overwrite makes it "
            "again{}",
            result.mesh.file.string(), resultName(result),
            sampleCount_ > 1 ? " (shown for the first such mesh only)" : "");
    if (result.sample) {
        for (const RasterTier tier : result.sample->tiers)
            spdlog::debug("{}: rasteriser: {}", resultName(result), tierText(tier));
        for (const std::string& line : result.sample->unreadable)
            spdlog::warn("{}: {}", result.mesh.file.string(), line);
    }
    const std::string line = request_.dryRun ? planLine(result) : renderLine(result);
    if (!request_.json)
        printText(line);
    else if (terminal_)
        std::fputs(escapeControls(line, "\n").c_str(), stderr);
}

std::string RenderReporter::renderLine(const RenderResult& result) const {
    const std::string name = resultName(result);
    if (result.outcome == RenderResult::Outcome::skipped)
        return sampleCount_ > 1
                   ? ""
                   : name + "  is there already: skipped (--overwrite makes it again)\n";
    std::string line =
        fmt::format("{}  {} views  {} faces  {} points  {:.0f} ms", name, result.sample->viewCount,
                    result.sample->faceCount, request_.options.points, result.milliseconds);
    if (number_ < sampleCount_ && made_ > 0)
        line += remainingTimeText(watch_.milliseconds() / kMillisecondsPerSecond *
                                  static_cast<double>(sampleCount_ - number_) /
                                  static_cast<double>(made_));
    line += remarks(*result.sample) + '\n';
    if (sampleCount_ == 1) return line;
    return fmt::format("[{:{}}/{}] {}", number_, std::to_string(sampleCount_).size(), sampleCount_,
                       line);
}

}  // namespace threefold
