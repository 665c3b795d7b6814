#include "app/describe/describers.h"
#include "engine/error.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/meshes/mesh_files.h"
#include "engine/formats/pictures/image.h"
#include "engine/formats/pictures/image_info.h"
#include "engine/geometry/mesh_properties.h"
#include "engine/sample/mesh_space.h"

namespace threefold {
namespace {

constexpr std::size_t kChannels = 4;

/// Copies one channel to an array, for describeArray().
Array copyChannel(const Image& image, std::size_t channel) {
    Array array;
    array.dtype = DType::u8;
    array.shape = {static_cast<std::size_t>(image.height), static_cast<std::size_t>(image.width)};
    array.data.reserve(image.rgba.size() / kChannels);
    for (std::size_t i = channel; i < image.rgba.size(); i += kChannels)
        array.data.push_back(std::byte{image.rgba[i]});
    return array;
}

std::string watertightText(const MeshProperties& properties) {
    if (properties.isWatertight()) return "yes";
    std::string text = "no";
    if (properties.boundaryEdgeCount > 0)
        text += fmt::format(", {} edges have one face", properties.boundaryEdgeCount);
    if (properties.nonManifoldEdgeCount > 0)
        text += fmt::format(", {} edges have three or more", properties.nonManifoldEdgeCount);
    return text;
}

}  // namespace

Description describeMesh(const std::filesystem::path& file, RangeSelection) {
    // A text file of numbers may hold points or something else, so the file's extension decides.
    const auto format = meshFormatFromExtension(file.extension().string());
    if (!format || infoOf(*format).holdsArrays)
        throw NotThisFormat({file.string(), "", "has no extension of a mesh format", ""});
    const LoadedMesh mesh = readMesh(file);
    Description description{std::string(meshFormatExtension(mesh.format)) + " mesh", {}, {}};
    description.addFact("vertices", "{}", mesh.vertices.size());
    description.addFact("triangles", "{}", mesh.faces.size());
    description.addFact("normals", "{}", mesh.normals.empty() ? "no" : "yes");
    description.addFact("colours", "{}", mesh.colours.empty() ? "no" : "yes");
    for (const VertexScalars& scalars : mesh.scalars)
        description.addFact("values", "{}", scalars.name);
    const Box3f box = boundsOf(mesh.vertices);
    const glm::dvec3 low = mesh.origin + glm::dvec3(box.min);
    const glm::dvec3 high = mesh.origin + glm::dvec3(box.max);
    description.addFact("box", "({:.4f}, {:.4f}, {:.4f}) to ({:.4f}, {:.4f}, {:.4f})", low.x, low.y,
                        low.z, high.x, high.y, high.z);
    description.addFact("space", "{}",
                        detectSpace(mesh.vertices, mesh.origin) == MeshSpace::camera
                            ? "a view's camera space (detected)"
                            : "world space (detected)");
    if (!mesh.faces.empty()) {
        const MeshProperties properties = meshProperties(mesh.vertices, mesh.faces);
        description.addFact("area", "{:.6g}", properties.area);
        description.addFact("watertight", "{}", watertightText(properties));
        description.addFact("components", "{}", properties.componentCount);
        if (const auto handles = properties.genus()) description.addFact("handles", "{}", *handles);
    }
    for (const auto& [defect, count] : mesh.leftOut)
        description.addFact("left out", "{} {}", count, defectName(defect));
    for (const auto& [content, count] : mesh.unreadContent)
        description.addFact("ignored", "{} {}", count, content);
    return description;
}

void addCameraNotes(Description& description, const ImageInfo& head) {
    if (head.exif.orientation != 1)
        description.addFact("orientation", "{} (EXIF): stored as {} × {} pixels, rotated when read",
                            head.exif.orientation, head.stored.width, head.stored.height);
    if (head.exif.focalLength35mm)
        description.addFact(
            "focal length", "{:.4g} mm, 35 mm equivalent (EXIF): {:.0f} pixels unless cropped",
            *head.exif.focalLength35mm, focalLengthPixels(head.stored, head.exif.focalLength35mm));
    if (head.exif.implausibleFocalLength35mm)
        description.addFact(
            "focal length",
            "{:.4g} mm, 35 mm equivalent (EXIF): implausible, not used: lenses have 8 "
            "to 1200 mm",
            *head.exif.implausibleFocalLength35mm);
    if (!head.profile.empty())
        description.addFact("colour profile", "{}; it is ignored", head.profile);
}

Description describeImage(const std::filesystem::path& file, RangeSelection ranges) {
    const std::vector<std::byte> bytes = readFile(file, kMaxContentBytes);
    const ImageInfo head = decodeImageInfo(bytes, file);
    const Image image = decodeImage(bytes, file);
    Description description{"image", {}, {}};
    description.addFact("size", "{} × {} pixels", image.width, image.height);
    addCameraNotes(description, head);
    constexpr const char* kNames[kChannels] = {"red", "green", "blue", "alpha"};
    for (std::size_t channel = 0; channel < kChannels; ++channel)
        description.arrays.push_back(describeArray(kNames[channel], copyChannel(image, channel),
                                                   ranges != RangeSelection::none));
    return description;
}

}  // namespace threefold
