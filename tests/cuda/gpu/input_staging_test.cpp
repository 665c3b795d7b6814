#include "cuda/backend/input_staging.h"

#include <cstring>
#include <random>

#include <gtest/gtest.h>

#include "engine/network/pooling.h"
#include "engine/views/network_input.h"

namespace threefold::cuda {
namespace {

Image randomImage(int width, int height, unsigned seed) {
    std::mt19937 random(seed);
    Image image{width, height, {}};
    image.rgba.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 4);
    for (std::uint8_t& value : image.rgba) value = static_cast<std::uint8_t>(random());
    // Some pixels are fully transparent, and become white.
    for (std::size_t i = 3; i < image.rgba.size(); i += 28) image.rgba[i] = 0;
    return image;
}

Camera someCamera(int view) {
    return Camera::fromRow({20.0 + 70.0 * view, 25.0 - 5.0 * view, 0.0, 1.2 + 0.1 * view, 25.0});
}

NetworkInput someInput(std::vector<Image> images) {
    NetworkInput input;
    for (std::size_t view = 0; view < images.size(); ++view) {
        input.cameras.push_back(someCamera(static_cast<int>(view)));
    }
    input.images = std::move(images);
    return input;
}

// Pixels of staged entry `index`, preprocessed by the engine's preprocess() instead of the kernel.
std::vector<float> preprocessStaged(const std::vector<std::byte>& host, const std::byte* device,
                                    const InputLayout& layout, std::size_t index) {
    DeviceImage entry{};
    std::memcpy(&entry, host.data() + layout.tableOffset + index * sizeof entry, sizeof entry);
    const auto offset = reinterpret_cast<const std::byte*>(entry.rgba) - device;
    Image image{entry.width, entry.height, {}};
    image.rgba.resize(static_cast<std::size_t>(entry.width) *
                      static_cast<std::size_t>(entry.height) * 4);
    std::memcpy(image.rgba.data(), host.data() + offset, image.rgba.size());
    std::vector<float> values(std::size_t{kInputSide} * kInputSide * 3);
    preprocess(image, values);
    return values;
}

TEST(InputStaging, givesTheSamePixels_whenImagesHaveAnySize) {
    const std::vector<NetworkInput> inputs = {
        someInput({randomImage(1, 1, 1), randomImage(137, 137, 2), randomImage(700, 600, 3)}),
        someInput({randomImage(512, 512, 4), randomImage(3, 300, 5), randomImage(2000, 131, 6)})};
    const InputLayout layout(inputs.size(), 3, slotPixels(inputs));
    std::vector<std::byte> host(layout.bytes);
    std::vector<std::byte> device(1);  // only its address is used
    const std::size_t filled =
        stageInputs(inputs, layout, host.data(), device.data() + layout.pixelsOffset);
    EXPECT_LE(filled, layout.bytes);
    for (std::size_t index = 0; index < 6; ++index) {
        std::vector<float> expected(std::size_t{kInputSide} * kInputSide * 3);
        preprocess(inputs[index / 3].images[index % 3], expected);
        EXPECT_EQ(preprocessStaged(host, device.data(), layout, index), expected) << index;
    }
}

TEST(InputStaging, staysBounded_whenAnImageIsHuge) {
    const std::vector<NetworkInput> inputs = {
        someInput({randomImage(4000, 500, 1), randomImage(10, 10, 2)})};
    EXPECT_LE(slotPixels(inputs), kMaxStagedPixels);
    EXPECT_EQ(slotPixels(inputs), std::size_t{256} * 256);
}

TEST(InputStaging, putsEachViewsTransformInItsPlace_whenThereAreSeveralInputs) {
    std::vector<NetworkInput> inputs = {someInput({randomImage(4, 4, 1), randomImage(4, 4, 2)}),
                                        someInput({randomImage(4, 4, 3), randomImage(4, 4, 4)})};
    std::swap(inputs[1].cameras[0], inputs[1].cameras[1]);
    const InputLayout layout(2, 2, slotPixels(inputs));
    std::vector<std::byte> host(layout.bytes);
    stageInputs(inputs, layout, host.data(), host.data() + layout.pixelsOffset);
    for (std::size_t index = 0; index < 4; ++index) {
        const FeatureProjection projection = projectionsFrom(inputs[index / 2].cameras)[index % 2];
        ViewTransform transform{};
        std::memcpy(&transform, host.data() + index * sizeof transform, sizeof transform);
        const glm::dvec3 point(0.1, -0.2, -0.8);
        const glm::dvec3 expected = projection.rotation * point + projection.translation;
        for (int row = 0; row < 3; ++row) {
            const double* r = transform.rotation + 3 * row;
            const double value =
                r[0] * point.x + r[1] * point.y + r[2] * point.z + transform.translation[row];
            EXPECT_NEAR(value, expected[row], 1e-12);
        }
    }
}

}  // namespace
}  // namespace threefold::cuda
