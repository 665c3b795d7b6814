#include "engine/board/markers.h"

#include "engine/error.h"

#ifndef THREEFOLD_BOARD

namespace threefold::board {
namespace {
[[noreturn]] void refuse() {
    throw InputError({"board", "", "this build cannot detect markers: it has no libapriltag",
                      "Build with -DTHREEFOLD_BOARD=ON."});
}
}  // namespace
bool canDetectMarkers() {
    return false;
}
std::vector<Marker> detectMarkers(const Image&, const MarkerFamily&, const std::filesystem::path&) {
    refuse();
}
std::vector<std::vector<Marker>> detectMarkers(const Image&, std::span<const MarkerFamily* const>,
                                               const std::filesystem::path&) {
    refuse();
}
std::vector<MarkerBits> markerBits(std::span<const int>, const MarkerFamily&) {
    refuse();
}
}  // namespace threefold::board

#else

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <string>

#include <fmt/format.h>

#include <apriltag/apriltag.h>
#include <apriltag/tag16h5.h>
#include <apriltag/tag25h9.h>
#include <apriltag/tag36h10.h>
#include <apriltag/tag36h11.h>

namespace threefold::board {
namespace {

using Detector = std::unique_ptr<apriltag_detector_t, void (*)(apriltag_detector_t*)>;
using Detections = std::unique_ptr<zarray_t, void (*)(zarray_t*)>;

struct Cell {
    std::uint32_t x = 0, y = 0;
};

/// Cells of a square of `side` bits, with a border one bit wide, in libapriltag's order: each
/// quarter of the cells is the previous quarter turned by 90°; the central cell of an odd square is
/// last.
std::vector<Cell> cellsByQuarters(int side) {
    std::vector<Cell> cells;
    const auto last = static_cast<std::uint32_t>(side) + 1;
    for (std::uint32_t y = 1; 2 * y <= last; ++y)
        for (std::uint32_t x = y; x < last - y; ++x) cells.push_back({x, y});
    const std::size_t quarter = cells.size();
    for (std::size_t i = 0; i < 3 * quarter; ++i) cells.push_back({last - cells[i].y, cells[i].x});
    if (side % 2 == 1) cells.push_back({last / 2, last / 2});
    return cells;
}

struct LibraryFamily {
    std::string_view name;
    apriltag_family_t* (*create)();
    void (*destroy)(apriltag_family_t*);
};
constexpr LibraryFamily kLibraryFamilies[] = {
    {"tag36h11", tag36h11_create, tag36h11_destroy},
    {"tag16h5", tag16h5_create, tag16h5_destroy},
    {"tag25h9", tag25h9_create, tag25h9_destroy},
    {"tag36h10", tag36h10_create, tag36h10_destroy},
};

/// A family in libapriltag's form: one of the library's own, or one made from MarkerFamily::codes.
class DetectorFamily {
  public:
    explicit DetectorFamily(const MarkerFamily& family) : name_(family.name) {
        if (family.codes.empty()) {
            const auto* own =
                std::ranges::find(kLibraryFamilies, family.name, &LibraryFamily::name);
            if (own == std::end(kLibraryFamilies))
                throw InputError({std::string(family.name), "", "is no family of markers", ""});
            libraryFamily_ = {own->create(), own->destroy};
            return;
        }
        const std::vector<Cell> cells = cellsByQuarters(family.bitsPerSide);
        for (const Cell& cell : cells) {
            x_.push_back(cell.x);
            y_.push_back(cell.y);
        }
        const auto side = static_cast<std::uint32_t>(family.bitsPerSide);
        for (int id = 0; id < family.idCount; ++id) {
            const std::uint64_t byRows = family.code(id);
            std::uint64_t& code = codes_.emplace_back(0);
            for (const Cell& cell : cells) {
                const std::uint32_t row = (cell.y - 1) * side + cell.x - 1;
                code = code << 1U | (byRows >> (side * side - 1 - row) & 1U);
            }
        }
        ownFamily_.ncodes = static_cast<std::uint32_t>(codes_.size());
        ownFamily_.codes = codes_.data();
        ownFamily_.width_at_border = family.bitsPerSide + 2;
        ownFamily_.total_width = family.bitsPerSide + 4;
        ownFamily_.reversed_border = false;
        ownFamily_.nbits = static_cast<std::uint32_t>(cells.size());
        ownFamily_.bit_x = x_.data();
        ownFamily_.bit_y = y_.data();
        ownFamily_.h = 1;
        ownFamily_.name = name_.data();
    }
    DetectorFamily(const DetectorFamily&) = delete;

    apriltag_family_t* get() { return libraryFamily_ ? libraryFamily_.get() : &ownFamily_; }

    /// Whether a marker looks the same after a turn, so that its corners cannot be told apart.
    bool isSymmetric(int id) {
        const std::uint32_t middle = get()->nbits % 4;
        const std::uint32_t bits = get()->nbits - middle;
        const std::uint64_t all = (std::uint64_t{1} << bits) - 1;
        const std::uint64_t code = get()->codes[id] >> middle;
        for (std::uint32_t turn = 1; turn < 4; ++turn) {
            const std::uint32_t shift = turn * bits / 4;
            if (((code << shift | code >> (bits - shift)) & all) == code) return true;
        }
        return false;
    }

