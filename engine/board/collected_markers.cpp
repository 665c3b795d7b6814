#include "engine/board/collected_markers.h"

#include <map>
#include <tuple>

#include <fmt/format.h>

#include "engine/board/board_layout.h"
#include "engine/formats/pictures/exif.h"

namespace threefold::board {
namespace {

RadialLens defaultLens(const MarkedPhoto& photograph) {
    return {focalLengthPixels(photograph.size, photograph.focalLength35mm),
            photograph.size.width / 2.0, photograph.size.height / 2.0, 0, 0};
}

/// Standard deviations of the lens prior; EXIF focal lengths are rounded and nominal.
RadialLens lensSigma(const MarkedPhoto& photograph) {
    constexpr double kFocal = 0.04, kGuessedFocal = 0.4, kCentre = 0.015, kRadial = 0.1;
    const double centre = kCentre * photograph.size.longerSide();
    return {
        defaultLens(photograph).focalLength * (photograph.focalLength35mm ? kFocal : kGuessedFocal),
        centre, centre, kRadial, kRadial};
}

/// Number of photographs that show each marker, by id.
std::map<int, std::size_t> countById(const std::vector<MarkedPhoto>& photographs) {
    std::map<int, std::size_t> counts;
    for (const MarkedPhoto& photograph : photographs)
        for (const Marker& marker : photograph.markers) ++counts[marker.id];
    return counts;
}

}  // namespace

CollectedMarkers collectMarkers(const std::vector<MarkedPhoto>& photographs, bool hasPrintedBoard,
                                double markerSide) {
    CollectedMarkers collected;
    BundleAdjustmentProblem& problem = collected.indexed.problem;
    problem.markerPosesKnown = hasPrintedBoard;
    problem.markerSide = hasPrintedBoard ? kMarkerSide : markerSide;
    std::map<std::tuple<int, int, double>, std::size_t> lenses;
    std::map<int, std::size_t> markerIndices;
    const std::map<int, std::size_t> seen = countById(photographs);
    for (std::size_t i = 0; i < photographs.size(); ++i) {
        const MarkedPhoto& photograph = photographs[i];
        std::vector<const Marker*> usable;
        for (const Marker& marker : photograph.markers)
            if (hasPrintedBoard ? markerCentre(marker.id).has_value() : seen.at(marker.id) > 1)
                usable.push_back(&marker);
        if (usable.size() < kMinMarkersPerPhoto) {
            collected.leftOut.push_back({i, usable.empty()
                                                ? "shows no marker"
                                                : fmt::format("shows {} of the {} markers needed",
                                                              usable.size(), kMinMarkersPerPhoto)});
            continue;
        }
        const auto [lens, isNew] = lenses.try_emplace(
            {photograph.size.width, photograph.size.height, photograph.focalLength35mm.value_or(0)},
            lenses.size());
        if (isNew) problem.lensPriors.push_back({defaultLens(photograph), lensSigma(photograph)});
        problem.lensIndices.push_back(lens->second);
        for (const Marker* marker : usable) {
            const auto [markerIndex, added] =
                markerIndices.try_emplace(marker->id, markerIndices.size());
            if (added) collected.indexed.markerIds.push_back(marker->id);
            problem.observations.push_back(
                {collected.indexed.photoIndices.size(), markerIndex->second, marker->corners});
        }
        collected.indexed.photoIndices.push_back(i);
    }
    return collected;
}

}  // namespace threefold::board
