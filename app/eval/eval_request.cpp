#include "app/eval/eval_request.h"

#include <algorithm>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "app/options/fit_options.h"
#include "engine/error.h"
#include "engine/formats/files/file_bytes.h"

namespace threefold {
namespace {

void requireFolder(const char* flag, const std::filesystem::path& folder) {
    if (folder.empty() || isFolder(folder)) return;
    throw InputError(
        {folder.string(), "", "is not a folder", fmt::format("Name one with {}.", flag)});
}

/// Whether hasEnoughPhotosForHull() holds for all samples; false if one of them cannot be read.
bool allHavePhotographsToFit(const EvaluationList& list) try {
    return std::ranges::all_of(list.entries, [](const ListEntry& entry) {
        return entry.problem.empty() && mayBePhotographs(entry.location) &&
               hasEnoughPhotosForHull(findSample(entry.location));
    });
} catch (const Error&) {
    return false;  // the run reports the sample
}

}  // namespace

void requireRoots(const EvalSources& sources) {
    requireFolder("--images", sources.imageRoot);
    requireFolder("--gt", sources.truthRoot);
}

void requireImages(const EvaluationList& list, const std::filesystem::path& imageRoot) {
    if (!imageRoot.empty() || !list.imageRoot.empty()) return;
    const auto isName = [](const ListEntry& entry) {
        return entry.location.extension() == ".dat" && !pathExists(entry.location);
    };
    if (!std::ranges::all_of(list.entries, isName)) return;
    throw UsageError({list.source, "",
                      fmt::format("holds names, such as '{}', and --images does not say where "
                                  "their images are",
                                  list.entries.front().listedName),
                      "Add --images with the ShapeNetRendering folder that holds them."});
}

void resolveFit(EvalRequest& request, const EvaluationList& list) {
    std::optional<FitRequest>& fit = request.choices.fit;
    if (fit) {
        const bool unasked = isDefaultFit(*fit);
        const bool photographs = !fit->views && allHavePhotographsToFit(list);
        const std::optional<ResolvedFit> resolved =
            resolveFit(photographs ? findSample(list.entries.front().location) : Sample{}, *fit);
        fit = resolved ? std::optional(resolved->request()) : std::nullopt;
        if (unasked && resolved)
            spdlog::warn("{}: {}", list.source,
                         defaultFitNote("photographs of a sample", resolved->vertices));
    }
    requireFit(fit, request.vertices);
}

void chooseMeasureDevice(EvalRequest& request, bool onGpu) {
    if (request.script.chamferCuda)
        request.measureOn = onGpu ? MeasuringDevice::gpu : MeasuringDevice::processor;
    if (request.measureOn == MeasuringDevice::gpu && !onGpu)
        throw UsageError({"--measure-on", "gpu", "the network runs on the processor",
                          "Use --measure-on auto, or --backend cuda where there is a GPU."});
    request.choices.measureOnDevice = request.measureOn != MeasuringDevice::processor;
}

ListRunOptions runOptions(const EvalRequest& request, bool onGpu) {
    ListRunOptions options;
    options.imageRoot = request.sources.imageRoot;
    options.truthRoot = request.sources.truthRoot;
    options.writeMeshes = request.output.meshes;
    options.pipeline = request.pipeline;
    options.pipeline.usesGpu = onGpu;
    if (request.timedBatches == TimedBatches::all) options.pipeline.timedBatchInterval = 1;
    if (request.timedBatches == TimedBatches::none) options.pipeline.timedBatchInterval = 0;
    return options;
}

}  // namespace threefold
