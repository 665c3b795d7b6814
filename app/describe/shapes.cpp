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
    auto& facts = description.facts;
    facts.emplace_back("vertices", std::to_string(mesh.vertices.size()));
    facts.emplace_back("triangles", std::to_string(mesh.faces.size()));
    facts.emplace_back("normals", mesh.normals.empty() ? "no" : "yes");
    facts.emplace_back("colours", mesh.colours.empty() ? "no" : "yes");
    const auto [low, high] = Bounds(mesh.vertices);
    facts.emplace_back("box", fmt::format("({:.4f}, {:.4f}, {:.4f}) to ({:.4f}, {:.4f}, {:.4f})",
                                          low.x, low.y, low.z, high.x, high.y, high.z));
    facts.emplace_back("space", guessSpace(mesh.vertices) == MeshSpace::view
                                    ? "a view's camera space (detected)"
                                    : "world space (detected)");
    for (const auto& [what, count] : mesh.ignored)
        facts.emplace_back("ignored", fmt::format("{} {}", count, what));
    return description;
}

Description describeImage(const std::filesystem::path& file, const InspectOptions& options) {
    const Image image = readImage(file);
    Description description{"image", {}, {}};
    description.facts.emplace_back("size",
                                   fmt::format("{} × {} pixels", image.width, image.height));
    constexpr const char* kNames[kChannels] = {"red", "green", "blue", "alpha"};
    for (std::size_t channel = 0; channel < kChannels; ++channel)
        description.arrays.push_back(describeArray(kNames[channel], channelOf(image, channel),
                                                   options.ranges != Ranges::none));
    return description;
}

}  // namespace threefold
