#pragma once

#include <array>
#include <string_view>
#include <utility>

namespace threefold {

/// The mesh that a fit takes as its surface.
enum class FitSource {
    network,             ///< fits the refined mesh
    hull,                ///< uses the photographs' hull instead (fitFromHull())
    hullWithoutHollows,  ///< that hull without the hollows of the network's mesh
    depth,               ///< that hull, moved to where the photographs agree (depthSurface())
    /// Chooses network or hull by agreement with photographs left out; moves the hull of posed
    /// photographs as `depth` does.
    automatic,
};

/// Every source with its name, as in requests, journals and reports.
inline constexpr std::array kFitSourceNames = {
    std::pair<std::string_view, FitSource>{"network", FitSource::network},
    std::pair<std::string_view, FitSource>{"hull", FitSource::hull},
    std::pair<std::string_view, FitSource>{"silhouettes", FitSource::hullWithoutHollows},
    std::pair<std::string_view, FitSource>{"depth", FitSource::depth},
    std::pair<std::string_view, FitSource>{"auto", FitSource::automatic},
};

std::string_view fitSourceName(FitSource source);
FitSource fitSourceFromName(std::string_view name);  ///< Throws UsageError.

}  // namespace threefold
