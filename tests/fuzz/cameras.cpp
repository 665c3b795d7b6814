#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "engine/sample/posed_photos/camera_file.h"
#include "tests/fuzz/targets.h"

namespace threefold::test {
namespace {

/// Of a folder that is not there, so that no photograph is found.
constexpr const char* kFolder = "no-such-folder";

void check(const CameraFile& read) {
    for (const Photo& photo : read.photos) {
        if (photo.name.empty() && read.format == "COLMAP")
            throw std::runtime_error("a photograph without a name");
        for (int axis = 0; axis < 3; ++axis)
            if (!std::isfinite(photo.camera.origin[axis]))
                throw std::runtime_error("a camera that is not anywhere");
        if (!std::isfinite(photo.lens.focalX + photo.lens.focalY))
            throw std::runtime_error("a lens that is not finite");
        if (photo.lens.width < 0 || photo.lens.height < 0)
            throw std::runtime_error("a photograph of less than nothing");
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

}  // namespace threefold::test
