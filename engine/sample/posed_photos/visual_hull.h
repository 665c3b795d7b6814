#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>

#include "engine/formats/pictures/image.h"
#include "engine/sample/posed_photos/camera_file.h"

namespace threefold {

/// The part of a photograph that shows the object (foregroundOf()), as coarse cells.
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

struct MaskedPhoto {
    const Photo* photo = nullptr;
    ObjectCells mask;
};

/// A box whose sides are along the rows of `axes`.
struct HullBox {
    glm::dvec3 centre{0.0};
    double diagonal = 0;
};

/// The box around the points that no photograph shows outside its mask, on a grid of 80³ points in
/// a cube of `half` to each side of `centre`. A mask that touches its photograph's border says
/// nothing about points outside. Seen from eight sides it is at most a tenth too large. None where
/// no point is left, or they reach the cube's border.
std::optional<HullBox> visualHullBox(std::span<const MaskedPhoto> photos, glm::dvec3 centre,
                                     double half, const glm::dmat3& axes);

}  // namespace threefold
