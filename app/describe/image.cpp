#include <fmt/format.h>

#include "app/describe/describers.h"
#include "engine/formats/pictures/image.h"

namespace threefold {
namespace {

constexpr std::size_t kChannels = 4;

/// One channel as an array of its own, so that its range is found as any other.
Array channelOf(const Image& image, std::size_t channel) {
    Array array;
    array.dtype = DType::u8;
    array.shape = {static_cast<std::size_t>(image.height), static_cast<std::size_t>(image.width)};
    array.data.reserve(image.rgba.size() / kChannels);
    for (std::size_t i = channel; i < image.rgba.size(); i += kChannels) {
        array.data.push_back(std::byte{image.rgba[i]});
    }
    return array;
}

}  // namespace

Description describeImage(const std::filesystem::path& file, const InspectOptions& options) {
    const Image image = readImage(file);
    Description description{"image", {}, {}};
    description.facts.emplace_back("size",
                                   fmt::format("{} × {} pixels", image.width, image.height));
    constexpr const char* kNames[kChannels] = {"red", "green", "blue", "alpha"};
    for (std::size_t channel = 0; channel < kChannels; ++channel) {
        description.arrays.push_back(describeArray(kNames[channel], channelOf(image, channel),
                                                   options.ranges != Ranges::none));
    }
    return description;
}

}  // namespace threefold
