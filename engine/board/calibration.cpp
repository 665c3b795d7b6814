#include "engine/board/calibration.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <tuple>

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "engine/board/adjustment.h"
#include "engine/board/board_layout.h"
#include "engine/error.h"
#include "engine/formats/pictures/exif.h"
#include "engine/views/pose.h"

namespace threefold::board {
namespace {

constexpr std::size_t kMinMarkers = 2;
constexpr double kMaxError = 0.004;  // of the longer side: 16 of 4000 pixels

double longerSide(ImageSize size) {
    return std::max(size.width, size.height);
}

RadialLens defaultLens(const PhotographMarkers& photograph) {
    return {focalLengthPixels(photograph.size, photograph.focalLength35mm),
            photograph.size.width / 2.0, photograph.size.height / 2.0, 0, 0};
}

/// Standard deviations of the lens prior; EXIF focal lengths are rounded and nominal.
RadialLens lensSigma(const PhotographMarkers& photograph) {
    constexpr double kFocal = 0.04, kGuessedFocal = 0.4, kCentre = 0.015, kRadial = 0.1;
    const double centre = kCentre * longerSide(photograph.size);
    return {defaultLens(photograph).focal * (photograph.focalLength35mm ? kFocal : kGuessedFocal),
            centre, centre, kRadial, kRadial};
}

/// Bundle adjustment over the markers' corners: Cauchy loss, Gauss-Newton steps with
/// Levenberg-Marquardt damping. Photographs of one size and EXIF focal length share a lens (focal
/// length, principal point, k1, k2) with a Gaussian prior over typical lenses, which dominates when
/// there are few views. A marker whose reprojection error stays large was a false detection in some
/// texture and does not count in that photograph.
class Calibrator {
  public:
    Calibrator(const std::vector<PhotographMarkers>& photographs, const MarkerFamily& family,
               double markerSide, const std::stop_token& cancel)
        : photographs_(photographs), family_(family), cancel_(cancel) {
        const auto showsBoard = [](const PhotographMarkers& photograph) {
            return std::ranges::any_of(photograph.markers, [](const Marker& marker) {
                return markerCentre(marker.id).has_value();
            });
        };
        result_.hasPrintedBoard =
            &family == &boardFamily() && std::ranges::any_of(photographs, showsBoard);
        problem_.markerPosesKnown = result_.hasPrintedBoard;
        problem_.markerSide = result_.hasPrintedBoard ? kMarkerSide : markerSide;
    }

    Calibration calibrate() {
        collect();
        if (result_.hasPrintedBoard)
            startFromBoard();
        else
            startFromChain();
        requireTwo("show two markers or more",
                   "Print the board ('threefold board' draws it), lay it flat, and take "
                   "photographs in which most of it is visible and sharp.");
        leaveOutWithoutPose();
        adjustBundle(problem_, state_, cancel_);
        leaveOutOutliers();
        finish();
        return std::move(result_);
    }

  private:
    void leaveOut(std::size_t photograph, std::string reason) {
        result_.leftOut.push_back({photograph, std::move(reason)});
    }

    /// Collects the photographs with enough markers, their lenses and observations.
    void collect() {
        std::map<std::tuple<int, int, double>, std::size_t> lenses;
        std::map<int, std::size_t> markerIndices;
        std::map<int, std::size_t> seen;
        for (const PhotographMarkers& photograph : photographs_)
            for (const Marker& marker : photograph.markers) ++seen[marker.id];
        for (std::size_t i = 0; i < photographs_.size(); ++i) {
            const PhotographMarkers& photograph = photographs_[i];
            std::vector<const Marker*> usable;
            for (const Marker& marker : photograph.markers)
                if (result_.hasPrintedBoard ? markerCentre(marker.id).has_value()
                                            : seen[marker.id] > 1)
                    usable.push_back(&marker);
            if (usable.size() < kMinMarkers) {
                leaveOut(i, usable.empty() ? "shows no marker"
                                           : fmt::format("shows {} of the {} markers needed",
                                                         usable.size(), kMinMarkers));
                continue;
            }
            const auto [lens, isNew] =
                lenses.try_emplace({photograph.size.width, photograph.size.height,
                                    photograph.focalLength35mm.value_or(0)},
                                   lenses.size());
            if (isNew) {
                problem_.priors.push_back({defaultLens(photograph), lensSigma(photograph)});
                state_.lenses.push_back(problem_.priors.back().mean);
            }
            problem_.lensIndices.push_back(lens->second);
            for (const Marker* marker : usable) {
                const auto [markerIndex, added] =
                    markerIndices.try_emplace(marker->id, markerIndices.size());
                if (added) ids_.push_back(marker->id);
                problem_.observations.push_back(
                    {used_.size(), markerIndex->second, marker->corners});
            }
            used_.push_back(i);
        }
        state_.poses.resize(used_.size());
        state_.markerPoses.resize(ids_.size());
        hasPose_.assign(used_.size(), false);
    }

