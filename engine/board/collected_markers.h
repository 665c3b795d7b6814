#pragma once

#include <cstddef>
#include <vector>

#include "engine/board/calibration.h"
#include "engine/board/indexed_problem.h"

namespace threefold::board {

/// Minimum number of markers from which a photograph's camera is found.
inline constexpr std::size_t kMinMarkersPerPhoto = 2;

/// Photographs with enough markers, as a bundle adjustment whose poses are still to be found.
struct CollectedMarkers {
    IndexedProblem indexed;
    std::vector<LeftOutPhoto> leftOut;  ///< photographs with too few markers
};

/// Collects the photographs that show at least kMinMarkersPerPhoto usable markers: markers of the
/// printed board if the board is seen, else markers that several photographs show. Photographs of
/// one size and EXIF focal length share a lens, with a prior over typical lenses.
CollectedMarkers collectMarkers(const std::vector<MarkedPhoto>& photographs, bool hasPrintedBoard,
                                double markerSide);

}  // namespace threefold::board