  private:
    std::unique_ptr<apriltag_family_t, void (*)(apriltag_family_t*)> libraryFamily_{nullptr,
                                                                                    nullptr};
    apriltag_family_t ownFamily_{};
    std::vector<std::uint64_t> codes_;
    std::vector<std::uint32_t> x_, y_;
    std::string name_;
};

/// Grey levels that libapriltag searches: (red + 2 green + blue) / 4.
std::vector<std::uint8_t> detectionGrey(const Image& image) {
    std::vector<std::uint8_t> grey(image.rgba.size() / 4);
    const std::uint8_t* from = image.rgba.data();
    for (std::uint8_t& pixel : grey) {
        pixel = static_cast<std::uint8_t>((from[0] + 2 * from[1] + from[2]) / 4);
        from += 4;
    }
    return grey;
}

std::vector<Marker> sortedUnique(std::vector<Marker> markers) {
    std::ranges::sort(markers, {}, &Marker::id);
    const auto repeated = [&](const Marker& marker) {
        return std::ranges::count(markers, marker.id, &Marker::id) > 1;
    };
    std::vector<Marker> unique;
    std::ranges::remove_copy_if(markers, std::back_inserter(unique), repeated);
    return unique;
}

}  // namespace

bool canDetectMarkers() {
    return true;
}

std::vector<Marker> detectMarkers(const Image& photograph, const MarkerFamily& family,
                                  const std::filesystem::path& subject) {
    const MarkerFamily* one = &family;
    return std::move(detectMarkers(photograph, {&one, 1}, subject).front());
}

std::vector<std::vector<Marker>> detectMarkers(const Image& photograph,
                                               std::span<const MarkerFamily* const> families,
                                               const std::filesystem::path& subject) {
    constexpr int kSearchSide = 2000;  // approximate longer side of the searched picture, pixels
    const int shorterSide = std::min(photograph.width, photograph.height);
    if (shorterSide < kMinMarkerPictureSide)
        throw InputError(
            {subject.string(), "",
             fmt::format("is {} × {} pixels, but markers are only found in pictures of "
                         "at least {} pixels a side",
                         photograph.width, photograph.height, kMinMarkerPictureSide),
             "Take a larger photograph."});
    std::vector<std::unique_ptr<DetectorFamily>> detectorFamilies;  // outlive the detector
    const Detector detector(apriltag_detector_create(), apriltag_detector_destroy);
    for (const MarkerFamily* family : families) {
        detectorFamilies.push_back(std::make_unique<DetectorFamily>(*family));
        // maxCorrectedBits is at most 1: the tables for 2 wrong bits would take 30 ms to make.
        apriltag_detector_add_family_bits(detector.get(), detectorFamilies.back()->get(),
                                          family->maxCorrectedBits);
    }
    // libapriltag reads out of bounds in a picture decimated to less than one of its tiles.
    const int decimation =
        std::min((ImageSize{photograph.width, photograph.height}.longerSide() + kSearchSide / 2) /
                     kSearchSide,
                 shorterSide / kMinMarkerPictureSide);
    detector->quad_decimate = static_cast<float>(std::max(1, decimation));
    std::vector<std::uint8_t> grey = detectionGrey(photograph);
    image_u8_t picture{photograph.width, photograph.height, photograph.width, grey.data()};
    const Detections detections(apriltag_detector_detect(detector.get(), &picture),
                                apriltag_detections_destroy);
    std::vector<std::vector<Marker>> markers(families.size());
    for (int i = 0; i < zarray_size(detections.get()); ++i) {
        apriltag_detection_t* detection = nullptr;
        zarray_get(detections.get(), i, &detection);
        const auto family = std::ranges::find(detectorFamilies, detection->family,
                                              [](const auto& tag) { return tag->get(); });
        if ((*family)->isSymmetric(detection->id)) continue;
        Marker& marker =
            markers[static_cast<std::size_t>(family - detectorFamilies.begin())].emplace_back();
        marker.id = detection->id;
        for (std::size_t k = 0; k < 4; ++k)
            marker.corners[k] = {detection->p[k][0], detection->p[k][1]};
    }
    for (std::vector<Marker>& each : markers) each = sortedUnique(std::move(each));
    return markers;
}

std::vector<MarkerBits> markerBits(std::span<const int> ids, const MarkerFamily& family) {
    DetectorFamily detectorFamily(family);
    const apriltag_family_t& tags = *detectorFamily.get();
    const std::size_t side = printedBitsPerSide(family);
    std::vector<MarkerBits> markers(ids.size(), MarkerBits(side, std::vector<bool>(side, true)));
    for (std::size_t marker = 0; marker < ids.size(); ++marker) {
        const std::uint64_t code = tags.codes[ids[marker]];
        for (std::uint32_t i = 0; i < tags.nbits; ++i)
            markers[marker][tags.bit_y[i]][tags.bit_x[i]] =
                (code >> (tags.nbits - i - 1) & 1U) == 0;
    }
    return markers;
}

}  // namespace threefold::board

#endif
