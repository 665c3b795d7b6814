#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/hull/visual_hull.h"
#include "engine/sample/sample.h"

namespace threefold {

/// Limits of FitRequest::vertices.
inline constexpr std::size_t kMinFitVertices = kMinHullVertices;
inline constexpr std::size_t kMaxFitVertices = 200'000;
/// Minimum number of photographs for FitSurface::automatic to try a hull.
inline constexpr std::size_t kMinViewsForHull = 6;

/// The surface that a fit begins with.
enum class FitSurface {
    byDefault,    ///< automatic, as fitRequestFor() says
    network,      ///< fits the refined mesh
    hull,         ///< uses the photographs' hull instead (fitFromHull())
    silhouettes,  ///< that hull without the hollows of the network's mesh
    depth,        ///< that hull, moved to where the photographs agree (depthSurface())
    automatic,    ///< network or hull, by agreement with photographs left out; the hull of
                  ///< the user's photographs as `depth`
};

/// A fit's photographs and options.
struct FitRequest {
    enum class Kind {
        chosen,     ///< the network's views
        all,        ///< all usable views
        number,     ///< `number` views, spread evenly over the usable ones
        byDefault,  ///< settled by fitRequestFor()
    };
    Kind kind = Kind::chosen;
    std::size_t number = 0;
    bool colour = false;  ///< FitOptions::photometric
    FitSurface from = FitSurface::byDefault;
    std::size_t vertices = 0;  ///< SurfaceFitOptions::vertices

    bool operator==(const FitRequest&) const = default;
};

/// Parses "auto" (byDefault), "chosen", "all" or a number of 1 or more, then "+colour"; "+network",
/// "+hull", "+silhouettes", "+depth" or "+auto"; "+10000vertices". Throws UsageError.
FitRequest fitRequestFromName(std::string_view name);
std::string fitRequestName(const FitRequest& request);
/// The same in words: "all photographs, from the network's mesh or their hull".
std::string fitRequestText(const FitRequest& request);
/// "network", "hull", "silhouettes", "depth", "auto"; empty for `byDefault`.
std::string_view surfaceName(FitSurface surface);
FitSurface surfaceFromName(std::string_view name);  ///< Throws UsageError.

/// Whether the sample has at least kMinViewsForHull usable photographs that are no renderings:
/// enough for a better mesh than the network's.
bool hasPhotographsToFit(const Sample& sample);

/// Resolves the `byDefault` choices of a fit for one sample; nullopt: no fit. If
/// hasPhotographsToFit(), a default `kind` becomes `all`, and 0 vertices become kHullVertices.
/// Otherwise a default `kind` means no fit without colour and with a default `from`; else it
/// becomes `chosen` for a default or network `from`, and `all` for others. A default `from` becomes
/// `automatic`, with kHullVertices in place of 0 where `all` or `number` are kMinViewsForHull to 12
/// views: these leave more to the network's fitted mesh, whose hollows are then as fine as a hull.
std::optional<FitRequest> fitRequestFor(const Sample& sample, FitRequest request);

/// The views of a fit whose `kind` is not byDefault: the chosen ones in their order, others
/// ascending. `all` and `number` skip views without an image or with an unusable camera.
std::vector<int> viewsToFit(const Sample& sample, std::span<const int> chosen,
                            const FitRequest& request);

/// Whether a fit may move the hull to where the photographs agree: with `depth`, and with
/// `automatic` for the user's photographs. Renderings are small, and their thin parts are thinner
/// than depths resolve.
bool mayUseDepth(const Sample& sample, FitSurface from);

/// Whether a fit compares colours or computes depths, so that loadMaskedViews() must keep the
/// photographs.
bool needsPhotographs(const Sample& sample, const FitRequest& request);

}  // namespace threefold
