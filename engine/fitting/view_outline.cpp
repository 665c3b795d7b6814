#include "engine/fitting/view_outline.h"

#include <span>
#include <utility>

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "engine/raster/rasterize.h"
#include "engine/raster/render_mask.h"

namespace threefold::fitting {

ViewOutline::ViewOutline(Outline outline, const Pose& meshPose, const Camera& camera)
    : outline_(std::move(outline)),
      grid_(outline_.mask()),
      meshPose_(meshPose),
      camera_(camera),
      toCameraMatrix_(camera.zoomedRotation() * glm::transpose(meshPose.rotation)),
      toCameraOffset_(camera.zoomedRotation() * (meshPose.centre - camera.centre)) {
    // The plane through the camera's centre and the tangent of the outline at x, with normal n in
    // the image, consists of the points q with n · pixel(q) = n · x.
    const auto focal = static_cast<float>(camera.focalLength());
    const glm::mat3 toMeshSpace(meshPose.rotation * glm::transpose(camera.rotation));
    for (const OutlinePoint& point : outline_.points()) {
        const glm::vec3 plane(focal * point.normal.x, -focal * point.normal.y,
                              glm::dot(point.normal, point.position - kPrincipalPixel));
        tangentPoints_.push_back(
            {point.position, point.normal, toMeshSpace * glm::normalize(plane)});
        const glm::vec3 normal = kPixelsPerNormalUnit * tangentPoints_.back().plane;
        searchPoints_.insert(searchPoints_.end(),
                             {point.position.x, point.position.y, normal.x, normal.y, normal.z});
    }
}

Mask ViewOutline::renderMask(const Points& vertices, const Faces& faces, int side) const {
    return threefold::renderMask(vertices, faces, meshPose_, camera_, side, side);
}

std::vector<std::uint32_t> ViewOutline::renderFaces(const Points& vertices, const Faces& faces,
                                                    int side) const {
    const std::vector<glm::vec4> corners = toClipSpace(vertices, meshPose_, camera_);
    RasterOptions options;
    options.width = options.height = static_cast<std::uint32_t>(side);
    options.wantBarycentric = false;
    options.threads = 1;
    const std::span<const glm::vec4> view(corners);
    return std::move(rasterize({&view, 1}, faces, options).front().facePlusOne);
}

SilhouetteScore ViewOutline::compare(const Points& vertices, const Faces& faces) const {
    return compareMasks(renderMask(vertices, faces, outline_.mask().width), outline_.mask());
}

}  // namespace threefold::fitting
