#include "engine/evaluation/report/published_means.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace threefold {
namespace {

using PublishedCategory = std::pair<std::string_view, PublishedMeans>;
constexpr std::array<PublishedCategory, 6> kPublished{{
    {"02691156", {.225e-3, 82.36, 90.24}},
    {"02958343", {.256e-3, 66.22, 82.42}},
    {"03001627", {.402e-3, 61.26, 77.25}},
    {"03636649", {.567e-3, 65.13, 77.40}},
    {"03691459", {.581e-3, 54.58, 72.01}},
    {"04379243", {.402e-3, 69.85, 83.03}},
}};
constexpr PublishedMeans kPublishedAll{4.036e-4, 66.64, 80.45};

}  // namespace

std::optional<double> PublishedMeans::of(std::string_view key) const {
    const std::array values = {chamfer, fScoreAtTau, fScoreAtTwoTau};
    const auto* const found = std::ranges::find(kPublishedKeys, key);
    if (found == kPublishedKeys.end()) return std::nullopt;
    return values[static_cast<std::size_t>(found - kPublishedKeys.begin())];
}

std::optional<PublishedMeans> publishedMeans(std::string_view category) {
    const auto* const found = std::ranges::find(kPublished, category, &PublishedCategory::first);
    return found == kPublished.end() ? std::nullopt : std::optional(found->second);
}

std::optional<PublishedMeans> publishedMeans(std::span<const GroupSummary> categories) {
    const bool same = std::ranges::equal(categories, kPublished, {}, &GroupSummary::category,
                                         &PublishedCategory::first);
    return same ? std::optional(kPublishedAll) : std::nullopt;
}

}  // namespace threefold
