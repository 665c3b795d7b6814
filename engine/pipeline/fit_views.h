#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "engine/fitting/fit_mesh.h"
#include "engine/formats/pictures/image.h"
#include "engine/hull/visual_hull.h"
#include "engine/sample/sample.h"

namespace threefold {

/// Bounds of the settings of a fit.
inline constexpr std::size_t kFewestVertices = kFewestHullVertices;
inline constexpr std::size_t kMostVertices = 200'000;
/// Least number of photographs for FitViews::From::automatic to look for a hull.
inline constexpr std::size_t kFewestForHull = 6;

/// Which of a sample's photographs a fit uses, and how.
struct FitViews {
    enum class Kind {
        chosen,     ///< the network's views
        all,        ///< every one that can be used
        number,     ///< `number` views, spread evenly over the usable ones
        byDefault,  ///< settled by fitViewsFor()
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

    bool operator==(const FitViews&) const = default;
};

/// "auto" (byDefault), "chosen", "all", or a number of 1 or more; after it "+colour"; "+network",
/// "+hull", "+silhouettes", "+depth" or "+auto"; "+10000vertices". Throws UsageError.
FitViews fitViewsFromName(std::string_view name);
std::string fitViewsName(const FitViews& views);
/// "network", "hull", "silhouettes", "depth", "auto"; empty of `byDefault`.
std::string_view surfaceName(FitViews::From surface);

/// Whether the sample has kFewestForHull usable photographs of one's own, or more: enough for a
/// better mesh than the network's.
bool hasPhotographsToFit(const Sample& sample);

/// Settles the `byDefault` choices of a fit for one sample; none: no fit. A default `kind` becomes
/// `all`, with kHullVertices if no number is given, where hasPhotographsToFit(). Elsewhere, without
/// colour and with a default `from`, there is no fit; otherwise `kind` becomes `chosen` for a
/// default or network surface, else `all`. A default `from` becomes `automatic` for posed
/// photographs and stays for renderings.
std::optional<FitViews> fitViewsFor(const Sample& sample, FitViews views);

/// The views of a fit, not `byDefault`, ascending but for the chosen ones, which come in their
/// order. Views without an image or whose camera cannot be used are none of `all` and `number`.
std::vector<int> viewsToFit(const Sample& sample, std::span<const int> chosen,
                            const FitViews& views);

/// Reads the views' masks at the photographs' resolution (objectView()), on several threads. A view
/// that cannot be read gets its `problem`. `keepPhotographs`: for FitOptions::colour. Throws as
/// readImage() where none can be read, and Cancelled.
std::vector<FitView> loadFitViews(const Sample& sample, std::span<const int> views,
                                  const ViewReader& read, const std::stop_token& cancel,
                                  bool keepPhotographs = false);

/// Whether a fit compares colours, so that loadFitViews() has to keep the photographs.
bool needsPhotographs(const Sample& sample, const FitViews& views);

/// Those that were not left out.
std::vector<FitView> usedPhotographs(std::span<const FitView> views, const FitResult& fit);

}  // namespace threefold
