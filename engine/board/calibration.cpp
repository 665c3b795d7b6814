#include "engine/board/calibration.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "engine/board/adjustment.h"
#include "engine/board/board_layout.h"
#include "engine/error.h"

namespace threefold::board {
namespace {

constexpr std::size_t kFewestMarkers = 2;

double longerSide(ImageSize size) {
    return std::max(size.width, size.height);
}

AdjustedLens defaultLens(const Sighting& sighting) {
    return {defaultFocal(sighting.size, sighting.focal35), sighting.size.width / 2.0,
            sighting.size.height / 2.0, 0, 0};
}

/// Standard deviations among lenses; EXIF's focal length is rounded, and nominal.
AdjustedLens variationOf(const Sighting& sighting) {
    constexpr double kFocal = 0.04, kGuessedFocal = 0.4, kCentre = 0.015, kRadial = 0.1;
    const double centre = kCentre * longerSide(sighting.size);
    return {defaultLens(sighting).focal * (sighting.focal35 ? kFocal : kGuessedFocal), centre,
            centre, kRadial, kRadial};
}

class Calibrator {
  public:
    Calibrator(const std::vector<Sighting>& sightings, double side, const std::stop_token& cancel)
        : sightings_(sightings), cancel_(cancel) {
        made_.knownLayout = std::ranges::any_of(sightings, [](const Sighting& each) {
            return std::ranges::any_of(each.markers, [](const Marker& marker) {
                return markerCentre(marker.id).has_value();
            });
        });
        all_.markerPosesKnown = made_.knownLayout;
        all_.side = made_.knownLayout ? kMarkerSide : side;
    }

    Calibration calibrate() {
        collect();
        if (made_.knownLayout)
            startFromBoard();
        else
            startFromChain();
        requireTwo();
        dropUnplaced();
        all_.solve(cancel_);
        leaveOutWorst();
        finish();
        return std::move(made_);
    }

  private:
    void leaveOut(std::size_t sighting, std::string reason) {
        made_.leftOut.emplace_back(sighting, std::move(reason));
    }

    /// Photographs with enough markers, their lenses, and all that they see.
    void collect() {
        std::map<std::tuple<int, int, double>, std::size_t> lenses;
        std::map<int, std::size_t> numbers;
        for (std::size_t i = 0; i < sightings_.size(); ++i) {
            const Sighting& each = sightings_[i];
            std::vector<const Marker*> usable;
            for (const Marker& marker : each.markers)
                if (!made_.knownLayout || markerCentre(marker.id)) usable.push_back(&marker);
            if (usable.size() < kFewestMarkers) {
                leaveOut(i, usable.empty() ? "shows no marker"
                                           : fmt::format("shows {} marker, {} are needed",
                                                         usable.size(), kFewestMarkers));
                continue;
            }
            const auto [lens, isNew] = lenses.try_emplace(
                {each.size.width, each.size.height, each.focal35.value_or(0)}, lenses.size());
            if (isNew) {
                all_.mean.push_back(defaultLens(each));
                all_.sigma.push_back(variationOf(each));
            }
            all_.lensOf.push_back(lens->second);
            for (const Marker* marker : usable) {
                const auto [number, added] = numbers.try_emplace(marker->id, numbers.size());
                if (added) ids_.push_back(marker->id);
                all_.seen.push_back({photos_.size(), number->second, marker->corners});
            }
            photos_.push_back(i);
        }
        all_.lenses = all_.mean;
        all_.poses.resize(photos_.size());
        all_.markerPoses.resize(ids_.size());
        placed_.assign(photos_.size(), false);
    }

