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
    constexpr int kEnough = 2000;  // pixels a side in which to look for squares
    constexpr int kCorrected = 1;  // bits; with two the tables take 30 ms
    const int narrow = std::min(photograph.width, photograph.height);
    if (narrow < kNarrowestPicture)
        throw InputError({"photograph", "",
                          fmt::format("is {} × {} pixels, markers are looked for in pictures of at "
                                      "least {} a side",
                                      photograph.width, photograph.height, kNarrowestPicture),
                          "Take a larger one."});
    const Family known = family();
    const Detector detector(apriltag_detector_create(), apriltag_detector_destroy);
    apriltag_detector_add_family_bits(detector.get(), known.get(), kCorrected);
    const int side = std::max(photograph.width, photograph.height);
    // libapriltag reads beyond the pixels of a picture that is thinned to fewer than its tiles
    // have.
    const int thinned = std::min((side + kEnough / 2) / kEnough, narrow / kNarrowestPicture);
    detector->quad_decimate = static_cast<float>(std::max(1, thinned));
    std::vector<std::uint8_t> grey = greyOf(photograph);
    image_u8_t picture{photograph.width, photograph.height, photograph.width, grey.data()};
    const Detections found(apriltag_detector_detect(detector.get(), &picture),
                           apriltag_detections_destroy);
    std::vector<Marker> markers;
    for (int i = 0; i < zarray_size(found.get()); ++i) {
        apriltag_detection_t* each = nullptr;
        zarray_get(found.get(), i, &each);
        Marker& marker = markers.emplace_back();
        marker.id = each->id;
        for (std::size_t k = 0; k < 4; ++k) marker.corners[k] = {each->p[k][0], each->p[k][1]};
    }
    std::ranges::sort(markers, {}, &Marker::id);
    const auto repeated = [&](const Marker& marker) {
        return std::ranges::count(markers, marker.id, &Marker::id) > 1;
    };
    std::vector<Marker> once;
    std::ranges::remove_copy_if(markers, std::back_inserter(once), repeated);
    return once;
}

std::array<std::array<bool, 8>, 8> markerBits(int id) {
    const Family known = family();
    const std::uint64_t code = known->codes[id];
    std::array<std::array<bool, 8>, 8> bits{};
    for (auto& row : bits) row.fill(true);
    for (std::uint32_t i = 0; i < known->nbits; ++i)
        bits[known->bit_y[i]][known->bit_x[i]] = (code >> (known->nbits - i - 1) & 1U) == 0;
    return bits;
}

}  // namespace threefold::board

#endif
