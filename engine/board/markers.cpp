#include "engine/board/markers.h"

#include "engine/error.h"

#ifndef THREEFOLD_BOARD

namespace threefold::board {
namespace {
[[noreturn]] void refuse() {
    throw InputError({"board", "", "this build knows no markers: it has no libapriltag",
                      "Build with -DTHREEFOLD_BOARD=ON."});
}
}  // namespace
std::vector<Marker> findMarkers(const Image&) {
    refuse();
}
std::array<std::array<bool, 8>, 8> markerBits(int) {
    refuse();
}
}  // namespace threefold::board

#else

#include <algorithm>
#include <cstddef>
#include <memory>

#include <fmt/format.h>

#include <apriltag/apriltag.h>
#include <apriltag/tag36h11.h>

namespace threefold::board {
namespace {

using Family = std::unique_ptr<apriltag_family_t, void (*)(apriltag_family_t*)>;
using Detector = std::unique_ptr<apriltag_detector_t, void (*)(apriltag_detector_t*)>;
using Detections = std::unique_ptr<zarray_t, void (*)(zarray_t*)>;

Family family() {
    return {tag36h11_create(), tag36h11_destroy};
}

std::vector<std::uint8_t> greyOf(const Image& image) {
    std::vector<std::uint8_t> grey(image.rgba.size() / 4);
    const std::uint8_t* from = image.rgba.data();
    for (std::uint8_t& pixel : grey) {
        pixel = static_cast<std::uint8_t>((from[0] + 2 * from[1] + from[2]) / 4);
        from += 4;
    }
    return grey;
}

}  // namespace

std::vector<Marker> findMarkers(const Image& photograph) {
    constexpr int kSearchSide = 2000;  // pixels a side of the picture searched for squares
    constexpr int kCorrectedBits = 1;  // bits; with two the tables take 30 ms
    const int shorterSide = std::min(photograph.width, photograph.height);
    if (shorterSide < kMinPictureSide)
        throw InputError({"photograph", "",
                          fmt::format("is {} × {} pixels, markers are looked for in pictures of at "
                                      "least {} a side",
                                      photograph.width, photograph.height, kMinPictureSide),
                          "Take a larger one."});
    const Family tags = family();
    const Detector detector(apriltag_detector_create(), apriltag_detector_destroy);
    apriltag_detector_add_family_bits(detector.get(), tags.get(), kCorrectedBits);
    const int longerSide = std::max(photograph.width, photograph.height);
    // libapriltag reads out of bounds in a picture decimated to less than one of its tiles.
    const int decimation =
        std::min((longerSide + kSearchSide / 2) / kSearchSide, shorterSide / kMinPictureSide);
    detector->quad_decimate = static_cast<float>(std::max(1, decimation));
    std::vector<std::uint8_t> grey = greyOf(photograph);
    image_u8_t picture{photograph.width, photograph.height, photograph.width, grey.data()};
    const Detections detections(apriltag_detector_detect(detector.get(), &picture),
                                apriltag_detections_destroy);
    std::vector<Marker> markers;
    for (int i = 0; i < zarray_size(detections.get()); ++i) {
        apriltag_detection_t* detection = nullptr;
        zarray_get(detections.get(), i, &detection);
        Marker& marker = markers.emplace_back();
        marker.id = detection->id;
        for (std::size_t k = 0; k < 4; ++k)
            marker.corners[k] = {detection->p[k][0], detection->p[k][1]};
    }
    std::ranges::sort(markers, {}, &Marker::id);
    const auto repeated = [&](const Marker& marker) {
        return std::ranges::count(markers, marker.id, &Marker::id) > 1;
    };
    std::vector<Marker> unique;
    std::ranges::remove_copy_if(markers, std::back_inserter(unique), repeated);
    return unique;
}

std::array<std::array<bool, 8>, 8> markerBits(int id) {
    const Family tags = family();
    const std::uint64_t code = tags->codes[id];
    std::array<std::array<bool, 8>, 8> bits{};
    for (auto& row : bits) row.fill(true);
    for (std::uint32_t i = 0; i < tags->nbits; ++i)
        bits[tags->bit_y[i]][tags->bit_x[i]] = (code >> (tags->nbits - i - 1) & 1U) == 0;
    return bits;
}

}  // namespace threefold::board

#endif
