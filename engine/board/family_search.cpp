#include "engine/board/family_search.h"

#include <algorithm>
#include <map>

namespace threefold::board {

std::optional<FamilyDetection> findFamily(std::span<const Image> photographs) {
    constexpr std::size_t kMinIds = 2, kMinIdsOfFewBits = 4;
    constexpr int kFewBits = 4;  // bits along a side
    // Minimum fraction of the ids seen at least twice that the returned family must contain.
    constexpr double kMinIdFraction = 0.9;
    const std::vector<const MarkerFamily*> families = widestFamilies();
    std::vector<std::vector<std::vector<Marker>>> seen;  // markers of each photograph, by family
    seen.reserve(photographs.size());
    for (const Image& photograph : photographs) seen.push_back(detectMarkers(photograph, families));

    std::optional<FamilyDetection> best;
    std::size_t bestSightingCount = 0;
    for (std::size_t f = 0; f < families.size(); ++f) {
        std::map<int, std::size_t> sightings;
        for (const auto& photograph : seen)
            for (const Marker& marker : photograph[f]) ++sightings[marker.id];
        std::erase_if(sightings, [](const auto& each) { return each.second < 2; });
        const std::size_t minIdCount =
            families[f]->bitsPerSide <= kFewBits ? kMinIdsOfFewBits : kMinIds;
        if (sightings.size() < minIdCount) continue;
        std::size_t sum = 0;
        for (const auto& [id, count] : sightings) sum += count;
        const auto photographCount =
            static_cast<std::size_t>(std::ranges::count_if(seen, [&](const auto& photograph) {
                return std::ranges::count_if(photograph[f], [&](const Marker& marker) {
                           return sightings.contains(marker.id);
                       }) >= 2;
            }));
        if (sum <= bestSightingCount || photographCount < 2) continue;
        bestSightingCount = sum;
        const auto quantileId =
            std::next(sightings.begin(),
                      static_cast<std::ptrdiff_t>(
                          kMinIdFraction * static_cast<double>(sightings.size() - 1) + 0.5));
        best = {&smallestFamily(*families[f], quantileId->first), sightings.size(),
                photographCount};
    }
    return best;
}

}  // namespace threefold::board