    void startFromBoard() {
        for (std::size_t i = 0; i < ids_.size(); ++i)
            state_.markerPoses[i].translation = glm::dvec3(*markerCentre(ids_[i]), 0);
        for (std::size_t photo = 0; photo < used_.size(); ++photo) {
            std::vector<glm::dvec2> from;
            std::vector<glm::dvec2> to;
            for (const MarkerObservation& observed : problem_.observations)
                if (observed.photographIndex == photo)
                    for (std::size_t k = 0; k < 4; ++k) {
                        from.push_back(
                            glm::dvec2(state_.markerPoses[observed.markerIndex].translation) +
                            kUnitMarkerCorners[k] * (problem_.markerSide / 2));
                        to.push_back(observed.corners[k]);
                    }
            const std::optional<glm::dmat3> homography = findHomography(from, to);
            if (!homography) continue;
            state_.poses[photo] =
                poseOfHomography(*homography, state_.lenses[problem_.lensIndices[photo]]);
            hasPose_[photo] = true;
        }
    }

    /// Pose of a marker in camera space, from its own four corners; nullopt if three of them lie in
    /// a line.
    std::optional<RigidTransform> poseInCamera(const MarkerObservation& observed) const {
        if (isLine(observed.corners)) return std::nullopt;
        std::vector<glm::dvec2> from;
        from.reserve(kUnitMarkerCorners.size());
        for (const glm::dvec2& corner : kUnitMarkerCorners)
            from.push_back(corner * (problem_.markerSide / 2));
        const std::optional<glm::dmat3> homography =
            findHomography(from, {observed.corners.begin(), observed.corners.end()});
        if (!homography) return std::nullopt;
        return poseOfHomography(*homography,
                                state_.lenses[problem_.lensIndices[observed.photographIndex]]);
    }

    /// Whether three corners lie nearly in a line: their homography is singular up to rounding.
    static bool isLine(const std::array<glm::dvec2, 4>& corners) {
        constexpr double kMinArea = 1e-3;  // of the longer diagonal's square
        const double diagonal =
            std::max(glm::length(corners[2] - corners[0]), glm::length(corners[3] - corners[1]));
        for (std::size_t k = 0; k < 4; ++k) {
            const glm::dvec2 a = corners[(k + 1) % 4] - corners[k];
            const glm::dvec2 b = corners[(k + 2) % 4] - corners[k];
            if (!(std::abs(a.x * b.y - a.y * b.x) > kMinArea * diagonal * diagonal)) return true;
        }
        return false;
    }

    static double extentOf(const MarkerObservation& observed) {
        return std::min(glm::length(observed.corners[2] - observed.corners[0]),
                        glm::length(observed.corners[3] - observed.corners[1]));
    }

    /// Chains start poses from the marker seen most often, largest observations first.
    void startFromChain() {
        std::erase_if(problem_.observations, [this](const MarkerObservation& observed) {
            return !poseInCamera(observed);
        });
        if (ids_.empty()) return;
        makeFirst(markerSeenMost());
        std::vector<bool> known(ids_.size(), false);
        known[0] = true;
        while (true) {
            const MarkerObservation* next = nullptr;
            for (const MarkerObservation& observed : problem_.observations)
                if (hasPose_[observed.photographIndex] != known[observed.markerIndex] &&
                    (next == nullptr || extentOf(observed) > extentOf(*next)))
                    next = &observed;
            if (next == nullptr) break;
            const RigidTransform inCamera = *poseInCamera(*next);
            RigidTransform& markerPose = state_.markerPoses[next->markerIndex];
            RigidTransform& pose = state_.poses[next->photographIndex];
            if (hasPose_[next->photographIndex]) {
                const glm::dmat3 toWorld = glm::transpose(pose.rotation);
                markerPose = {toWorld * inCamera.rotation,
                              toWorld * (inCamera.translation - pose.translation)};
                known[next->markerIndex] = true;
            } else {
                const glm::dmat3 rotation = inCamera.rotation * glm::transpose(markerPose.rotation);
                pose = {rotation, inCamera.translation - rotation * markerPose.translation};
                hasPose_[next->photographIndex] = true;
            }
        }
        std::erase_if(problem_.observations, [&](const MarkerObservation& observed) {
            return !known[observed.markerIndex];
        });
        dropUnobservedMarkers();
    }

    /// Index of the marker with the most observations; ids_ is not empty.
    std::size_t markerSeenMost() const {
        const std::vector<std::size_t> counts = observationCounts();
        return static_cast<std::size_t>(std::ranges::max_element(counts) - counts.begin());
    }

