#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>

#include "engine/evaluation/report/summary.h"

namespace threefold {

/// Published means of one category (METHOD.md §9), from other weights and other data. Shown beside
/// a run's means under the published protocol at τ = 1e-4, never as the run's own.
struct PublishedMeans {
    double chamfer;      ///< object units²
    double fScoreAtTau;  ///< %
    double fScoreAtTwoTau;

    /// The mean of the measure with this key; nullopt except for kPublishedKeys.
    std::optional<double> of(std::string_view key) const;
};
inline constexpr std::array<std::string_view, 3> kPublishedKeys = {"chamfer", "f_tau", "f_2tau"};
/// Published means of a category; nullopt except for the six published ones.
std::optional<PublishedMeans> publishedMeans(std::string_view category);
/// Published means over all six categories, 1023 samples; nullopt unless `categories` are exactly
/// these.
std::optional<PublishedMeans> publishedMeans(std::span<const GroupSummary> categories);
/// Label that must accompany published numbers.
inline constexpr std::string_view kPublishedLabel =
    "published: means of the method's authors' weights over their 1023 samples of six categories "
    "(METHOD.md §9), not of this run's model or data";

}  // namespace threefold
