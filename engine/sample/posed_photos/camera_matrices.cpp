// Calibration and projection matrices, as in most research formats.
#include <algorithm>
#include <cmath>

#include <fmt/core.h>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/text/text_scanner.h"
#include "engine/sample/posed_photos/camera_matrices.h"

namespace threefold {

void setIntrinsics(Lens& lens, const Matrix3& matrix, double principalPointOffset,
                   const std::filesystem::path& file, const std::string& place) {
    constexpr double kRounding = 1e-6;
    const auto& [first, second, third] = matrix;
    const bool affine = std::abs(third[0]) <= kRounding && std::abs(third[1]) <= kRounding &&
                        std::abs(third[2] - 1) <= kRounding && std::abs(second[0]) <= kRounding;
    if (!affine)
        throw InputError({file.string(), place,
                          "is not of the form [[fx, 0, cx], [0, fy, cy], [0, 0, 1]]",
                          "Write the matrix row by row, in pixels."});
    // A decomposition in float32 may leave a skew of up to this fraction of the focal length.
    constexpr double kMaxSkew = 1e-4;
    if (!(std::abs(first[1]) <= kMaxSkew * std::abs(first[0])))
        throw InputError({file.string(), place,
                          fmt::format("a skew of {:g}: the pixels are not rectangular", first[1]),
                          "Resample the photographs to rectangular pixels, or set the skew to 0."});
    lens.focalX = first[0];
    lens.focalY = second[1];
    lens.principalX = first[2] + principalPointOffset;
    lens.principalY = second[2] + principalPointOffset;
}

DecomposedProjection decomposeProjection(const std::array<std::array<double, 4>, 3>& matrix,
                                         const std::filesystem::path& file,
                                         const std::string& place) {
    const auto refuse = [&](std::string problem) {
        throw InputError({file.string(), place, std::move(problem),
                          "Write K [R | t], world to camera, axes of OpenCV."});
    };
    double largestEntry = 0;
    for (const auto& row : matrix)
        for (const double value : row) {
            if (!std::isfinite(value)) refuse("holds a value that is not finite");
            largestEntry = std::max(largestEntry, std::abs(value));
        }
    if (!(largestEntry > 0)) refuse("is zero");
    std::array<glm::dvec3, 3> rows;
    glm::dvec3 lastColumn;
    for (int row = 0; row < 3; ++row) {
        const auto& from = matrix[static_cast<std::size_t>(row)];
        for (int column = 0; column < 3; ++column)
            rows[static_cast<std::size_t>(row)][column] =
                from[static_cast<std::size_t>(column)] / largestEntry;
        lastColumn[row] = from[3] / largestEntry;
    }
    // Gram-Schmidt from the last row up: orthonormalising the rows of K R gives the rows of R.
    const glm::dmat3 leftBlock = glm::transpose(glm::dmat3(rows[0], rows[1], rows[2]));
    constexpr double kFlat = 1e-12;
    const auto unit = [&](glm::dvec3 from, double& length) {
        length = glm::length(from);
        if (!(length > kFlat)) refuse("is not a projection: its rows are linearly dependent");
        return from / length;
    };
    Matrix3 k{};
    const glm::dvec3 forward = unit(rows[2], k[2][2]);
    k[1][2] = glm::dot(rows[1], forward);
    const glm::dvec3 down = unit(rows[1] - k[1][2] * forward, k[1][1]);
    k[0][2] = glm::dot(rows[0], forward);
    k[0][1] = glm::dot(rows[0], down);
    const glm::dvec3 right = unit(rows[0] - k[0][2] * forward - k[0][1] * down, k[0][0]);
    const double scale = k[2][2];
    for (auto& row : k)
        for (double& value : row) value /= scale;
    // The matrix may have the opposite sign, which flips the handedness.
    const double sign = glm::dot(right, glm::cross(down, forward)) < 0 ? -1 : 1;
    const glm::dvec3 centre = -(glm::inverse(leftBlock) * lastColumn);
    DecomposedProjection result{k, {}};
    result.worldToCamera[3][3] = 1;
    const std::array<glm::dvec3, 3> axes = {sign * right, sign * down, sign * forward};
    for (std::size_t row = 0; row < axes.size(); ++row) {
        for (int column = 0; column < 3; ++column)
            result.worldToCamera[row][static_cast<std::size_t>(column)] = axes[row][column];
        result.worldToCamera[row][3] = -glm::dot(axes[row], centre);
    }
    return result;
}

std::vector<double> decodeNumbers(std::span<const std::byte> bytes,
                                  const std::filesystem::path& file, std::size_t count) {
    TextScanner scanner(asText(bytes), file);
    scanner.setComment('#');
    std::vector<double> numbers;
    for (std::string_view word = scanner.nextWordOfText(); !word.empty();
         word = scanner.nextWordOfText()) {
        if (numbers.size() == count) scanner.fail(fmt::format("more than {} numbers", count));
        numbers.push_back(scanner.toDouble(word, "a number"));
    }
    if (numbers.size() != count)
        scanner.fail(fmt::format("ends after {} of {} numbers", numbers.size(), count));
    return numbers;
}

}  // namespace threefold
