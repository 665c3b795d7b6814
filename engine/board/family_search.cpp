#include "engine/board/family_search.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace threefold::board {

namespace {

/// Markers of one family in each photograph.
using Markers = std::vector<std::vector<Marker>>;

/// Ids of one family that several photographs show.
struct SharedIds {
    std::map<int, std::size_t> sightings;  ///< number of photographs by id, two or more
    std::size_t sightingCount = 0;         ///< sum of `sightings`
    std::size_t markerCount = 0;           ///< detected markers, also those of other ids
};

SharedIds sharedIdsOf(const Markers& photographs) {
    SharedIds shared;
    for (const std::vector<Marker>& markers : photographs) {
        shared.markerCount += markers.size();
        for (const Marker& marker : markers) ++shared.sightings[marker.id];
    }
    std::erase_if(shared.sightings, [](const auto& each) { return each.second < 2; });
    for (const auto& [id, count] : shared.sightings) shared.sightingCount += count;
    return shared;
}

std::size_t minIdCount(const MarkerFamily& family) {
    constexpr std::size_t kMinIds = 2, kMinIdsOfFewBits = 4;
    constexpr int kFewBits = 4;  // bits along a side
    return family.bitsPerSide <= kFewBits ? kMinIdsOfFewBits : kMinIds;
}

/// Whether a sheet shows these ids rather than textures: most markers have a shared id, or half of
/// the photographs show the same ids. Of a thousand markers of 16 bits, ten appear by chance in a
/// photograph of fur or foliage, and a few of these in a second photograph (12 of 70 markers of a
/// plush toy in six photographs, 12 of 41 in a room).
bool areOfASheet(const SharedIds& shared, std::size_t photographCount, const MarkerFamily& family) {
    if (shared.sightings.size() < minIdCount(family)) return false;
    if (2 * shared.sightingCount >= shared.markerCount) return true;
    const auto frequent = std::ranges::count_if(shared.sightings, [&](const auto& each) {
        return each.second >= 3 && 2 * each.second >= photographCount;
    });
    return static_cast<std::size_t>(frequent) >= minIdCount(family);
}

}  // namespace

std::optional<FamilyDetection> findFamily(std::span<const Image> photographs) {
    // Minimum fraction of the shared ids that the returned family must contain.
    constexpr double kMinIdFraction = 0.9;
    const std::vector<const MarkerFamily*> families = widestFamilies();
    std::vector<Markers> seen(families.size());  // by family
    for (const Image& photograph : photographs) {
        std::vector<std::vector<Marker>> markers = detectMarkers(photograph, families);
        for (std::size_t f = 0; f < families.size(); ++f) seen[f].push_back(std::move(markers[f]));
    }

    std::optional<FamilyDetection> best;
    std::size_t bestSightingCount = 0;
    for (std::size_t f = 0; f < families.size(); ++f) {
        const SharedIds shared = sharedIdsOf(seen[f]);
        if (!areOfASheet(shared, photographs.size(), *families[f])) continue;
        const auto photographCount =
            static_cast<std::size_t>(std::ranges::count_if(seen[f], [&](const auto& markers) {
                return std::ranges::count_if(markers, [&](const Marker& marker) {
                           return shared.sightings.contains(marker.id);
                       }) >= 2;
            }));
        if (shared.sightingCount <= bestSightingCount || photographCount < 2) continue;
        bestSightingCount = shared.sightingCount;
        const auto quantileId =
            std::next(shared.sightings.begin(),
                      static_cast<std::ptrdiff_t>(
                          kMinIdFraction * static_cast<double>(shared.sightings.size() - 1) + 0.5));
        best = {&smallestFamily(*families[f], quantileId->first), shared.sightings.size(),
                photographCount};
    }
    return best;
}

}  // namespace threefold::board