    /// Number of observations of each marker.
    std::vector<std::size_t> observationCounts() const {
        std::vector<std::size_t> counts(ids_.size(), 0);
        for (const MarkerObservation& observed : problem_.observations)
            ++counts[observed.markerIndex];
        return counts;
    }

    /// Makes a marker the first, whose pose the adjustment keeps: its coordinate system becomes the
    /// world.
    void makeFirst(std::size_t marker) {
        const RigidTransform toOldWorld = state_.markerPoses[marker];
        const glm::dmat3 toNewWorld = glm::transpose(toOldWorld.rotation);
        for (RigidTransform& pose : state_.markerPoses)
            pose = {toNewWorld * pose.rotation,
                    toNewWorld * (pose.translation - toOldWorld.translation)};
        for (RigidTransform& pose : state_.poses)
            pose = {pose.rotation * toOldWorld.rotation, pose.apply(toOldWorld.translation)};
        for (MarkerObservation& observed : problem_.observations)
            observed.markerIndex = observed.markerIndex == marker ? 0
                                   : observed.markerIndex == 0    ? marker
                                                                  : observed.markerIndex;
        std::swap(ids_[0], ids_[marker]);
        std::swap(state_.markerPoses[0], state_.markerPoses[marker]);
    }

    /// Removes markers without observations: no adjustment with their unknowns has a solution. If
    /// the first marker is one of them, the marker seen most often takes its place.
    void dropUnobservedMarkers() {
        if (problem_.observations.empty()) return;
        if (!problem_.markerPosesKnown && observationCounts()[0] == 0) makeFirst(markerSeenMost());
        const std::vector<std::size_t> observations = observationCounts();
        std::vector<std::size_t> newIndex(ids_.size(), 0);
        std::size_t count = 0;
        for (std::size_t i = 0; i < ids_.size(); ++i) {
            newIndex[i] = count;
            if (observations[i] == 0) continue;
            ids_[count] = ids_[i];
            state_.markerPoses[count] = state_.markerPoses[i];
            ++count;
        }
        for (MarkerObservation& observed : problem_.observations)
            observed.markerIndex = newIndex[observed.markerIndex];
        ids_.resize(count);
        state_.markerPoses.resize(count);
    }

    /// Throws InputError if fewer than two photographs have a pose; `condition`, which the others
    /// do not meet, follows "photographs" in the message: "show two markers or more".
    void requireTwo(std::string_view condition, std::string_view remedy) const {
        const auto posed = std::ranges::count(hasPose_, true);
        if (posed >= 2) return;
        throw InputError(
            {"board", "",
             fmt::format("only {} of {} photographs {}, and at least two photographs must", posed,
                         photographs_.size(), condition),
             std::string(remedy)});
    }

    /// Leaves out photographs without a start pose.
    void leaveOutWithoutPose() {
        for (std::size_t i = 0; i < used_.size(); ++i)
            if (!hasPose_[i])
                leaveOut(used_[i], result_.hasPrintedBoard
                                       ? "shows its markers so that no camera explains them"
                                       : "shares no usable marker with the other photographs");
        dropWithoutPose();
    }

    /// Removes photographs without a pose, and their observations.
    void dropWithoutPose() {
        std::vector<std::size_t> newIndex(used_.size(), 0);
        std::size_t count = 0;
        for (std::size_t i = 0; i < used_.size(); ++i) {
            newIndex[i] = count;
            if (!hasPose_[i]) continue;
            used_[count] = used_[i];
            problem_.lensIndices[count] = problem_.lensIndices[i];
            state_.poses[count] = state_.poses[i];
            ++count;
        }
        std::erase_if(problem_.observations, [&](const MarkerObservation& observed) {
            return !hasPose_[observed.photographIndex];
        });
        for (MarkerObservation& observed : problem_.observations)
            observed.photographIndex = newIndex[observed.photographIndex];
        used_.resize(count);
        problem_.lensIndices.resize(count);
        state_.poses.resize(count);
        hasPose_.assign(count, true);
    }

    /// Removes photographs that contradict the others: another board, or a moved one.
    void leaveOutOutliers() {
        bool any = false;
        for (std::size_t i = 0; i < used_.size(); ++i) {
            const double error = reprojectionErrorOf(i).first;
            if (error <= kMaxError * longerSide(photographs_[used_[i]].size)) continue;
            leaveOut(used_[i], fmt::format("shows its markers {:.1f} pixels away from the board's "
                                           "layout: was the board moved, or is it bent?",
                                           error));
            hasPose_[i] = false;
            any = true;
        }
        if (!any) return;
        requireTwo("agree with each other", "Do not move or bend the markers between photographs.");
        dropWithoutPose();
        dropUnobservedMarkers();
        adjustBundle(problem_, state_, cancel_);
    }

