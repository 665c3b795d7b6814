#pragma once

#include <cstring>
#include <random>
#include <span>
#include <vector>

#include "cuda/kernels/split_coordinates.h"
#include "cuda/kernels/view.h"
#include "cuda/portable/half.h"
#include "engine/network/pooling.h"

/// Inputs for tests of kernels: cameras around an object, points, and values of every element type.
namespace threefold::cuda::test {

inline std::vector<Camera> cameras(int views) {
    std::vector<Camera> all;
    for (int view = 0; view < views; ++view) {
        CameraRow row{};
        row.azimuth = 15.0 + 106.7 * view;
        row.elevation = 27.5 - 3.0 * view;
        row.distance = 0.8;
        all.push_back(Camera::fromRow(row));
    }
    return all;
}

inline ViewTransform transformOf(const FeatureProjection& projection) {
    ViewTransform transform{};
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) {
            transform.rotation[3 * row + column] = projection.rotation[column][row];
        }
        transform.translation[row] = projection.translation[row];
    }
    return transform;
}

inline std::vector<ViewTransform> transformsOf(std::span<const Camera> cameras) {
    std::vector<ViewTransform> transforms;
    for (const FeatureProjection& projection : projectionsFrom(cameras)) {
        transforms.push_back(transformOf(projection));
    }
    return transforms;
}

/// Random points around an object in front of the first camera.
inline Points pointsAbout(std::size_t count, std::mt19937& random) {
    std::uniform_real_distribution<float> spread(-0.25F, 0.25F);
    Points points;
    for (std::size_t i = 0; i < count; ++i) {
        points.emplace_back(spread(random), spread(random), -0.8F + spread(random));
    }
    return points;
}

inline std::vector<float> randomValues(std::size_t count, std::mt19937& random,
                                       float largest = 1.0F) {
    std::uniform_real_distribution<float> uniform(0.0F, largest);
    std::vector<float> values(count);
    for (float& value : values) value = uniform(random);
    return values;
}

/// Converts floats to the bytes of an element type; asFloats() converts back. The vector's memory
/// is 16-byte aligned.
inline std::vector<std::byte> asElement(std::span<const float> values, ElementType element) {
    std::vector<std::byte> bytes(values.size() * elementBytes(element));
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (element == ElementType::float32) {
            std::memcpy(&bytes[i * 4], &values[i], 4);
        } else {
            const std::uint16_t bits = element == ElementType::float16
                                           ? fromFloat<Half>(values[i]).bits
                                           : fromFloat<Bfloat16>(values[i]).bits;
            std::memcpy(&bytes[i * 2], &bits, 2);
        }
    }
    return bytes;
}

inline std::vector<float> asFloats(std::span<const std::byte> bytes, ElementType element) {
    std::vector<float> values(bytes.size() / elementBytes(element));
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (element == ElementType::float32) {
            std::memcpy(&values[i], &bytes[i * 4], 4);
        } else {
            std::uint16_t bits = 0;
            std::memcpy(&bits, &bytes[i * 2], 2);
            values[i] =
                element == ElementType::float16 ? toFloat(Half{bits}) : toFloat(Bfloat16{bits});
        }
    }
    return values;
}

inline std::vector<float> rounded(std::span<const float> values, ElementType element) {
    return asFloats(asElement(values, element), element);
}

/// Writes the parts of a row's coordinates from column `first` on, as launchPooling() does.
inline void writeParts(float* row, std::size_t first, ElementType element) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        float parts[kCoordinateParts];
        if (element == ElementType::float32) {
            splitInto<Tfloat32>(row[axis], parts);
        } else if (element == ElementType::float16) {
            splitInto<Half>(row[axis], parts);
        } else {
            splitInto<Bfloat16>(row[axis], parts);
        }
        for (int i = 0; i < kExtraProducts; ++i) {
            row[first + 3 * static_cast<std::size_t>(i) + axis] = parts[extraProduct(i).coordinate];
        }
    }
}

inline constexpr ElementType kElements[] = {ElementType::float32, ElementType::float16,
                                            ElementType::bfloat16};

}  // namespace threefold::cuda::test
