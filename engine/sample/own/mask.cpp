#include "engine/sample/own/mask.h"

#include <algorithm>
#include <cstddef>

namespace threefold {
namespace {

/// What was white may have become a little less so by compression.
constexpr std::uint8_t kWhite = 246;
constexpr std::uint8_t kHalfOpaque = 128;
constexpr int kMostCells = 256;

/// With the four neighbours: that a point's pixel is the one beside is no proof against it.
std::vector<std::uint8_t> widened(const Mask& mask) {
    std::vector<std::uint8_t> wide = mask.cells;
    const auto columns = static_cast<std::size_t>(mask.columns);
    for (std::size_t i = 0; i < wide.size(); ++i) {
        const std::size_t column = i % columns;
        if (mask.cells[i] != 0) continue;
        wide[i] = (column > 0 && mask.cells[i - 1] != 0) ||
                          (column + 1 < columns && mask.cells[i + 1] != 0) ||
                          (i >= columns && mask.cells[i - columns] != 0) ||
                          (i + columns < wide.size() && mask.cells[i + columns] != 0)
                      ? 1
                      : 0;
    }
    return wide;
}

template <class IsObject>
std::optional<Mask> maskWhere(const Image& image, const IsObject& isObject) {
    Mask mask;
    mask.cell = (std::max(image.width, image.height) + kMostCells - 1) / kMostCells;
    mask.columns = (image.width + mask.cell - 1) / mask.cell;
    mask.rows = (image.height + mask.cell - 1) / mask.cell;
    mask.cells.resize(static_cast<std::size_t>(mask.columns) * static_cast<std::size_t>(mask.rows));
    int left = image.width;
    int right = -1;
    int top = image.height;
    int bottom = -1;
    const std::uint8_t* pixel = image.rgba.data();
    for (int y = 0; y < image.height; ++y) {
        std::uint8_t* row = mask.cells.data() + static_cast<std::size_t>(y / mask.cell) *
                                                    static_cast<std::size_t>(mask.columns);
        for (int x = 0; x < image.width; ++x, pixel += 4) {
            if (!isObject(pixel)) continue;
            row[x / mask.cell] = 1;
            left = std::min(left, x);
            right = std::max(right, x);
            top = std::min(top, y);
            bottom = y;
        }
    }
    const bool whole =
        left == 0 && top == 0 && right == image.width - 1 && bottom == image.height - 1;
    if (right < 0 || whole) return std::nullopt;
    mask.left = left;
    mask.top = top;
    mask.right = right + 1;
    mask.bottom = bottom + 1;
    mask.cells = widened(mask);
    return mask;
}

}  // namespace

bool Mask::at(double x, double y) const {
    const int column = std::clamp(static_cast<int>(x) / cell, 0, columns - 1);
    const int row = std::clamp(static_cast<int>(y) / cell, 0, rows - 1);
    return cells[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                 static_cast<std::size_t>(column)] != 0;
}

std::optional<Mask> maskOf(const Image& image) {
    bool transparent = false;
    for (std::size_t i = 3; i < image.rgba.size() && !transparent; i += 4)
        transparent = image.rgba[i] < kHalfOpaque;
    if (transparent)
        return maskWhere(image, [](const std::uint8_t* p) { return p[3] >= kHalfOpaque; });
    return maskWhere(image, [](const std::uint8_t* p) {
        return p[0] < kWhite || p[1] < kWhite || p[2] < kWhite;
    });
}

}  // namespace threefold
