#pragma once

#include "engine/stereo/depth_maps.h"
#include "engine/stereo/depth_votes.h"

namespace threefold::stereo {

/// One round of depthSurface(): how views are matched, and which depths count.
struct MatchingRound {
    StereoMatchOptions match;
    VoteRules votes;
    /// Distance in label spacings by which the surface is moved towards the cameras, so that parts
    /// as thin as one label spacing survive into the next round.
    float surfaceOffsetLabels;
    /// Whether the start mesh is a strong prior near its surface where there are no votes.
    bool keepsUnobservedStart;
    double progress;  ///< progress after the depth maps, 0…1
};

/// First round: many labels, in photographs of half the size.
MatchingRound coarseRound();
/// Second round: few labels around the surface of the first round.
MatchingRound fineRound();

/// Minimum fraction of strong depths (DepthVotes::strongFraction) with which depths are better than
/// the start mesh.
inline constexpr double kMinStrongFraction = 0.25;

/// Stricter rules where the brightness depends on the view: highlights, and light that moves with
/// the camera, look like surfaces in many views at once, but with small margins. `dependence`: of
/// viewDependence(); up to 0.1, fixed light on a matt surface, the rules stay as they are; from 0.2
/// on they are the strictest.
VoteRules stricterRules(VoteRules rules, double dependence);

}  // namespace threefold::stereo
