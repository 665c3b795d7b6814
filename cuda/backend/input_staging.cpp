#include "cuda/backend/input_staging.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "cuda/runtime/memory_layout.h"
#include "engine/network/pooling.h"

namespace threefold::cuda {
namespace {

constexpr std::size_t kMinSlotPixels = std::size_t{256} * 256;
constexpr std::size_t kImagePixels = std::size_t{kInputSide} * kInputSide;
constexpr std::size_t kPixelBytes = 4;

static_assert(kImagePixels <= kMinSlotPixels);

std::size_t pixelCount(const Image& image) {
    return static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height);
}

// Resizes to 224×224 RGBA bytes. Preprocessing the result again changes nothing.
void resizeToInput(const Image& image, std::byte* out) {
    std::vector<float> values(kImagePixels * 3);
    preprocess(image, values);
    auto* rgba = reinterpret_cast<std::uint8_t*>(out);
    const auto byte = [](float value) {
        return static_cast<std::uint8_t>(std::lround(value * 255));
    };
    for (std::size_t i = 0; i < kImagePixels; ++i) {
        rgba[kPixelBytes * i + 0] = byte(values[3 * i + 2]);
        rgba[kPixelBytes * i + 1] = byte(values[3 * i + 1]);
        rgba[kPixelBytes * i + 2] = byte(values[3 * i + 0]);
        rgba[kPixelBytes * i + 3] = UINT8_MAX;
    }
}

ViewTransform toTransform(const FeatureProjection& projection) {
    ViewTransform transform{};
    for (int row = 0; row < 3; ++row) {
        // glm matrices are column-major.
        for (int column = 0; column < 3; ++column)
            transform.rotation[3 * row + column] = projection.rotation[column][row];
        transform.translation[row] = projection.translation[row];
    }
    return transform;
}

}  // namespace

std::size_t slotPixels(std::span<const NetworkInput> inputs) {
    std::size_t largest = kMinSlotPixels;
    for (const NetworkInput& input : inputs)
        for (const Image& image : input.images)
            if (pixelCount(image) <= kMaxStagedPixels)
                largest = std::max(largest, pixelCount(image));
    return std::bit_ceil(largest);
}

InputLayout::InputLayout(std::size_t batchSize, std::size_t viewCount, std::size_t pixelsOfSlot)
    : batch(batchSize),
      views(viewCount),
      slotPixels(pixelsOfSlot),
      tableOffset(alignUp(batch * views * sizeof(ViewTransform))),
      pixelsOffset(tableOffset + alignUp(batch * views * sizeof(DeviceImage))),
      bytes(pixelsOffset + batch * views * slotPixels * kPixelBytes) {}

std::size_t stageInputs(std::span<const NetworkInput> inputs, const InputLayout& layout,
                        std::byte* host, const std::byte* devicePixels) {
    std::size_t end = layout.pixelsOffset;
    for (std::size_t sample = 0; sample < inputs.size(); ++sample) {
        const NetworkInput& input = inputs[sample];
        const std::vector<FeatureProjection> projections =
            projectionsFrom(input.cameras, input.depthOffset);
        for (std::size_t view = 0; view < layout.views; ++view) {
            const std::size_t index = sample * layout.views + view;
            const ViewTransform transform = toTransform(projections[view]);
            std::memcpy(host + index * sizeof transform, &transform, sizeof transform);

            const Image& image = input.images[view];
            const bool unscaled = pixelCount(image) <= layout.slotPixels;
            DeviceImage entry{};
            entry.rgba =
                reinterpret_cast<const std::uint8_t*>(devicePixels + (end - layout.pixelsOffset));
            entry.width = unscaled ? image.width : kInputSide;
            entry.height = unscaled ? image.height : kInputSide;
            std::memcpy(host + layout.tableOffset + index * sizeof entry, &entry, sizeof entry);
            if (unscaled) {
                std::memcpy(host + end, image.rgba.data(), image.rgba.size());
            } else {
                resizeToInput(image, host + end);
            }
            end += static_cast<std::size_t>(entry.width) * static_cast<std::size_t>(entry.height) *
                   kPixelBytes;
        }
    }
    return end;
}

}  // namespace threefold::cuda
