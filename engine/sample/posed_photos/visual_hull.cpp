#include "engine/sample/posed_photos/object_frame.h"

#include <algorithm>
#include <cstddef>

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "engine/views/foreground.h"

namespace threefold {
namespace {

constexpr int kGrid = 80;

class PhotographMask {
  public:
    explicit PhotographMask(const MaskedPhoto& masked)
        : camera_(masked.photo->camera),
          lens_(masked.photo->lens),
          projection_(lens_),
          mask_(masked.mask),
          whole_(mask_.left > 0 && mask_.top > 0 && mask_.right < lens_.width &&
                 mask_.bottom < lens_.height) {}

    bool keeps(glm::dvec3 point) const {
        const auto pixel = projection_.pixelOf(camera_.toView(point));
        return pixel && lens_.holds(*pixel) ? mask_.at(pixel->x, pixel->y) : !whole_;
    }

  private:
    const Camera& camera_;
    const Lens& lens_;
    LensProjection projection_;
    const ObjectCells& mask_;
    bool whole_;  ///< the photograph shows all of the object
};

constexpr int kMostCells = 256;

/// The cells and their four neighbours: a point that falls just beside a mask is not ruled out.
std::vector<std::uint8_t> widened(const ObjectCells& object) {
    std::vector<std::uint8_t> wide = object.cells;
    const auto columns = static_cast<std::size_t>(object.columns);
    for (std::size_t i = 0; i < wide.size(); ++i) {
        const std::size_t column = i % columns;
        if (object.cells[i] != 0) continue;
        wide[i] = (column > 0 && object.cells[i - 1] != 0) ||
                          (column + 1 < columns && object.cells[i + 1] != 0) ||
                          (i >= columns && object.cells[i - columns] != 0) ||
                          (i + columns < wide.size() && object.cells[i + columns] != 0)
                      ? 1
                      : 0;
    }
    return wide;
}

}  // namespace

std::optional<HullBox> visualHullBox(std::span<const MaskedPhoto> photos, glm::dvec3 centre,
                                     double half, const glm::dmat3& axes) {
    std::vector<PhotographMask> masks;
    masks.reserve(photos.size());
    for (const MaskedPhoto& photo : photos) masks.emplace_back(photo);
    const double step = 2 * half / kGrid;
    const glm::dmat3 toWorld = glm::transpose(axes);
    glm::dvec3 lowest(kGrid);
    glm::dvec3 highest(-1);
    for (int z = 0; z < kGrid; ++z)
        for (int y = 0; y < kGrid; ++y)
            for (int x = 0; x < kGrid; ++x) {
                const glm::dvec3 cell(x, y, z);
                const glm::dvec3 point =
                    centre + toWorld * ((cell + glm::dvec3(0.5)) * step - glm::dvec3(half));
                const bool kept = std::ranges::all_of(
                    masks, [&](const PhotographMask& c) { return c.keeps(point); });
                if (!kept) continue;
                lowest = glm::min(lowest, cell);
                highest = glm::max(highest, cell);
            }
    for (int axis = 0; axis < 3; ++axis)
        if (lowest[axis] == 0 || highest[axis] == kGrid - 1) return std::nullopt;
    if (highest.x < 0) return std::nullopt;
    const glm::dvec3 middle = (lowest + highest + glm::dvec3(1)) * (0.5 * step) - glm::dvec3(half);
    return HullBox{centre + toWorld * middle, glm::length(highest - lowest + glm::dvec3(1)) * step};
}

bool ObjectCells::at(double x, double y) const {
    const int column = std::clamp(static_cast<int>(x) / cell, 0, columns - 1);
    const int row = std::clamp(static_cast<int>(y) / cell, 0, rows - 1);
    return cells[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                 static_cast<std::size_t>(column)] != 0;
}

std::optional<ObjectCells> objectCellsOf(const Image& image) {
    const std::optional<Mask> foreground = foregroundOf(image);
    if (!foreground) return std::nullopt;
    ObjectCells cells;
    cells.cell = (std::max(image.width, image.height) + kMostCells - 1) / kMostCells;
    cells.columns = (image.width + cells.cell - 1) / cells.cell;
    cells.rows = (image.height + cells.cell - 1) / cells.cell;
    cells.cells.resize(static_cast<std::size_t>(cells.columns) *
                       static_cast<std::size_t>(cells.rows));
    int left = image.width;
    int right = -1;
    int top = image.height;
    int bottom = -1;
    const std::uint8_t* inside = foreground->inside.data();
    for (int y = 0; y < image.height; ++y) {
        std::uint8_t* row = cells.cells.data() + static_cast<std::size_t>(y / cells.cell) *
                                                     static_cast<std::size_t>(cells.columns);
        for (int x = 0; x < image.width; ++x, ++inside) {
            if (*inside == 0) continue;
            row[x / cells.cell] = 1;
            left = std::min(left, x);
            right = std::max(right, x);
            top = std::min(top, y);
            bottom = y;
        }
    }
    // An object that reaches every border may extend beyond them.
    if (left == 0 && top == 0 && right == image.width - 1 && bottom == image.height - 1)
        return std::nullopt;
    cells.left = left;
    cells.top = top;
    cells.right = right + 1;
    cells.bottom = bottom + 1;
    cells.cells = widened(cells);
    return cells;
}

}  // namespace threefold