    void startFromBoard() {
        for (std::size_t i = 0; i < ids_.size(); ++i)
            all_.markerPoses[i].translation = glm::dvec3(*markerCentre(ids_[i]), 0);
        for (std::size_t photo = 0; photo < photos_.size(); ++photo) {
            std::vector<glm::dvec2> from;
            std::vector<glm::dvec2> to;
            for (const MarkerSeen& each : all_.seen)
                if (each.photo == photo)
                    for (std::size_t k = 0; k < 4; ++k) {
                        from.push_back(glm::dvec2(all_.markerPoses[each.marker].translation) +
                                       kCorners[k] * (all_.side / 2));
                        to.push_back(each.corners[k]);
                    }
            glm::dmat3 homography;
            if (!findHomography(from, to, homography)) continue;
            all_.poses[photo] = poseOfHomography(homography, all_.lenses[all_.lensOf[photo]]);
            placed_[photo] = true;
        }
    }

    /// The marker in the camera's space, by its own four corners.
    Rigid alone(const MarkerSeen& each) const {
        std::vector<glm::dvec2> from;
        from.reserve(kCorners.size());
        for (const glm::dvec2& corner : kCorners) from.push_back(corner * (all_.side / 2));
        glm::dmat3 homography(1.0);
        findHomography(from, {each.corners.begin(), each.corners.end()}, homography);
        return poseOfHomography(homography, all_.lenses[all_.lensOf[each.photo]]);
    }

    static double extentOf(const MarkerSeen& each) {
        return std::min(glm::length(each.corners[2] - each.corners[0]),
                        glm::length(each.corners[3] - each.corners[1]));
    }

    /// From the marker that is seen most, on over what is seen largest.
    void startFromChain() {
        std::vector<std::size_t> counts(ids_.size(), 0);
        for (const MarkerSeen& each : all_.seen) ++counts[each.marker];
        if (counts.empty()) return;
        const auto first =
            static_cast<std::size_t>(std::ranges::max_element(counts) - counts.begin());
        for (MarkerSeen& each : all_.seen)  // the one that stays is number 0
            each.marker = each.marker == first ? 0 : each.marker == 0 ? first : each.marker;
        std::swap(ids_[0], ids_[first]);
        std::vector<bool> known(ids_.size(), false);
        known[0] = true;
        while (true) {
            const MarkerSeen* next = nullptr;
            for (const MarkerSeen& each : all_.seen)
                if (placed_[each.photo] != known[each.marker] &&
                    (next == nullptr || extentOf(each) > extentOf(*next)))
                    next = &each;
            if (next == nullptr) break;
            const Rigid marker = alone(*next);
            Rigid& place = all_.markerPoses[next->marker];
            Rigid& pose = all_.poses[next->photo];
            if (placed_[next->photo]) {
                const glm::dmat3 back = glm::transpose(pose.rotation);
                place = {back * marker.rotation, back * (marker.translation - pose.translation)};
                known[next->marker] = true;
            } else {
                const glm::dmat3 turn = marker.rotation * glm::transpose(place.rotation);
                pose = {turn, marker.translation - turn * place.translation};
                placed_[next->photo] = true;
            }
        }
        std::erase_if(all_.seen, [&](const MarkerSeen& each) { return !known[each.marker]; });
    }

    void requireTwo() const {
        const auto placed = std::ranges::count(placed_, true);
        if (placed >= 2) return;
        throw InputError(
            {"board", "",
             fmt::format("two markers or more are in {} of {} photographs, and have to be in two",
                         placed, sightings_.size()),
             "Print the board ('threefold board' draws it), lay it flat, and take "
             "photographs in which most of it is visible and sharp."});
    }

    /// Removes the photographs that are not placed, and all that they saw.
    void dropUnplaced() {
        std::vector<std::size_t> number(photos_.size(), 0);
        std::size_t kept = 0;
        for (std::size_t i = 0; i < photos_.size(); ++i) {
            number[i] = kept;
            if (!placed_[i]) continue;
            photos_[kept] = photos_[i];
            all_.lensOf[kept] = all_.lensOf[i];
            all_.poses[kept] = all_.poses[i];
            ++kept;
        }
        std::erase_if(all_.seen, [&](const MarkerSeen& each) { return !placed_[each.photo]; });
        for (MarkerSeen& each : all_.seen) each.photo = number[each.photo];
        photos_.resize(kept);
        all_.lensOf.resize(kept);
        all_.poses.resize(kept);
        placed_.assign(kept, true);
    }

