#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <glm/vec3.hpp>

#include "engine/stereo/stereo_view.h"

namespace threefold::stereo {

/// A view to compare the reference view with.
struct SourceView {
    std::size_t view;     ///< index of the view
    double angleDegrees;  ///< angle between the directions from the object to both cameras
};

/// Chooses up to `maxCount` other views whose directions from `centre` differ by 6° to 65° from
/// that of the reference view, the smallest angle first.
std::vector<SourceView> selectSourceViews(std::span<const StereoView> views, std::size_t reference,
                                          const glm::dvec3& centre, std::size_t maxCount);

/// Change of depth that moves a point in the sources by `pixels`; 0 without sources or search
/// depths.
double labelSpacingFor(const StereoView& reference, std::span<const float> searchDepths,
                       std::span<const SourceView> sources, double pixels);

}  // namespace threefold::stereo
