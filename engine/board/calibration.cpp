#include "engine/board/calibration.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "engine/board/board_layout.h"
#include "engine/board/bundle_adjuster.h"
#include "engine/board/collected_markers.h"
#include "engine/board/start_poses.h"
#include "engine/error.h"
#include "engine/order_statistics.h"
#include "engine/views/pose.h"

namespace threefold::board {
namespace {

/// Maximum reprojection error of a photograph or marker that agrees with the others, as a fraction
/// of the picture's longer side: 16 of 4000 pixels.
constexpr double kMaxReprojectionErrorFraction = 0.004;

bool hasPrintedBoard(const std::vector<MarkedPhoto>& photographs, const MarkerFamily& family) {
    const auto showsBoard = [](const MarkedPhoto& photograph) {
        return std::ranges::any_of(photograph.markers, [](const Marker& marker) {
            return markerCentre(marker.id).has_value();
        });
    };
    return &family == &boardFamily() && std::ranges::any_of(photographs, showsBoard);
}

/// Calibrates in this order: collects the markers, finds start poses, adjusts, leaves out the
/// photographs that contradict the others, and, if it left out any, adjusts again. Photographs of
/// one size and EXIF focal length share a lens with a Gaussian prior over typical lenses, which
/// dominates when there are few views. A marker whose reprojection error stays large was a false
/// detection in some texture and does not count in that photograph.
class Calibrator {
  public:
    Calibrator(const std::vector<MarkedPhoto>& photographs, const MarkerFamily& family,
               double markerSide, const std::stop_token& cancel)
        : photographs_(photographs),
          family_(family),
          markerSide_(markerSide),
          cancel_(cancel),
          hasPrintedBoard_(hasPrintedBoard(photographs, family)) {}

    Calibration calibrate() {
        BundleAdjuster adjuster = startAdjuster();
        adjuster.adjust(cancel_);
        leaveOutOutliers(adjuster);
        return resultOf(adjuster);
    }

  private:
    void leaveOut(std::size_t photograph, std::string reason) {
        leftOut_.push_back({photograph, std::move(reason)});
    }

    double longerSideOf(const BundleAdjuster& adjuster, std::size_t photograph) const {
        return photographs_[adjuster.photoIndices()[photograph]].size.longerSide();
    }

    /// Bundle adjustment of the photographs for which a start pose is found; leaves out the others.
    /// Throws InputError if fewer than two photographs have a start pose.
    BundleAdjuster startAdjuster() {
        CollectedMarkers collected = collectMarkers(photographs_, hasPrintedBoard_, markerSide_);
        leftOut_ = std::move(collected.leftOut);
        const StartPoses start = hasPrintedBoard_ ? startPosesFromBoard(collected.indexed.problem,
                                                                        collected.indexed.markerIds)
                                                  : chainFromMarkerSeenMost(collected.indexed);
        std::vector<bool> hasPose;
        for (const auto& pose : start.photographs) hasPose.push_back(pose.has_value());
        requireTwo(hasPose, "show two markers or more",
                   "Print the board ('threefold board' draws it), lay it flat, and take "
                   "photographs in which most of it is visible and sharp.");
        for (std::size_t i = 0; i < hasPose.size(); ++i)
            if (!hasPose[i])
                leaveOut(collected.indexed.photoIndices[i],
                         hasPrintedBoard_ ? "shows its markers in positions that no camera explains"
                                          : "shares no usable marker with the other photographs");
        return {std::move(collected.indexed), start};
    }

    static StartPoses chainFromMarkerSeenMost(IndexedProblem& indexed) {
        removeDegenerateObservations(indexed.problem);
        const std::size_t markerCount = indexed.markerIds.size();
        if (markerCount > 0) swapMarkers(indexed, 0, markerSeenMost(indexed));
        return startPosesFromMarkers(indexed.problem, markerCount);
    }

    /// Throws InputError if fewer than two of the photographs meet a condition; `condition`: text
    /// that follows "photographs" in the message, such as "show two markers or more".
    void requireTwo(const std::vector<bool>& meets, std::string_view condition,
                    std::string_view remedy) const {
        const auto count = std::ranges::count(meets, true);
        if (count >= 2) return;
        throw InputError(
            {"board", "",
             fmt::format("only {} of {} photographs {}, and at least two photographs must", count,
                         photographs_.size(), condition),
             std::string(remedy)});
    }

    /// Removes photographs that contradict the others: they show another board, or the board was
    /// moved.
    void leaveOutOutliers(BundleAdjuster& adjuster) {
        std::vector<bool> agrees;
        for (std::size_t i = 0; i < adjuster.photoIndices().size(); ++i) {
            const double error = adjuster.photoErrorOf(i).reprojectionError;
            agrees.push_back(error <= kMaxReprojectionErrorFraction * longerSideOf(adjuster, i));
            if (agrees.back()) continue;
            leaveOut(adjuster.photoIndices()[i],
                     fmt::format("shows its markers {:.1f} pixels away from the board's "
                                 "layout: was the board moved, or is it bent?",
                                 error));
        }
        if (std::ranges::find(agrees, false) == agrees.end()) return;
        requireTwo(agrees, "agree with each other",
                   "Do not move or bend the markers between photographs.");
        adjuster.keepPhotographs(agrees);
        adjuster.adjust(cancel_);
    }

