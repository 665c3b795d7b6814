#include "engine/formats/pictures/square_pictures.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <glm/vec4.hpp>

namespace threefold {
namespace {

constexpr int kRgba = 4;  // bytes of a pixel
constexpr double kOpaque = 255.0;

std::size_t pixelOffset(int width, int column, int row) {
    return (static_cast<std::size_t>(row) * static_cast<std::size_t>(width) +
            static_cast<std::size_t>(column)) *
           kRgba;
}

Image transparentImage(int width, int height) {
    return {width, height,
            std::vector<std::uint8_t>(static_cast<std::size_t>(width) *
                                      static_cast<std::size_t>(height) * kRgba)};
}

/// Source pixels, with weights, that a target pixel covers along one axis.
struct Cover {
    int first = 0;
    std::vector<double> weights;
};

std::vector<Cover> covers(int source, int target) {
    std::vector<Cover> pixels(static_cast<std::size_t>(target));
    const double step = static_cast<double>(source) / target;
    for (int i = 0; i < target; ++i) {
        const double begin = i * step;
        const double end = std::min<double>(begin + step, source);
        Cover& cover = pixels[static_cast<std::size_t>(i)];
        cover.first = std::min(static_cast<int>(begin), source - 1);
        for (int pixel = cover.first; pixel < end && pixel < source; ++pixel)
            cover.weights.push_back(std::min<double>(end, pixel + 1) -
                                    std::max<double>(begin, pixel));
    }
    return pixels;
}

/// Mean of the covered pixels. Colours are weighted by alpha, so transparent pixels add none.
glm::dvec4 meanPixel(const Image& image, const Cover& columns, const Cover& rows) {
    glm::dvec4 sum(0.0);
    double weight = 0;
    for (std::size_t y = 0; y < rows.weights.size(); ++y) {
        const std::size_t row =
            pixelOffset(image.width, columns.first, rows.first + static_cast<int>(y));
        for (std::size_t x = 0; x < columns.weights.size(); ++x) {
            const std::uint8_t* pixel = &image.rgba[row + x * kRgba];
            const double area = rows.weights[y] * columns.weights[x];
            const double alpha = area * pixel[3];
            sum += glm::dvec4(pixel[0] * alpha, pixel[1] * alpha, pixel[2] * alpha, alpha);
            weight += area;
        }
    }
    if (sum.w <= 0) return glm::dvec4(0.0);
    return {sum.x / sum.w, sum.y / sum.w, sum.z / sum.w, sum.w / weight};
}

}  // namespace

Image resizedToSquare(const Image& image, int side) {
    Image small = transparentImage(side, side);
    const std::vector<Cover> columns = covers(image.width, side);
    const std::vector<Cover> rows = covers(image.height, side);
    std::uint8_t* out = small.rgba.data();
    for (const Cover& row : rows)
        for (const Cover& column : columns) {
            const glm::dvec4 pixel = meanPixel(image, column, row);
            for (int c = 0; c < kRgba; ++c)
                *out++ = static_cast<std::uint8_t>(std::lround(std::clamp(pixel[c], 0.0, kOpaque)));
        }
    return small;
}

Image sideBySide(std::span<const Image> pictures) {
    const int side = pictures.front().width;
    Image whole = transparentImage(side * static_cast<int>(pictures.size()), side);
    const std::size_t row = static_cast<std::size_t>(side) * kRgba;
    std::uint8_t* out = whole.rgba.data();
    for (int y = 0; y < side; ++y)
        for (const Image& picture : pictures)
            out = std::copy_n(&picture.rgba[pixelOffset(side, 0, y)], row, out);
    return whole;
}

}  // namespace threefold
