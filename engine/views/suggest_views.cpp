#include "engine/views/suggest_views.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include <glm/geometric.hpp>

namespace threefold {
namespace {

constexpr double kSideways = 0.5;
constexpr double kArea = 0.5;

/// Share of the image, as seen from distance 1; 0: unknown.
double areaOf(const ViewCandidate& candidate) {
    if (!candidate.mask || candidate.mask->inside.empty()) return 0;
    const std::vector<std::uint8_t>& inside = candidate.mask->inside;
    const double share =
        std::accumulate(inside.begin(), inside.end(), 0.0) / static_cast<double>(inside.size());
    const double shownFrom = candidate.camera.distance / Camera::fromRow(candidate.camera).zoom;
    return share * shownFrom * shownFrom;
}

}  // namespace

ViewChooser::ViewChooser(std::span<const ViewCandidate> candidates) {
    std::vector<const ViewCandidate*> used;
    const std::size_t count = std::min(candidates.size(), kMostCandidates);
    for (std::size_t i = 0; i < count; ++i)
        used.push_back(&candidates[i * candidates.size() / count]);
    std::ranges::sort(used, {}, &ViewCandidate::view);
    double largest = 0;
    for (const ViewCandidate* candidate : used) {
        views_.push_back(candidate->view);
        areas_.push_back(areaOf(*candidate));
        largest = std::max(largest, areas_.back());
    }
    for (double& area : areas_) area = area > 0 ? area / largest : 1;
    constexpr double kRadians = std::numbers::pi / 180;
    for (const ViewCandidate* one : used)
        for (const ViewCandidate* other : used)
            pairs_.push_back(
                {angleBetween(one->camera, other->camera),
                 std::abs(std::sin((one->camera.azimuth - other->camera.azimuth) * kRadians))});
}

double ViewChooser::scoreOf(std::size_t a, std::size_t b, std::size_t c) const {
    const Pair& first = pair(a, b);
    const Pair& second = pair(a, c);
    const Pair& third = pair(b, c);
    const double least = std::min({first.angle, second.angle, third.angle, kEnoughAngle});
    const double sideways = (first.sideways + second.sideways + third.sideways) / 3;
    const double area = (areas_[a] + areas_[b] + areas_[c]) / 3;
    return least / kEnoughAngle + kSideways * sideways - kArea * area;
}

std::vector<ViewChooser::Choice> ViewChooser::ranked() const {
    std::vector<Choice> all;
    for (std::size_t a = 0; a < views_.size(); ++a)
        for (std::size_t b = a + 1; b < views_.size(); ++b)
            for (std::size_t c = b + 1; c < views_.size(); ++c)
                all.push_back({a, b, c, scoreOf(a, b, c)});
    std::ranges::stable_sort(all, std::ranges::greater(), &Choice::score);
    return all;
}

std::vector<int> ViewChooser::viewsOf(const Choice& choice) const {
    return {views_[choice.a], views_[choice.b], views_[choice.c]};
}

std::vector<int> ViewChooser::best() const {
    const std::vector<Choice> all = ranked();
    return all.empty() ? views_ : viewsOf(all.front());
}

std::vector<std::vector<int>> ViewChooser::worthTrying(std::size_t most) const {
    const std::vector<Choice> all = ranked();
    std::vector<std::vector<int>> choices;
    std::vector<bool> taken(all.size());
    const auto take = [&](std::size_t i) {
        if (taken[i] || choices.size() >= most) return;
        taken[i] = true;
        choices.push_back(viewsOf(all[i]));
    };
    if (!all.empty()) take(0);
    while (choices.size() < std::min(most, all.size()))
        for (std::size_t view = 0; view < views_.size(); ++view)
            for (std::size_t i = 0; i < all.size(); ++i) {
                const Choice& choice = all[i];
                if (taken[i] || (choice.a != view && choice.b != view && choice.c != view))
                    continue;
                take(i);
                break;
            }
    return choices;
}

double angleBetween(const CameraRow& one, const CameraRow& other) {
    const glm::dvec3 a = glm::normalize(Camera::fromRow(one).origin);
    const glm::dvec3 b = glm::normalize(Camera::fromRow(other).origin);
    // Exact for small angles too, where the cosine alone is not.
    return std::atan2(glm::length(glm::cross(a, b)), glm::dot(a, b)) * 180 / std::numbers::pi;
}

std::optional<SimilarView> tooSimilar(std::span<const CameraRow> chosen, std::size_t place) {
    std::optional<SimilarView> nearest;
    for (std::size_t other = 0; other < chosen.size(); ++other) {
        if (other == place) continue;
        const double angle = angleBetween(chosen[place], chosen[other]);
        if (angle < (nearest ? nearest->angle : kTooSimilar)) nearest = {other, angle};
    }
    return nearest;
}

}  // namespace threefold