    /// Indices of the markers whose median reprojection error is small.
    std::vector<std::size_t> consistentMarkers(const BundleAdjuster& adjuster) const {
        std::vector<std::vector<double>> errors(adjuster.markerIds().size());
        for (const MarkerObservation& observed : adjuster.problem().observations)
            errors[observed.markerIndex].push_back(
                reprojectionError(adjuster.problem(), adjuster.state(), observed) /
                longerSideOf(adjuster, observed.photoIndex));
        std::vector<std::size_t> consistent;
        for (std::size_t i = 0; i < errors.size(); ++i)
            if (upperMedian(std::move(errors[i])) <= kMaxReprojectionErrorFraction)
                consistent.push_back(i);
        return consistent;
    }

    /// Whether these markers lie in the plane of the adjustment's first marker, z = 0.
    static bool isFlat(const BundleAdjuster& adjuster, const std::vector<std::size_t>& markers) {
        constexpr double kMaxRelativeHeight = 0.05;  // of the distance to the farthest marker
        // Cosine of the angle to the first marker's normal.
        constexpr double kMinNormalCosine = 0.9;
        double height = 0;
        double distance = 0;
        for (const std::size_t marker : markers) {
            const RigidTransform& pose = adjuster.state().markerPoses[marker];
            height = std::max(height, std::abs(pose.translation.z));
            distance = std::max(distance, glm::length(pose.translation));
            if (pose.rotation[2].z < kMinNormalCosine) return false;
        }
        return height <= kMaxRelativeHeight * distance;
    }

    /// Sheet of the consistentMarkers(); nullopt if they are fewer than kMinMarkersPerPhoto or do
    /// not lie in a plane.
    std::optional<SheetLayout> measuredSheet(const BundleAdjuster& adjuster) const {
        const std::vector<std::size_t> markers = consistentMarkers(adjuster);
        if (markers.size() < kMinMarkersPerPhoto || !isFlat(adjuster, markers)) return std::nullopt;
        std::vector<SheetMarker> sheet;
        for (const std::size_t marker : markers) {
            SheetMarker& sheetMarker = sheet.emplace_back();
            sheetMarker.id = adjuster.markerIds()[marker];
            for (std::size_t k = 0; k < 4; ++k)
                sheetMarker.corners[k] = glm::dvec2(adjuster.state().markerPoses[marker].apply(
                    glm::dvec3(kUnitMarkerCorners[k] * (adjuster.problem().markerSide / 2), 0)));
        }
        std::ranges::sort(sheet, {}, &SheetMarker::id);
        return makeSheetLayout(family_, std::move(sheet));
    }

    CalibratedCamera cameraOf(const BundleAdjuster& adjuster, std::size_t photograph) const {
        const RigidTransform& pose = adjuster.state().poses[photograph];
        const std::size_t lens = adjuster.problem().lensIndices[photograph];
        const PhotoError error = adjuster.photoErrorOf(photograph);
        CalibratedCamera camera;
        camera.photoIndex = adjuster.photoIndices()[photograph];
        camera.pose.rotation = kFlippedAxes * pose.rotation;
        camera.pose.centre = -(glm::transpose(pose.rotation) * pose.translation);
        camera.lens = adjuster.state().lenses[lens].toLens(photographs_[camera.photoIndex].size);
        camera.markerCount = error.markerCount;
        camera.reprojectionError = error.reprojectionError;
        return camera;
    }

    Calibration resultOf(const BundleAdjuster& adjuster) {
        Calibration result;
        double sum = 0;
        std::size_t count = 0;
        for (std::size_t i = 0; i < adjuster.photoIndices().size(); ++i) {
            const CalibratedCamera& camera = result.cameras.emplace_back(cameraOf(adjuster, i));
            sum += camera.reprojectionError * camera.reprojectionError *
                   static_cast<double>(camera.markerCount);
            count += camera.markerCount;
        }
        result.reprojectionError = std::sqrt(sum / static_cast<double>(count));
        result.hasPrintedBoard = hasPrintedBoard_;
        if (!hasPrintedBoard_) result.sheet = measuredSheet(adjuster);
        result.isUpKnown = hasPrintedBoard_ || result.sheet;
        result.leftOut = std::move(leftOut_);
        std::ranges::sort(result.leftOut, {}, &LeftOutPhoto::photoIndex);
        return result;
    }

    const std::vector<MarkedPhoto>& photographs_;
    const MarkerFamily& family_;
    double markerSide_;
    const std::stop_token& cancel_;
    bool hasPrintedBoard_;
    std::vector<LeftOutPhoto> leftOut_;
};

}  // namespace

Calibration calibrate(const std::vector<MarkedPhoto>& photographs, const MarkerFamily& family,
                      double markerSide, const std::stop_token& cancel) {
    return Calibrator(photographs, family, markerSide, cancel).calibrate();
}

}  // namespace threefold::board