    /// Photographs that do not fit with the others: another board, or one that was moved.
    void leaveOutWorst() {
        constexpr double kMost = 0.004;  // of the longer side: 16 of 4000 pixels
        bool any = false;
        for (std::size_t i = 0; i < photos_.size(); ++i) {
            const double error = errorOf(i).first;
            if (error <= kMost * longerSide(sightings_[photos_[i]].size)) continue;
            leaveOut(photos_[i], fmt::format("shows its markers {:.1f} pixels from where they "
                                             "belong: was the board moved, or is it bent?",
                                             error));
            placed_[i] = false;
            any = true;
        }
        if (!any) return;
        requireTwo();
        dropUnplaced();
        all_.solve(cancel_);
    }

    /// Root mean square and number of the markers, but for outliers among these.
    std::pair<double, std::size_t> errorOf(std::size_t photo) const {
        std::vector<double> errors;
        for (const MarkerSeen& each : all_.seen)
            if (each.photo == photo) errors.push_back(all_.error(each));
        std::ranges::sort(errors);
        constexpr double kOutlier = 6;  // times the median
        const double most = kOutlier * errors[errors.size() / 2];
        std::erase_if(errors, [&](double error) { return error > most; });
        double sum = 0;
        for (const double error : errors) sum += error * error;
        return {std::sqrt(sum / static_cast<double>(errors.size())), errors.size()};
    }

    /// Whether all markers lie in the first one's plane.
    bool isFlat() const {
        constexpr double kFlat = 0.05;  // of the farthest marker's distance
        double above = 0;
        double far = 0;
        for (const Rigid& place : all_.markerPoses) {
            above = std::max(above, std::abs(place.translation.z));
            far = std::max(far, glm::length(place.translation));
        }
        return above <= kFlat * far;
    }

    void finish() {
        double sum = 0;
        std::size_t count = 0;
        for (std::size_t i = 0; i < photos_.size(); ++i) {
            const Sighting& sighting = sightings_[photos_[i]];
            const AdjustedLens& lens = all_.lenses[all_.lensOf[i]];
            const Rigid& pose = all_.poses[i];
            BoardCamera& made = made_.cameras.emplace_back();
            made.sighting = photos_[i];
            // From y down, looking along +z.
            const glm::dmat3 turned(1, 0, 0, 0, -1, 0, 0, 0, -1);
            made.camera.rotation = turned * pose.rotation;
            made.camera.origin = -(glm::transpose(pose.rotation) * pose.translation);
            made.lens.width = sighting.size.width;
            made.lens.height = sighting.size.height;
            made.lens.focalX = made.lens.focalY = lens.focal;
            made.lens.centreX = lens.centreX;
            made.lens.centreY = lens.centreY;
            made.lens.k1 = lens.k1;
            made.lens.k2 = lens.k2;
            std::tie(made.error, made.markers) = errorOf(i);
            sum += made.error * made.error * static_cast<double>(made.markers);
            count += made.markers;
        }
        made_.error = std::sqrt(sum / static_cast<double>(count));
        made_.upIsKnown = made_.knownLayout || isFlat();
        std::ranges::sort(made_.leftOut);
    }

    const std::vector<Sighting>& sightings_;
    const std::stop_token& cancel_;
    Adjustment all_;
    std::vector<std::size_t> photos_;  ///< the sightings of all_.poses
    std::vector<int> ids_;             ///< the markers of all_.places
    std::vector<bool> placed_;         ///< whether a pose has its start
    Calibration made_;
};

}  // namespace

double defaultFocal(ImageSize size, std::optional<double> focal35) {
    constexpr double kDefault = 26;  // mm: a telephone's main camera
    return focal35.value_or(kDefault) * std::hypot(size.width, size.height) / kFilmDiagonal;
}

Calibration calibrate(const std::vector<Sighting>& sightings, double side,
                      const std::stop_token& cancel) {
    return Calibrator(sightings, side, cancel).calibrate();
}

}  // namespace threefold::board
