#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/formats/pictures/image.h"

namespace threefold {

/// Where a photograph shows the object (foregroundOf()), coarsely.
struct ObjectCells {
    // The smallest rectangle around it, continuous pixels: of the first column the left edge is 0.
    double left = 0, top = 0, right = 0, bottom = 0;

    /// True for cells with any pixel of the object, and their neighbours: (rows, columns) of
    /// `cell`×`cell` pixels, at most 256 on the longer side.
    std::vector<std::uint8_t> cells;
    int columns = 0;
    int rows = 0;
    int cell = 1;

    bool at(double x, double y) const;  ///< continuous pixels, within the photograph
};

/// None where the object is everything from border to border, or nothing.
std::optional<ObjectCells> objectCellsOf(const Image& image);

}  // namespace threefold
