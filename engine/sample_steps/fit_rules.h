#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>

#include "engine/sample_steps/fit_request.h"

namespace threefold {

/// A fit's request and sample, as far as they choose a rule. In a rule, a member without a value
/// stands for any.
struct FitCase {
    enum class Views { unset, chosen, allOrCount };
    /// Source of the request; a request without one may ask for colours.
    enum class Source { unset, unsetWithColours, network, automatic, photographs };

    std::optional<Views> views = {};
    std::optional<bool> hasEnoughPhotos = {};  ///< hasEnoughPhotosForHull()
    std::optional<Source> source = {};
};

/// A rule of resolveFit(): views and vertices of the fit in some cases.
struct FitRule {
    enum class Views { none, requested, chosen, all };  ///< `none`: no fit
    /// ResolvedFit::vertices if the request has none: 0, kDefaultHullVertices, or by the number of
    /// photographs kDefaultHullVertices for kMinViewsForHull to kMaxViewsForFineMesh and else 0.
    enum class Vertices { zero, fine, byNumber };

    FitCase when;
    Views views;
    Vertices vertices;
};

/// Maximum number of photographs for which hollows of a finer fitted mesh improve the hull
/// (METHOD.md §7b, 5). Mean F(τ) of 13 samples: with 8 photographs 83.5 instead of 82.6; with 24
/// photographs 87.5 instead of 87.6, where a boat loses 2.4.
inline constexpr std::size_t kMaxViewsForFineMesh = 12;

/// The rules of resolveFit(). The first that matches decides; every case has one.
inline constexpr auto kFitRules = [] {
    using Views = FitCase::Views;
    using Source = FitCase::Source;
    using enum FitRule::Views;
    using enum FitRule::Vertices;
    constexpr std::nullopt_t kAny = std::nullopt;
    // clang-format off
    return std::array<FitRule, 10>{{
        // views of the request, enough photographs, source       views      vertices
        {{Views::unset,      true,  kAny},                        all,       fine},
        {{Views::unset,      false, Source::unset},               none,      zero},
        {{Views::unset,      false, Source::unsetWithColours},    chosen,    zero},
        {{Views::unset,      false, Source::network},             chosen,    zero},
        {{Views::unset,      false, Source::automatic},           all,       byNumber},
        {{Views::unset,      false, Source::photographs},         all,       zero},
        {{Views::chosen,     kAny,  kAny},                        requested, zero},
        {{Views::allOrCount, kAny,  Source::network},             requested, zero},
        {{Views::allOrCount, kAny,  Source::photographs},         requested, zero},
        {{Views::allOrCount, kAny,  kAny},                        requested, byNumber},
    }};
    // clang-format on
}();

/// Whether a rule's case includes `actual`, whose members have values.
constexpr bool matches(const FitCase& rule, const FitCase& actual) {
    return (!rule.views || rule.views == actual.views) &&
           (!rule.hasEnoughPhotos || rule.hasEnoughPhotos == actual.hasEnoughPhotos) &&
           (!rule.source || rule.source == actual.source);
}

/// The first of kFitRules that matches.
constexpr const FitRule& fitRuleFor(const FitCase& actual) {
    return *std::ranges::find_if(kFitRules,
                                 [&](const FitRule& rule) { return matches(rule.when, actual); });
}

}  // namespace threefold