    /// RMS reprojection error and number of a photograph's markers, without outliers.
    std::pair<double, std::size_t> reprojectionErrorOf(std::size_t photo) const {
        std::vector<double> errors;
        for (const MarkerObservation& observed : problem_.observations)
            if (observed.photographIndex == photo)
                errors.push_back(board::reprojectionError(problem_, state_, observed));
        std::ranges::sort(errors);
        constexpr double kOutlier = 6;  // times the median
        const double limit = kOutlier * errors[errors.size() / 2];
        std::erase_if(errors, [&](double error) { return error > limit; });
        double sum = 0;
        for (const double error : errors) sum += error * error;
        return {std::sqrt(sum / static_cast<double>(errors.size())), errors.size()};
    }

    /// Indices of the markers that lie where they were seen.
    std::vector<std::size_t> consistentMarkers() const {
        std::vector<std::vector<double>> errors(ids_.size());
        for (const MarkerObservation& observed : problem_.observations)
            errors[observed.markerIndex].push_back(
                board::reprojectionError(problem_, state_, observed) /
                longerSide(photographs_[used_[observed.photographIndex]].size));
        std::vector<std::size_t> consistent;
        for (std::size_t i = 0; i < errors.size(); ++i) {
            std::ranges::sort(errors[i]);
            if (!errors[i].empty() && errors[i][errors[i].size() / 2] <= kMaxError)
                consistent.push_back(i);
        }
        return consistent;
    }

    /// Whether these markers lie in the plane of the first.
    bool isFlat(const std::vector<std::size_t>& markers) const {
        constexpr double kFlat = 0.05;  // of the distance to the farthest marker
        double height = 0;
        double distance = 0;
        for (const std::size_t marker : markers) {
            const RigidTransform& pose = state_.markerPoses[marker];
            height = std::max(height, std::abs(pose.translation.z));
            distance = std::max(distance, glm::length(pose.translation));
        }
        return height <= kFlat * distance;
    }

    SheetLayout measuredSheet(const std::vector<std::size_t>& markers) const {
        std::vector<SheetMarker> sheet;
        for (const std::size_t marker : markers) {
            SheetMarker& sheetMarker = sheet.emplace_back();
            sheetMarker.id = ids_[marker];
            for (std::size_t k = 0; k < 4; ++k)
                sheetMarker.corners[k] = glm::dvec2(state_.markerPoses[marker].apply(
                    glm::dvec3(kUnitMarkerCorners[k] * (problem_.markerSide / 2), 0)));
        }
        std::ranges::sort(sheet, {}, &SheetMarker::id);
        return makeSheetLayout(family_, std::move(sheet));
    }

    void finish() {
        double sum = 0;
        std::size_t count = 0;
        for (std::size_t i = 0; i < used_.size(); ++i) {
            const RigidTransform& pose = state_.poses[i];
            BoardCamera& camera = result_.cameras.emplace_back();
            camera.photographIndex = used_[i];
            camera.pose.rotation = kFlippedAxes * pose.rotation;
            camera.pose.centre = -(glm::transpose(pose.rotation) * pose.translation);
            camera.lens =
                state_.lenses[problem_.lensIndices[i]].toLens(photographs_[used_[i]].size);
            std::tie(camera.reprojectionError, camera.markerCount) = reprojectionErrorOf(i);
            sum += camera.reprojectionError * camera.reprojectionError *
                   static_cast<double>(camera.markerCount);
            count += camera.markerCount;
        }
        result_.reprojectionError = std::sqrt(sum / static_cast<double>(count));
        if (const std::vector<std::size_t> markers = consistentMarkers();
            !result_.hasPrintedBoard && markers.size() >= kMinMarkers && isFlat(markers))
            result_.sheet = measuredSheet(markers);
        result_.isUpKnown = result_.hasPrintedBoard || result_.sheet;
        std::ranges::sort(result_.leftOut, {}, &LeftOutPhotograph::photographIndex);
    }

    const std::vector<PhotographMarkers>& photographs_;
    const MarkerFamily& family_;
    const std::stop_token& cancel_;
    BundleAdjustmentProblem problem_;
    BundleAdjustmentState state_;
    std::vector<std::size_t> used_;  ///< index of each photograph of problem_ in photographs_
    std::vector<int> ids_;           ///< marker id of each of state_.markerPoses
    std::vector<bool> hasPose_;      ///< whether a photograph has a start pose
    Calibration result_;
};

}  // namespace

Calibration calibrate(const std::vector<PhotographMarkers>& photographs, const MarkerFamily& family,
                      double markerSide, const std::stop_token& cancel) {
    return Calibrator(photographs, family, markerSide, cancel).calibrate();
}

}  // namespace threefold::board
