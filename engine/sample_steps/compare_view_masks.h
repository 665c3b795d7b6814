#pragma once

#include <cstddef>
#include <span>
#include <stop_token>
#include <vector>

#include <glm/vec2.hpp>

#include "engine/compute/parallel.h"
#include "engine/mesh.h"
#include "engine/raster/render_mask.h"
#include "engine/views/masked_view.h"
#include "engine/views/pose.h"

namespace threefold {

/// Draws a mesh in each view as renderMask() does, at the size of the view's mask, and returns
/// compare(drawn mask, view's mask) of each view. Vertices are in the camera space of `space`. Each
/// view must have a mask. `compare` is called on up to resolveThreadCount(threads) threads.
/// `extents`: for each view, the part of its picture that the mask covers (extent of renderMask());
/// empty: the masks cover the pictures. Throws as renderMask(), parallelFor() and `compare` do;
/// Cancelled if `cancel` is requested.
template <class Compare>
auto compareViewMasks(const Mesh& mesh, const Pose& space, std::span<const MaskedView> views,
                      int threads, const std::stop_token& cancel, const Compare& compare,
                      std::span<const glm::dvec2> extents = {}) {
    std::vector<decltype(compare(Mask{}, Mask{}))> results(views.size());
    parallelFor(resolveThreadCount(threads), results.size(), cancel,
                [&](std::size_t i, std::size_t /*thread*/) {
                    const Mask& mask = *views[i].mask;
                    const glm::dvec2 extent = extents.empty() ? glm::dvec2(1) : extents[i];
                    results[i] =
                        compare(renderMask(mesh.vertices, mesh.faces, space, views[i].camera,
                                           mask.width, mask.height, extent),
                                mask);
                });
    return results;
}

}  // namespace threefold
