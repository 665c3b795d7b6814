#include "engine/structure_from_motion/sparse_model.h"

#include <cmath>
#include <cstdint>

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/files/mapped_file.h"
#include "engine/sample/posed_photos/camera_decoders.h"
#include "engine/sample/posed_photos/pose_matrix.h"
#include "engine/text.h"

namespace threefold::structure_from_motion {

namespace fs = std::filesystem;

double SparseModel::meanReprojectionError() const {
    double sum = 0;
    for (const SparsePoint& point : points) sum += point.meanReprojectionError;
    return points.empty() ? 0 : sum / static_cast<double>(points.size());
}

double SparseModel::meanCameraDistance(glm::dvec3 point) const {
    double sum = 0;
    for (const RegisteredImage& camera : images) sum += glm::distance(camera.pose.centre, point);
    return images.empty() ? 0 : sum / static_cast<double>(images.size());
}

std::vector<SparsePoint> decodeSparsePoints(std::span<const std::byte> bytes,
                                            const fs::path& file) {
    constexpr std::uint64_t kPointBytes = 8 + 3 * 8 + 3 + 8 + 8;
    constexpr std::uint64_t kTrackBytes = 4 + 4;
    ByteCursor cursor(bytes, file);
    const std::uint64_t count = cursor.readLittleEndian(8);
    if (count > cursor.remaining() / kPointBytes)
        cursor.fail(fmt::format("{} points are declared, but only {} bytes are left", count,
                                cursor.remaining()));
    std::vector<SparsePoint> points(count);
    for (SparsePoint& point : points) {
        cursor.readLittleEndian(8);
        for (int i = 0; i < 3; ++i) point.position[i] = cursor.readLittleEndianDouble();
        cursor.read(3);
        point.meanReprojectionError = cursor.readLittleEndianDouble();
        const std::uint64_t views = cursor.readLittleEndian(8);
        if (views > cursor.remaining() / kTrackBytes)
            cursor.fail(
                fmt::format("a point in {} photographs is declared, but only {} bytes are left",
                            views, cursor.remaining()));
        cursor.read(views * kTrackBytes);
        point.trackLength = views;
        const auto usable = [](double value) { return std::abs(value) <= kMaxWorldCoordinate; };
        if (!usable(point.position.x) || !usable(point.position.y) || !usable(point.position.z) ||
            !usable(point.meanReprojectionError))
            cursor.fail("a point that is not finite, or too far away");
    }
    return points;
}

SparseModel readSparseModel(const fs::path& folder, std::size_t photographs) {
    const MappedFile cameras(folder / "cameras.bin");
    const MappedFile images(folder / "images.bin");
    const MappedFile points(folder / "points3D.bin");
    SparseModel model;
    const ColmapModel read = images.decode([&](auto imageBytes) {
        return cameras.decode(
            [&](auto cameraBytes) { return decodeColmapBinary(cameraBytes, imageBytes, folder); });
    });
    for (const Photo& photo : read.cameras.photos) {
        const auto index = parseNumber<std::size_t>(fs::path(photo.name).stem().string());
        if (!index || *index >= photographs)
            throw FormatError(
                {(folder / "images.bin").string(), "",
                 fmt::format("names the photograph {}, which COLMAP was not given", photo.name),
                 ""});
        model.images.push_back({*index, photo.pose, photo.lens, read.pointCounts.at(photo.name)});
    }
    model.points = points.decode(
        [&](auto bytes) { return decodeSparsePoints(bytes, folder / "points3D.bin"); });
    return model;
}

}  // namespace threefold::structure_from_motion
