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

/// Bounds of the settings of a fit.
inline constexpr std::size_t kFewestVertices = kFewestHullVertices;
inline constexpr std::size_t kMostVertices = 200'000;
/// Least number of photographs for FitRequest::From::automatic to look for a hull.
inline constexpr std::size_t kFewestForHull = 6;

/// Which of a sample's photographs a fit uses, and how.
struct FitRequest {
    enum class Kind {
        chosen,     ///< the network's views
        all,        ///< every one that can be used
        number,     ///< `number` views, spread evenly over the usable ones
        byDefault,  ///< settled by fitRequestFor()
    };
    Kind kind = Kind::chosen;
    std::size_t number = 0;
    bool colour = false;  ///< FitOptions::colour
    enum class From {
        byDefault,    ///< automatic for one's own photographs, network for renderings
        network,      ///< the refined mesh is fitted
        hull,         ///< the photographs' hull takes its place (fitFromHull())
        silhouettes,  ///< that hull without the hollows that the network's mesh shows
        depth,        ///< that hull, moved to where the photographs agree (depthSurface())
        automatic,    ///< whichever agrees better with photographs left out
    };
    From from = From::byDefault;
    std::size_t vertices = 0;  ///< FitOptions::vertices

    bool operator==(const FitRequest&) const = default;
};

/// "auto" (byDefault), "chosen", "all", or a number of 1 or more; after it "+colour"; "+network",
/// "+hull", "+silhouettes", "+depth" or "+auto"; "+10000vertices". Throws UsageError.
FitRequest fitRequestFromName(std::string_view name);
std::string fitRequestName(const FitRequest& views);
/// "network", "hull", "silhouettes", "depth", "auto"; empty of `byDefault`.
std::string_view surfaceName(FitRequest::From surface);

/// Whether the sample has kFewestForHull usable photographs of one's own, or more: enough for a
/// better mesh than the network's.
bool hasPhotographsToFit(const Sample& sample);

/// Settles the `byDefault` choices of a fit for one sample; none: no fit. A default `kind` becomes
/// `all`, with kHullVertices if no number is given, where hasPhotographsToFit(). Elsewhere, without
/// colour and with a default `from`, there is no fit; otherwise `kind` becomes `chosen` for a
/// default or network surface, else `all`. A default `from` becomes `automatic` for posed
/// photographs and stays for renderings.
std::optional<FitRequest> fitRequestFor(const Sample& sample, FitRequest views);

/// The views of a fit, not `byDefault`, ascending but for the chosen ones, which come in their
/// order. Views without an image or whose camera cannot be used are none of `all` and `number`.
std::vector<int> viewsToFit(const Sample& sample, std::span<const int> chosen,
                            const FitRequest& views);

/// Whether a fit compares colours or looks for depths, so that loadMaskedViews() has to keep the
/// photographs.
bool needsPhotographs(const Sample& sample, const FitRequest& views);

}  // namespace threefold
