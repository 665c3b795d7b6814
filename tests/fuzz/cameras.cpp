#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "engine/sample/posed_photos/camera_decoders.h"
#include "engine/sample/posed_photos/camera_matrices.h"
#include "tests/fuzz/targets.h"

namespace threefold::test {
namespace {

/// Folder that does not exist, so that no photograph is found.
constexpr const char* kFolder = "no-such-folder";

void check(const CameraFile& read) {
    for (const Photo& photo : read.photos) {
        if (photo.name.empty() && read.format == "COLMAP")
            throw std::runtime_error("a photograph without a name");
        for (int axis = 0; axis < 3; ++axis)
            if (!std::isfinite(photo.pose.centre[axis]))
                throw std::runtime_error("a camera centre that is not finite");
        if (!std::isfinite(photo.lens.focalX + photo.lens.focalY))
            throw std::runtime_error("a lens that is not finite");
        if (photo.lens.width < 0 || photo.lens.height < 0)
            throw std::runtime_error("a photograph of negative size");
    }
}

}  // namespace

void fuzzCameras(FuzzBytes bytes) {
    check(decodeCameraJson(bytes, std::filesystem::path(kFolder) / "transforms.json"));
}

void fuzzColmap(FuzzBytes bytes) {
    const auto end = std::find(bytes.begin(), bytes.end(), std::byte{0});
    const FuzzBytes cameras(bytes.begin(), end);
    check(
        decodeColmap(cameras, bytes.subspan(std::min(cameras.size() + 1, bytes.size())), kFolder));
}

void fuzzColmapBinary(FuzzBytes bytes) {
    constexpr std::size_t kSize = 2;
    if (bytes.size() < kSize) return;
    const std::size_t size =
        std::to_integer<std::size_t>(bytes[0]) + 256 * std::to_integer<std::size_t>(bytes[1]);
    const FuzzBytes rest = bytes.subspan(kSize);
    const FuzzBytes cameras = rest.first(std::min(size, rest.size()));
    check(decodeColmapBinary(cameras, rest.subspan(cameras.size()), kFolder).cameras);
}

void fuzzCameraArrays(FuzzBytes bytes) {
    check(decodeCameraArrays(bytes, std::filesystem::path(kFolder) / "cameras.npz"));
}

void fuzzMetashape(FuzzBytes bytes) {
    check(decodeMetashape(bytes, std::filesystem::path(kFolder) / "cameras.xml"));
}

void fuzzMvsnet(FuzzBytes bytes) {
    CameraFile read;
    decodeMvsnet(bytes, std::filesystem::path(kFolder) / "cams/0_cam.txt",
                 read.photos.emplace_back());
    check(read);
}

void fuzzMiddlebury(FuzzBytes bytes) {
    check(decodeMiddlebury(bytes, std::filesystem::path(kFolder) / "a_par.txt"));
}

void fuzzLlff(FuzzBytes bytes) {
    check(decodeLlff(bytes, std::filesystem::path(kFolder) / "poses_bounds.npy"));
}

void fuzzBundler(FuzzBytes bytes) {
    const auto end = std::find(bytes.begin(), bytes.end(), std::byte{0});
    const FuzzBytes list(bytes.begin(), end);
    const std::filesystem::path folder(kFolder);
    check(decodeBundler(bytes.subspan(std::min(list.size() + 1, bytes.size())),
                        folder / "bundle.out", list, folder / "list.txt"));
}

void fuzzNumbers(FuzzBytes bytes) {
    constexpr std::size_t kCount = 9;
    const std::vector<double> numbers =
        decodeNumbers(bytes, std::filesystem::path(kFolder) / "0_k.txt", kCount);
    if (numbers.size() != kCount) throw std::runtime_error("a wrong count of numbers");
    for (const double number : numbers)
        if (!std::isfinite(number)) throw std::runtime_error("a number that is not finite");
}

}  // namespace threefold::test
