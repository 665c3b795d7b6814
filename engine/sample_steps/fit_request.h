#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/hull/visual_hull.h"
#include "engine/sample/sample.h"
#include "engine/sample_steps/fit_source.h"

namespace threefold {

/// Limits of ResolvedFit::vertices, unless it is 0.
inline constexpr std::size_t kMinFitVertices = kMinHullVertices;
inline constexpr std::size_t kMaxFitVertices = 200'000;
/// Minimum number of photographs for FitSource::automatic to try a hull.
inline constexpr std::size_t kMinViewsForHull = 6;

/// The photographs of a fit.
struct FitViews {
    enum class Kind {
        chosen,  ///< the network's views
        all,     ///< all usable views
        count,   ///< `count` views, spread evenly over the usable ones
    };
    Kind kind = Kind::chosen;
    std::size_t count = 0;  ///< 0 unless `kind` is Kind::count

    bool operator==(const FitViews&) const = default;
};

/// A fit's photographs and options, as requested. resolveFit() decides on unset members.
struct FitRequest {
    std::optional<FitViews> views = {};
    bool photometric = false;  ///< FitOptions::photometric
    std::optional<FitSource> source = {};
    std::optional<std::size_t> vertices = {};  ///< kMinFitVertices to kMaxFitVertices

    bool operator==(const FitRequest&) const = default;
};

/// A fit's photographs and options for one sample.
struct ResolvedFit {
    FitViews views = {};
    bool photometric = false;  ///< FitOptions::photometric
    FitSource source = FitSource::network;
    /// Vertices of the fitted mesh. 0: as many as the refined mesh has, kDefaultHullVertices for a
    /// hull.
    std::size_t vertices = 0;

    /// The request with these values; 0 vertices become unset.
    FitRequest request() const;
};

/// Parses VIEWS[+colour][+SOURCE][+Nvertices], for example "all+hull+10000vertices". VIEWS: auto
/// (`views` unset), chosen, all, or a number of 1 or more; SOURCE: as fitSourceName(). Throws
/// UsageError.
FitRequest fitRequestFromName(std::string_view name);
std::string fitRequestName(const FitRequest& request);
/// The request in words: "all photographs, from the network's mesh or their hull".
std::string fitRequestText(const FitRequest& request);

/// Whether the sample has at least kMinViewsForHull usable photographs that are no renderings:
/// enough for a better mesh than the network's.
bool hasEnoughPhotosForHull(const Sample& sample);

/// Resolves a request for one sample; nullopt: no fit. Keeps the values that the request sets; an
/// unset source is `automatic`. kFitRules (fit_rules.h) decides on views and vertices: enough
/// photographs are all fitted, by a finer mesh; otherwise there is a fit only if requested, of the
/// network's views unless the source is made from photographs.
std::optional<ResolvedFit> resolveFit(const Sample& sample, const FitRequest& request);

/// The views of a fit: `chosen` in the given order, other views in ascending order. `all` and
/// `count` skip views without an image or with an unusable camera.
std::vector<int> viewsToFit(const Sample& sample, std::span<const int> chosen,
                            const FitViews& views);

/// Whether a fit may move the hull to where the photographs agree: with `depth`, and with
/// `automatic` for posed photographs. Renderings are small, and their thin parts are thinner
/// than depths resolve.
bool mayUseDepth(const Sample& sample, FitSource source);

/// Whether a fit compares colours or computes depths, so that loadMaskedViews() must keep the
/// photographs.
bool needsPhotographs(const Sample& sample, const ResolvedFit& fit);

}  // namespace threefold
