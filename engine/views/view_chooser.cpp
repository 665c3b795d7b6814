#include "engine/views/view_chooser.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

namespace threefold {
namespace {

constexpr double kAzimuthWeight = 0.5;
constexpr double kAreaWeight = 0.5;

/// Fraction of the image that the silhouette covers, scaled to distance 1; 0: unknown.
double areaOf(const ViewCandidate& candidate) {
    if (!candidate.mask || candidate.mask->inside.empty()) return 0;
    const std::vector<std::uint8_t>& inside = candidate.mask->inside;
    const double fraction =
        std::accumulate(inside.begin(), inside.end(), 0.0) / static_cast<double>(inside.size());
    const double apparentDistance =
        candidate.camera.distance / Camera::fromRow(candidate.camera).zoom;
    return fraction * apparentDistance * apparentDistance;
}

}  // namespace

ViewChooser::ViewChooser(std::span<const ViewCandidate> candidates) {
    std::vector<const ViewCandidate*> chosen;
    const std::size_t count = std::min(candidates.size(), kMaxCandidates);
    for (std::size_t i = 0; i < count; ++i)
        chosen.push_back(&candidates[i * candidates.size() / count]);
    std::ranges::sort(chosen, {}, &ViewCandidate::view);
    double largest = 0;
    for (const ViewCandidate* candidate : chosen) {
        views_.push_back(candidate->view);
        areas_.push_back(areaOf(*candidate));
        largest = std::max(largest, areas_.back());
    }
    for (double& area : areas_) area = area > 0 ? area / largest : 1;
    for (const ViewCandidate* one : chosen)
        for (const ViewCandidate* other : chosen)
            pairs_.push_back(
                {angleBetween(one->camera, other->camera),
                 std::abs(std::sin(glm::radians(one->camera.azimuth - other->camera.azimuth)))});
}

double ViewChooser::scoreOf(std::size_t a, std::size_t b, std::size_t c) const {
    const ViewPair& first = pair(a, b);
    const ViewPair& second = pair(a, c);
    const ViewPair& third = pair(b, c);
    const double smallestAngle =
        std::min({first.angle, second.angle, third.angle, kSufficientAngleDegrees});
    const double meanAbsSin =
        (first.absSinAzimuth + second.absSinAzimuth + third.absSinAzimuth) / 3;
    const double area = (areas_[a] + areas_[b] + areas_[c]) / 3;
    return smallestAngle / kSufficientAngleDegrees + kAzimuthWeight * meanAbsSin -
           kAreaWeight * area;
}

std::vector<ViewChooser::ViewTriple> ViewChooser::ranked() const {
    std::vector<ViewTriple> choices;
    for (std::size_t a = 0; a < views_.size(); ++a)
        for (std::size_t b = a + 1; b < views_.size(); ++b)
            for (std::size_t c = b + 1; c < views_.size(); ++c)
                choices.push_back({a, b, c, scoreOf(a, b, c)});
    std::ranges::stable_sort(choices, std::ranges::greater(), &ViewTriple::score);
    return choices;
}

std::vector<int> ViewChooser::viewsOf(const ViewTriple& choice) const {
    return {views_[choice.a], views_[choice.b], views_[choice.c]};
}

std::vector<int> ViewChooser::best() const {
    const std::vector<ViewTriple> choices = ranked();
    return choices.empty() ? views_ : viewsOf(choices.front());
}

std::vector<std::vector<int>> ViewChooser::rankedChoices(std::size_t maxChoices) const {
    const std::vector<ViewTriple> candidates = ranked();
    std::vector<std::vector<int>> choices;
    std::vector<bool> taken(candidates.size());
    const auto take = [&](std::size_t i) {
        if (taken[i] || choices.size() >= maxChoices) return;
        taken[i] = true;
        choices.push_back(viewsOf(candidates[i]));
    };
    if (!candidates.empty()) take(0);
    while (choices.size() < std::min(maxChoices, candidates.size()))
        for (std::size_t view = 0; view < views_.size(); ++view)
            for (std::size_t i = 0; i < candidates.size(); ++i) {
                const ViewTriple& choice = candidates[i];
                if (taken[i] || (choice.a != view && choice.b != view && choice.c != view))
                    continue;
                take(i);
                break;
            }
    return choices;
}

double angleBetween(const CameraRow& one, const CameraRow& other) {
    const glm::dvec3 a = glm::normalize(Camera::fromRow(one).centre);
    const glm::dvec3 b = glm::normalize(Camera::fromRow(other).centre);
    // Exact for small angles too, where the cosine alone is not.
    return std::atan2(glm::length(glm::cross(a, b)), glm::dot(a, b)) * 180 / std::numbers::pi;
}

std::optional<SimilarView> findTooSimilarView(std::span<const CameraRow> chosen,
                                              std::size_t index) {
    std::optional<SimilarView> nearest;
    for (std::size_t other = 0; other < chosen.size(); ++other) {
        if (other == index) continue;
        const double angle = angleBetween(chosen[index], chosen[other]);
        if (angle < (nearest ? nearest->angle : kMinViewAngleDegrees)) nearest = {other, angle};
    }
    return nearest;
}

}  // namespace threefold
