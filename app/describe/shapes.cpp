#include <fmt/format.h>

#include "app/describe/describers.h"
#include "engine/error.h"
#include "engine/formats/meshes/mesh_files.h"
#include "engine/formats/pictures/image.h"
#include "engine/sample/mesh_space.h"

namespace threefold {
namespace {

constexpr std::size_t kChannels = 4;

/// One channel as an array of its own, so that its range is found as any other.
Array channelOf(const Image& image, std::size_t channel) {
    Array array;
    array.dtype = DType::u8;
    array.shape = {static_cast<std::size_t>(image.height), static_cast<std::size_t>(image.width)};
    array.data.reserve(image.rgba.size() / kChannels);
    for (std::size_t i = channel; i < image.rgba.size(); i += kChannels)
        array.data.push_back(std::byte{image.rgba[i]});
    return array;
}

}  // namespace

Description describeMesh(const std::filesystem::path& file, const InspectOptions&) {
    // A text of numbers might be anything, so the name decides.
    const auto format = meshFormatFromName(file.extension().string());
    if (!format || infoOf(*format).isArrays)
        throw NotThisFormat({file.string(), "", "is not named as meshes are", ""});
    const MeshFile mesh = readMesh(file);
    Description description{std::string(meshFormatName(mesh.format)) + " mesh", {}, {}};
    description.fact("vertices", "{}", mesh.vertices.size());
    description.fact("triangles", "{}", mesh.faces.size());
    description.fact("normals", "{}", mesh.normals.empty() ? "no" : "yes");
    description.fact("colours", "{}", mesh.colours.empty() ? "no" : "yes");
    const auto [low, high] = Bounds(mesh.vertices);
    description.fact("box", "({:.4f}, {:.4f}, {:.4f}) to ({:.4f}, {:.4f}, {:.4f})", low.x, low.y,
                     low.z, high.x, high.y, high.z);
    description.fact("space", "{}",
                     guessSpace(mesh.vertices) == MeshSpace::view
                         ? "a view's camera space (detected)"
                         : "world space (detected)");
    for (const auto& [what, count] : mesh.ignored)
        description.fact("ignored", "{} {}", count, what);
    return description;
}

Description describeImage(const std::filesystem::path& file, const InspectOptions& options) {
    const Image image = readImage(file);
    Description description{"image", {}, {}};
    description.fact("size", "{} × {} pixels", image.width, image.height);
    constexpr const char* kNames[kChannels] = {"red", "green", "blue", "alpha"};
    for (std::size_t channel = 0; channel < kChannels; ++channel)
        description.arrays.push_back(describeArray(kNames[channel], channelOf(image, channel),
                                                   options.ranges != Ranges::none));
    return description;
}

}  // namespace threefold
