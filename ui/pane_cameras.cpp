#include "ui/pane_cameras.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <glm/vec4.hpp>

namespace threefold::ui {
namespace {

constexpr float kPi = std::numbers::pi_v<float>;
constexpr float kUsualFieldOfView = 0.7F;

void aim(render::OrbitCamera& camera, float yaw, float pitch) {
    camera.yaw = yaw;
    camera.pitch = pitch;
}

void aimLike(render::OrbitCamera& camera, const Camera& photo) {
    const glm::vec3 eye(photo.origin);
    const float distance = std::max(glm::length(eye), 1e-6F);
    aim(camera, std::atan2(eye.x, eye.z), std::asin(std::clamp(eye.y / distance, -1.0F, 1.0F)));
}

const Points& usualCube() {
    constexpr float kHalf = 0.2F;
    static const Points corners = {{-kHalf, -kHalf, -kHalf}, {kHalf, kHalf, kHalf},
                                   {-kHalf, kHalf, -kHalf},  {kHalf, -kHalf, kHalf},
                                   {-kHalf, -kHalf, kHalf},  {kHalf, kHalf, -kHalf},
                                   {-kHalf, kHalf, kHalf},   {kHalf, -kHalf, -kHalf}};
    return corners;
}

// The points as the camera sees them: right, up, towards it. Relative to its target.
Points seenFrom(const render::OrbitCamera& camera, const Points& points) {
    const glm::mat4 view = camera.viewMatrix();
    Points seen;
    seen.reserve(points.size());
    for (const glm::vec3& point : points) {
        const glm::vec4 p = view * glm::vec4(point, 1.0F);
        seen.emplace_back(p.x, p.y, p.z + camera.distance);
    }
    return seen;
}

// Closer than a box around the points would allow: seen from a corner, a box is mostly empty.
void frame(render::OrbitCamera& camera, const Points& points, float aspect) {
    constexpr float kMargin = 0.86F;  // share of the pane that the points may take
    constexpr float kLeastDistance = 1e-3F;
    camera.target = glm::vec3(0.0F);
    camera.distance = 1.0F;
    glm::vec3 lowest(INFINITY);
    glm::vec3 highest(-INFINITY);
    for (const glm::vec3& p : seenFrom(camera, points)) {
        lowest = glm::min(lowest, p);
        highest = glm::max(highest, p);
    }
    const glm::vec4 middle((lowest + highest) * 0.5F, 0.0F);
    camera.target = glm::vec3(glm::transpose(camera.viewMatrix()) * middle);

    const float up = kMargin * std::tan(camera.fieldOfView / 2);
    const float right = up * aspect;
    float distance = kLeastDistance;
    for (const glm::vec3& p : seenFrom(camera, points)) {
        distance = std::max({distance, std::abs(p.x) / right + p.z, std::abs(p.y) / up + p.z});
    }
    camera.distance = distance;
}

}  // namespace

void PaneCameras::setSize(glm::vec2 size) {
    size_ = glm::vec2(std::max(size.x, 2.0F), std::max(size.y, 1.0F));
}

std::size_t PaneCameras::paneAt(glm::vec2 position) const {
    return position.x < paneSize().x ? 0 : 1;
}

void PaneCameras::setLinked(bool linked) {
    linked_ = linked;
    if (linked_) cameras_.fill(cameras_[0]);
}

template <class Change>
void PaneCameras::change(std::size_t pane, const Change& apply) {
    apply(cameras_[pane]);
    if (linked_) cameras_.fill(cameras_[pane]);
}

void PaneCameras::orbit(std::size_t pane, glm::vec2 pixels) {
    change(pane, [&](auto& camera) { camera.orbit(pixels, size_.y); });
}

void PaneCameras::pan(std::size_t pane, glm::vec2 pixels) {
    change(pane, [&](auto& camera) { camera.pan(pixels, size_.y); });
}

void PaneCameras::zoom(glm::vec2 cursor, float steps) {
    const std::size_t pane = paneAt(cursor);
    const glm::vec2 local = cursor - glm::vec2(static_cast<float>(pane) * paneSize().x, 0.0F);
    change(pane, [&](auto& camera) { camera.zoom(steps, local, paneSize()); });
}

void PaneCameras::fit(const Extent& extent) {
    const Points& points = extent && !extent->empty() ? *extent : usualCube();
    for (auto& camera : cameras_) {
        camera.fieldOfView = kUsualFieldOfView;
        frame(camera, points, paneSize().x / paneSize().y);
    }
}

void PaneCameras::look(StandardView view, const Extent& extent) {
    for (auto& camera : cameras_) {
        switch (view) {
            case StandardView::front:
                aim(camera, 0, 0);
                break;
            case StandardView::right:
                aim(camera, kPi / 2, 0);
                break;
            case StandardView::top:
                aim(camera, 0, kPi / 2);
                break;
            case StandardView::back:
                aim(camera, kPi, 0);
                break;
            case StandardView::left:
                aim(camera, -kPi / 2, 0);
                break;
            case StandardView::bottom:
                aim(camera, 0, -kPi / 2);
                break;
        }
    }
    fit(extent);
}

void PaneCameras::lookFrom(const Camera& photo) {
    // The photo is square: a pane that is narrower shows its whole width.
    const double aspect = std::min(1.0, static_cast<double>(paneSize().x / paneSize().y));
    for (auto& camera : cameras_) {
        aimLike(camera, photo);
        camera.target = glm::vec3(0.0F);
        camera.distance = std::max(static_cast<float>(glm::length(photo.origin)), 1e-3F);
        camera.fieldOfView =
            2 * static_cast<float>(std::atan(kImageCentre / kFocalLength / aspect));
    }
}

void PaneCameras::lookLike(const Camera& photo, const Extent& extent) {
    for (auto& camera : cameras_) aimLike(camera, photo);
    fit(extent);
}

}  // namespace threefold::ui
