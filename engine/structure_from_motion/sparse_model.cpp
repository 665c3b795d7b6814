#include "engine/structure_from_motion/sparse_model.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/files/mapped_file.h"
#include "engine/sample/posed_photos/camera_file.h"
#include "engine/sample/posed_photos/pose_matrix.h"
#include "engine/text.h"

namespace threefold::structure_from_motion {
namespace {

namespace fs = std::filesystem;

double realFrom(ByteCursor& cursor) {
    return std::bit_cast<double>(cursor.readLittleEndian(8));
}

/// Number of the model's points in each picture, by name. The bytes were decoded as cameras before.
std::map<std::string, std::size_t> pointsByName(std::span<const std::byte> images,
                                                const fs::path& file) {
    constexpr std::uint64_t kNoPoint = ~std::uint64_t{0};
    constexpr std::size_t kPoseAndCamera = 7 * 8 + 4;
    ByteCursor cursor(images, file);
    std::map<std::string, std::size_t> points;
    for (std::uint64_t left = cursor.readLittleEndian(8); left > 0; --left) {
        cursor.readLittleEndian(4);
        cursor.read(kPoseAndCamera);
        std::string name;
        for (auto c = static_cast<char>(cursor.readLittleEndian(1)); c != '\0';
             c = static_cast<char>(cursor.readLittleEndian(1)))
            name += c;
        std::size_t& count = points[name];
        for (std::uint64_t i = cursor.readLittleEndian(8); i > 0; --i) {
            cursor.read(2 * 8);
            if (cursor.readLittleEndian(8) != kNoPoint) ++count;
        }
    }
    return points;
}

}  // namespace

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
        cursor.fail(fmt::format("{} points, {} bytes are left", count, cursor.remaining()));
    std::vector<SparsePoint> points(count);
    for (SparsePoint& point : points) {
        cursor.readLittleEndian(8);
        for (int i = 0; i < 3; ++i) point.position[i] = realFrom(cursor);
        cursor.read(3);
        point.meanReprojectionError = realFrom(cursor);
        const std::uint64_t views = cursor.readLittleEndian(8);
        if (views > cursor.remaining() / kTrackBytes)
            cursor.fail(fmt::format("a point in {} photographs, {} bytes are left", views,
                                    cursor.remaining()));
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
    const CameraFile read = images.decode([&](auto imageBytes) {
        return cameras.decode(
            [&](auto cameraBytes) { return decodeColmapBinary(cameraBytes, imageBytes, folder); });
    });
    const auto pointCounts =
        images.decode([&](auto bytes) { return pointsByName(bytes, folder / "images.bin"); });
    for (const Photo& photo : read.photos) {
        const auto index = parseNumber<std::size_t>(fs::path(photo.name).stem().string());
        if (!index || *index >= photographs)
            throw FormatError({(folder / "images.bin").string(), "",
                               fmt::format("names {}, which was not asked for", photo.name), ""});
        model.images.push_back({*index, photo.pose, photo.lens, pointCounts.at(photo.name)});
    }
    model.points = points.decode(
        [&](auto bytes) { return decodeSparsePoints(bytes, folder / "points3D.bin"); });
    return model;
}

}  // namespace threefold::structure_from_motion
