#include "engine/sample/posed_photos/object_cells.h"

#include <algorithm>
#include <cstddef>

#include "engine/views/foreground.h"

namespace threefold {
namespace {

constexpr int kMostCells = 256;

/// With the four neighbours: that a point's pixel is the one beside is no proof against it.
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
    // An object that reaches every border may well go on beyond them.
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
