#pragma once

#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/silhouettes/object_box.h"

namespace threefold::turntable {

/// Options of findTurntable().
struct TurntableOptions {
    std::optional<bool> objectTurnsClockwise = {};  ///< rotation of the object, seen from above
    /// From each photograph to the next, above 0 and below 360; nullopt: 360 ÷ N.
    std::optional<double> stepDegrees = {};
    double focalSigma = 0.04;  ///< relative standard deviation of the lenses' focal length, above 0
};

/// Result of findTurntable().
struct TurntableSolution {
    std::vector<PosedMask> views;  ///< the given views with their cameras
    std::vector<double> azimuths;  ///< camera azimuths, degrees, anticlockwise; the first is 0
    /// Median residual of each photograph's outline (MotionFit::residuals), in pixels of a picture
    /// whose longer side is 640 pixels.
    std::vector<double> outlineResiduals;
    /// Fraction of each photograph's mask outside the visual hull of all other masks.
    std::vector<double> uncoveredFractions;
    double elevation = 0;               ///< of the cameras above the object's centre, degrees
    bool objectTurnsClockwise = false;  ///< as TurntableOptions::objectTurnsClockwise
    std::optional<Box3d> objectBox;
    std::vector<std::string> warnings;  ///< one each, the gravest first; empty: none
};

/// Finds the cameras of an ordered sequence of photographs: of an object that turns by equal steps
/// before a fixed camera, or of a walk around the object by equal steps at one height and distance.
///
/// Uses the outlines alone: fitMotion() from several start elevations, for both directions of
/// rotation. Its prior has the camera above the object or slightly below it, and each photograph
/// within a few degrees of its step.
///
/// `views` have nominal lenses of one camera. The lens of the first view sets the size of a pixel;
/// the poses of the views are ignored. A mask that is empty or reaches the picture's border does
/// not contribute; the camera of its view follows from the other views.
///
/// World: z up along the axis, the object's foot at z = 0, the first camera in direction x, cameras
/// at distance 1 from the axis.
///
/// `warnings` is empty if all of these hold:
/// - the hull covers the masks with a whole outline, to 5 % on the mean;
/// - the other direction of rotation agrees much worse (with `objectTurnsClockwise` set: not much
/// better);
/// - no other focal length fits the outlines clearly better;
/// - the outlines alone confirm the step, to half a step over the whole turn;
/// - the outlines alone confirm the elevation, to 3°;
/// - no photograph fits clearly better more than 5° from its expected azimuth.
///
/// The warnings thus reveal rotationally symmetric objects, wrong steps, directions and focal
/// lengths, stretched pictures and bad masks. Mirrored photographs yield a mirrored object.
/// Deterministic, thread-safe.
///
/// Throws InputError: fewer than three whole outlines, no two that can be compared, or options out
/// of range; Cancelled.
TurntableSolution findTurntable(std::span<const PosedMask> views, const TurntableOptions& options,
                                const std::stop_token& cancel = {});

/// Fraction of each mask's pixels outside the visual hull of the other masks: about 0 for correct
/// cameras. Dilates the masks by a pixel first; they should be about 200 pixels wide. `object`
/// bounds the search along each ray. Throws Cancelled.
std::vector<double> uncoveredFractions(std::span<const PosedMask> views, const Box3d& object,
                                       const std::stop_token& cancel = {});

/// uncoveredFractions() of the masks, reduced to 200 pixels on the photograph's longer side. Throws
/// Cancelled.
std::vector<double> uncoveredAtReducedSize(std::span<const PosedMask> views, const Box3d& object,
                                           const std::stop_token& cancel = {});

}  // namespace threefold::turntable
