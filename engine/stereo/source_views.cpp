#include "engine/stereo/source_views.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include "engine/order_statistics.h"

namespace threefold::stereo {

std::vector<SourceView> selectSourceViews(std::span<const StereoView> views, std::size_t reference,
                                          const glm::dvec3& centre, std::size_t maxCount) {
    constexpr double kMinDegrees = 6;
    constexpr double kMaxDegrees = 65;
    const auto towards = [&](std::size_t view) {
        return glm::normalize(centre - views[view].projection.centre);
    };
    std::vector<SourceView> sources;
    for (std::size_t i = 0; i < views.size(); ++i) {
        if (i == reference) continue;
        const double cosine = std::clamp(glm::dot(towards(i), towards(reference)), -1.0, 1.0);
        const double degrees = glm::degrees(std::acos(cosine));
        if (degrees >= kMinDegrees && degrees <= kMaxDegrees) sources.push_back({i, degrees});
    }
    std::ranges::stable_sort(sources, {}, &SourceView::angleDegrees);
    if (sources.size() > maxCount) sources.resize(maxCount);
    return sources;
}

double labelSpacingFor(const StereoView& reference, std::span<const float> searchDepths,
                       std::span<const SourceView> sources, double pixels) {
    std::vector<float> depths;
    std::ranges::copy_if(searchDepths, std::back_inserter(depths),
                         [](float depth) { return depth > 0; });
    if (depths.empty() || sources.empty()) return 0;
    const double degrees = sources.size() > 1
                               ? (sources[0].angleDegrees + sources[1].angleDegrees) / 2
                               : sources[0].angleDegrees;
    return pixels * double{upperMedian(std::move(depths))} / reference.projection.focalLength /
           std::sin(glm::radians(degrees));
}

}  // namespace threefold::stereo
