#include "engine/stereo/depth_maps.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>

#include "engine/compute/parallel.h"
#include "engine/raster/camera_depths.h"

namespace threefold::stereo {
namespace {

/// Makes the depth map of each view. The referenced objects must outlive it.
class Matcher {
  public:
    Matcher(std::span<const StereoView> views, const Mesh& surface,
            const StereoMatchOptions& options, const simd::SweepKernels& kernels,
            const std::stop_token& cancel)
        : views_(views),
          packed_(packedPictures(views)),
          surface_(surface),
          options_(options),
          kernels_(kernels),
          cancel_(cancel) {
        const Box3f bounds = boundsOf(surface.vertices);
        centre_ = (glm::dvec3(bounds.min) + glm::dvec3(bounds.max)) / 2.0;
    }

    DepthMap depthMap(std::size_t reference) const;

  private:
    std::span<const StereoView> views_;
    std::vector<std::vector<std::uint32_t>> packed_;
    const Mesh& surface_;
    glm::dvec3 centre_;
    const StereoMatchOptions& options_;
    const simd::SweepKernels& kernels_;
    const std::stop_token& cancel_;
};

DepthMap Matcher::depthMap(std::size_t reference) const {
    const StereoView& view = views_[reference];
    DepthMap map;
    map.searchDepth = cameraDepths(surface_, view.camera, view.side, cancel_);
    for (std::size_t i = 0; i < map.searchDepth.size(); ++i)
        if (view.mask[i] == 0) map.searchDepth[i] = 0;
    const std::vector<SourceView> sources =
        selectSourceViews(views_, reference, centre_, options_.maxSources);
    const double labelSpacing =
        labelSpacingFor(view, map.searchDepth, sources, options_.sweep.labelParallaxPixels);
    map.labelSpacing = static_cast<float>(labelSpacing);
    map.depth.resize(map.searchDepth.size());
    if (labelSpacing <= 0) {
        map.score = map.margin = map.depth;
        return map;
    }
    const double maxSearchDepthStep = 4 * labelSpacing;
    const CostVolume costs = sweep({.views = views_,
                                    .packed = packed_,
                                    .reference = reference,
                                    .searchDepths = map.searchDepth,
                                    .sources = sources,
                                    .labelSpacing = labelSpacing},
                                   options_.sweep, kernels_, cancel_);
    Labelling labels = semiGlobalMatching(costs, map.searchDepth, maxSearchDepthStep,
                                          options_.smoothness, kernels_, cancel_);
    for (std::size_t i = 0; i < map.depth.size(); ++i)
        if (labels.label[i] >= 0)
            map.depth[i] = map.searchDepth[i] +
                           (labels.label[i] + static_cast<float>(options_.sweep.firstLabel)) *
                               map.labelSpacing;
    map.score = std::move(labels.score);
    map.margin = std::move(labels.margin);
    return map;
}

ViewSupport viewSupport(std::size_t reference, std::span<const StereoView> views,
                        std::span<const DepthMap> maps) {
    // Label spacings beyond which the other view sees through the point.
    constexpr double kSeesThrough = 3;
    const StereoView& view = views[reference];
    const DepthMap& map = maps[reference];
    ViewSupport result{std::vector<std::uint16_t>(map.depth.size()),
                       std::vector<std::uint16_t>(map.depth.size())};
    for (int row = 0; row < view.side; ++row)
        for (int column = 0; column < view.side; ++column) {
            const std::size_t pixel = view.pixelIndex(column, row);
            if (!(map.depth[pixel] > 0)) continue;
            const glm::dvec3 point = view.projection.pointAt(column, row, map.depth[pixel]);
            for (std::size_t j = 0; j < views.size(); ++j) {
                if (j == reference) continue;
                const StereoView& other = views[j];
                const std::optional<ViewPixel> seen = other.pixelAt(point);
                if (!seen) continue;
                const auto [x, y, seenDepth] = *seen;
                double nearest = 0;
                for (int v = std::max(0, y - 1); v <= std::min(other.side - 1, y + 1); ++v)
                    for (int u = std::max(0, x - 1); u <= std::min(other.side - 1, x + 1); ++u) {
                        const double depth = maps[j].depth[other.pixelIndex(u, v)];
                        if (depth > 0 && (nearest == 0 || std::abs(depth - seenDepth) <
                                                              std::abs(nearest - seenDepth)))
                            nearest = depth;
                    }
                if (nearest == 0) continue;
                if (std::abs(nearest - seenDepth) < map.labelSpacing)
                    ++result.supportingCount[pixel];
                else if (nearest > seenDepth + kSeesThrough * map.labelSpacing)
                    ++result.freeSpaceViolationCount[pixel];
            }
        }
    return result;
}

}  // namespace

std::vector<DepthMap> depthMaps(
    std::span<const StereoView> views, const Mesh& surface, const StereoMatchOptions& options,
    const simd::SweepKernels& kernels, int threads, const std::stop_token& cancel,
    const std::function<void(std::size_t view, const DepthMap& map)>& onMap) {
    const Matcher matcher(views, surface, options, kernels, cancel);
    std::vector<DepthMap> maps(views.size());
    std::mutex callMutex;
    parallelFor(threads, views.size(), cancel, [&](std::size_t i, std::size_t /*thread*/) {
        maps[i] = matcher.depthMap(i);
        if (!onMap) return;
        const std::scoped_lock lock(callMutex);
        onMap(i, maps[i]);
    });
    return maps;
}

std::vector<ViewSupport> viewSupports(std::span<const StereoView> views,
                                      std::span<const DepthMap> maps, int threads,
                                      const std::stop_token& cancel) {
    std::vector<ViewSupport> support(maps.size());
    parallelFor(threads, maps.size(), cancel, [&](std::size_t i, std::size_t /*thread*/) {
        support[i] = viewSupport(i, views, maps);
    });
    return support;
}

}  // namespace threefold::stereo
