#include "ui/panes/pane_cameras.h"

#include <algorithm>
#include <numbers>

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <glm/vec4.hpp>

#include "engine/bounding_box.h"

namespace threefold::ui {
namespace {

constexpr float kPi = std::numbers::pi_v<float>;
constexpr float kDefaultFieldOfView = render::OrbitCamera().fieldOfView;

void turn(render::OrbitCamera& camera, const render::ViewAngles& angles) {
    camera.yaw = angles.yaw;
    camera.pitch = angles.pitch;
}

void turnToDirectionOf(render::OrbitCamera& orbit, const Camera& camera) {
    turn(orbit, render::anglesOf(glm::vec3(camera.centre)));
}

const Points& defaultCube() {
    constexpr float kHalf = 0.2F;
    static const Points corners = {{-kHalf, -kHalf, -kHalf}, {kHalf, kHalf, kHalf},
                                   {-kHalf, kHalf, -kHalf},  {kHalf, -kHalf, kHalf},
                                   {-kHalf, -kHalf, kHalf},  {kHalf, kHalf, -kHalf},
                                   {-kHalf, kHalf, kHalf},   {kHalf, -kHalf, -kHalf}};
    return corners;
}

// The points in the camera's axes (right, up, backwards), relative to its target.
Points inCameraAxes(const render::OrbitCamera& camera, const Points& points) {
    const glm::mat4 view = camera.viewMatrix();
    Points transformed;
    transformed.reserve(points.size());
    for (const glm::vec3& point : points) {
        const glm::vec4 p = view * glm::vec4(point, 1.0F);
        transformed.emplace_back(p.x, p.y, p.z + camera.distance);
    }
    return transformed;
}

// Fits the points themselves, not their bounding box: seen from a corner, a box is mostly empty.
void frameCamera(render::OrbitCamera& camera, const Points& points, float aspect) {
    constexpr float kMargin = 0.86F;  // fraction of the pane that the points may fill
    constexpr float kMinDistance = 1e-3F;
    camera.target = glm::vec3(0.0F);
    camera.distance = 1.0F;
    Box3f box;
    box.include(inCameraAxes(camera, points));
    const glm::vec4 centre(box.centre(), 0.0F);
    camera.target = glm::vec3(glm::transpose(camera.viewMatrix()) * centre);

    const float halfHeight = kMargin * std::tan(camera.fieldOfView / 2);
    const float halfWidth = halfHeight * aspect;
    float distance = kMinDistance;
    for (const glm::vec3& p : inCameraAxes(camera, points))
        distance =
            std::max({distance, std::abs(p.x) / halfWidth + p.z, std::abs(p.y) / halfHeight + p.z});
    camera.distance = distance;
}

}  // namespace

void PaneCameras::setSize(glm::vec2 size, float pixelRatio) {
    size_ = glm::max(size, glm::vec2(1.0F));
    pixelRatio_ = pixelRatio;
    arrange();
}

void PaneCameras::setCount(std::size_t panes) {
    rects_.resize(std::clamp<std::size_t>(panes, 1, kMaxPanes));
    arrange();
}

void PaneCameras::arrange() {
    rects_ = render::paneRects(static_cast<int>(size_.x), static_cast<int>(size_.y),
                               static_cast<int>(rects_.size()), pixelRatio_);
}

std::size_t PaneCameras::paneAt(glm::vec2 position) const {
    std::size_t pane = rects_.size() - 1;
    const glm::vec2 clamped = glm::max(position, glm::vec2(0.0F));
    const auto isBefore = [&](const render::PixelRect& rect) {
        return clamped.x < static_cast<float>(rect.x) || clamped.y < static_cast<float>(rect.y);
    };
    while (pane > 0 && isBefore(rects_[pane])) --pane;
    return pane;
}

void PaneCameras::setLinked(bool linked) {
    linked_ = linked;
    if (linked_) linkTo(0);
}

void PaneCameras::linkTo(std::size_t pane) {
    const render::OrbitCamera& leader = cameras_[pane];
    const Framing& from = framings_[pane];
    for (std::size_t i = 0; i < cameras_.size(); ++i) {
        if (i == pane) continue;
        render::OrbitCamera camera = leader;
        if (const Framing& to = framings_[i]; to != from) {
            const float scale = to.distance / from.distance;
            camera.target = to.target + scale * (leader.target - from.target);
            camera.distance *= scale;
            camera.clipDepth *= scale;
        }
        cameras_[i] = camera;
    }
}

template <class Change>
void PaneCameras::change(std::size_t pane, const Change& apply) {
    apply(cameras_[pane]);
    if (linked_) linkTo(pane);
}

void PaneCameras::setAngles(std::size_t pane, float yaw, float pitch) {
    change(pane, [&](auto& camera) { turn(camera, {yaw, pitch}); });
}

void PaneCameras::orbit(std::size_t pane, glm::vec2 pixels) {
    change(pane, [&](auto& camera) { camera.orbit(pixels, paneSize().y); });
}

void PaneCameras::pan(std::size_t pane, glm::vec2 pixels) {
    change(pane, [&](auto& camera) { camera.pan(pixels, paneSize().y); });
}

void PaneCameras::zoom(glm::vec2 pointer, float steps) {
    const std::size_t pane = paneAt(pointer);
    const glm::vec2 local = inPane(pane, pointer);
    change(pane, [&](auto& camera) { camera.zoom(steps, local, paneSize()); });
}

void PaneCameras::moveClipPlane(std::size_t pane, float steps) {
    constexpr float kStep = 0.01F;  // fraction of the distance
    change(pane, [&](auto& camera) {
        const float limit = camera.distance;
        camera.clipDepth = std::clamp(camera.clipDepth - steps * kStep * limit, -limit, limit);
    });
}

void PaneCameras::frame(const PaneFramedPoints& points) {
    for (std::size_t pane = 0; pane < cameras_.size(); ++pane) {
        render::OrbitCamera& camera = cameras_[pane];
        const FramedPoints& extent = points.of(pane);
        camera.fieldOfView = kDefaultFieldOfView;
        frameCamera(camera, extent && !extent->empty() ? *extent : defaultCube(),
                    paneSize().x / paneSize().y);
        if (points.hasPointsPerPane())
            framings_[pane] = {camera.target, camera.distance};
        else
            framings_[pane] = {};
    }
}

void PaneCameras::lookAlong(StandardView view, const PaneFramedPoints& points) {
    // Yaw and pitch in quarter turns, in the order of StandardView.
    constexpr float kQuarters[][2] = {{0, 0}, {1, 0}, {0, 1}, {2, 0}, {-1, 0}, {0, -1}};
    const auto& [yaw, pitch] = kQuarters[static_cast<std::size_t>(view)];
    for (auto& camera : cameras_) turn(camera, {yaw * kPi / 2, pitch * kPi / 2});
    frame(points);
}

void PaneCameras::lookThrough(const Camera& camera) {
    // The photograph is square; a pane that is narrower than high shows the photograph's whole
    // width.
    const double aspect = std::min(1.0, static_cast<double>(paneSize().x / paneSize().y));
    framings_.fill({});
    for (render::OrbitCamera& orbit : cameras_) {
        turnToDirectionOf(orbit, camera);
        orbit.target = glm::vec3(0.0F);
        orbit.distance = std::max(static_cast<float>(glm::length(camera.centre)), 1e-3F);
        orbit.fieldOfView =
            2 *
            static_cast<float>(std::atan(kPrincipalPoint / kFocalLength / camera.zoom / aspect));
    }
}

void PaneCameras::lookInDirectionOf(const Camera& camera, const PaneFramedPoints& points) {
    for (render::OrbitCamera& orbit : cameras_) turnToDirectionOf(orbit, camera);
    frame(points);
}

}  // namespace threefold::ui
