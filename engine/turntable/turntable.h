#pragma once

#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/silhouettes/object_box.h"

namespace threefold::turntable {

struct TurntableOptions {
    std::optional<bool> clockwise = {};  ///< of the object, seen from above
    std::optional<double> step = {};  ///< degrees from each photograph to the next; none: 360 ÷ N
    double focalSigma = 0.04;         ///< of the lenses' focal length: relative standard deviation
};

struct Turntable {
    std::vector<CalibratedMask> views;  ///< as given, with their cameras
    std::vector<double> azimuths;       ///< of the cameras, degrees, anticlockwise; the first is 0
    std::vector<double>
        residuals;  ///< of each photograph: how far outlines disagree, pixels of 640
    std::vector<double>
        uncovered;           ///< share of its mask that the hull of all others does not reach
    double elevation = 0;    ///< of the cameras above the object's middle, degrees
    bool clockwise = false;  ///< as the option
    std::optional<ObjectBox> object;
    std::vector<std::string> doubts;  ///< sentences; none: the cameras are sure
};

/// The cameras of photographs, in their order, of an object that turns by equal steps before a
/// camera that stands still; or around which the photographer walks by equal steps, at the same
/// height and distance. By the outlines alone: fitMotion() from several elevations, for both
/// senses, the camera above the object or little below, each photograph within a few degrees of its
/// step. `views` have nominal lenses; their cameras do not count; a mask may be empty, or reach
/// the picture's border, and then only follows the others. World: z up along the axis, the object
/// from z = 0 on, the first camera in the direction of x, the camera's distance from the axis is 1.
///
/// `doubts` is empty where the hull covers the outlines; the other sense of rotation agrees much
/// worse (with `clockwise` set: not much better); no other focal length agrees clearly better; the
/// outlines alone confirm the step, to half a step over the whole turn, and the elevation, to 3°;
/// and no photograph agrees clearly better more than 5° from its step. Doubts so tell a vase on its
/// axis, wrong steps, senses and focal lengths, stretched pictures and bad masks from right
/// cameras. Mirrored photographs are those of a mirrored object. Deterministic, thread-safe.
///
/// Throws InputError: fewer than three whole outlines, or no agreement of any two; Cancelled.
Turntable findTurntable(std::span<const CalibratedMask> views, const TurntableOptions& options,
                        const std::stop_token& cancel = {});

/// Share of each mask's pixels that the visual hull of the other masks does not cover: about 0 for
/// right cameras. The masks are widened by a pixel first, and should be about 200 pixels wide.
/// `object`: bounds of the search along each ray. Throws Cancelled.
std::vector<double> uncoveredShares(std::span<const CalibratedMask> views, const ObjectBox& object,
                                    const std::stop_token& cancel = {});

}  // namespace threefold::turntable
