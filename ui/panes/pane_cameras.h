#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "engine/views/camera.h"
#include "render/orbit_camera.h"
#include "render/pane_view.h"
#include "ui/results/look.h"
#include "ui/results/result.h"

namespace threefold::ui {

/// The points that the panes frame: one set for all panes, or a set for each pane.
class PaneFramedPoints {
  public:
    PaneFramedPoints(FramedPoints all = nullptr) : each_{std::move(all)} {}
    /// `each`: the points of each pane; must not be empty. Further panes frame the last points.
    explicit PaneFramedPoints(std::vector<FramedPoints> each) : each_(std::move(each)) {}
    const FramedPoints& of(std::size_t pane) const {
        return each_[std::min(pane, each_.size() - 1)];
    }
    bool hasPointsPerPane() const { return each_.size() > 1; }

  private:
    std::vector<FramedPoints> each_;
};

/// The cameras of up to kMaxPanes panes, moved by the pointer. Linked cameras move as one. Where
/// each pane frames its own points, linked cameras turn alike, and a camera's offset from its
/// framing (the target and distance that frame the pane's points) is in proportion to the framing's
/// distance. All sizes and positions are in device pixels; positions are from the top left of the
/// picture.
class PaneCameras {
  public:
    void setSize(glm::vec2 size, float pixelRatio = 1.0F);  ///< size of the whole picture
    void setCount(std::size_t panes);                       ///< clamped to 1…kMaxPanes
    std::size_t count() const { return rects_.size(); }

    /// Index of the pane at a position; beyond the edges, index of the nearest pane.
    std::size_t paneAt(glm::vec2 position) const;
    /// A position relative to the pane's top left.
    glm::vec2 inPane(std::size_t pane, glm::vec2 position) const {
        return position - glm::vec2(rects_[pane].x, rects_[pane].y);
    }
    glm::vec2 paneSize() const {  ///< the same for all panes, at least 1 × 1
        return {std::max(rects_[0].width, 1), std::max(rects_[0].height, 1)};
    }
    const render::PixelRect& rect(std::size_t pane) const { return rects_.at(pane); }

    /// Links or unlinks the cameras. Linking gives all panes the first pane's camera, scaled to
    /// their framings.
    void setLinked(bool linked);
    bool isLinked() const { return linked_; }
    /// Swaps the cameras of the first two panes.
    void swap() { std::swap(cameras_[0], cameras_[1]); }
    /// Turns a pane's camera around its target. For the angles, in radians, see OrbitCamera.
    void setAngles(std::size_t pane, float yaw, float pitch);

    void orbit(std::size_t pane, glm::vec2 pixels);  ///< half a turn across the pane's height
    void pan(std::size_t pane, glm::vec2 pixels);    ///< the meshes follow the pointer
    void zoom(glm::vec2 pointer, float steps);       ///< positive: closer
    /// Switches the clipping of everything between camera and target, for all cameras.
    void setClipping(bool on) {
        for (auto& camera : cameras_)
            camera.clipDepth = on ? 0.0F : render::OrbitCamera().clipDepth;
    }
    bool isClipping() const { return std::isfinite(cameras_[0].clipDepth); }
    /// Moves the clipping plane by hundredths of the distance to the target; positive: away from
    /// the camera.
    void moveClipPlane(std::size_t pane, float steps);

    /// Moves all cameras so that the points fill the pane up to a margin.
    void frame(const PaneFramedPoints& points);  ///< keeps the directions
    void lookAlong(StandardView view,
                   const PaneFramedPoints& points);  ///< from a standard direction
    /// Takes the camera of a photograph, with its centre and zoom, without framing any points.
    void lookThrough(const Camera& camera);
    /// Looks in the direction of a photograph's camera, and fits the points into the panes.
    void lookInDirectionOf(const Camera& camera, const PaneFramedPoints& points);

    const render::OrbitCamera& camera(std::size_t pane) const { return cameras_[pane]; }
    /// Sets this pane's camera alone, even if linked; the up axis stays. Does nothing for a pane
    /// beyond kMaxPanes.
    void setCamera(std::size_t pane, const render::OrbitCamera& camera) {
        if (pane >= cameras_.size()) return;
        const render::UpAxis up = cameras_[pane].upAxis;
        cameras_[pane] = camera;
        cameras_[pane].upAxis = up;
    }
    /// Sets the up axis of all cameras; their angles stay, relative to that axis.
    void setUp(render::UpAxis up) {
        for (auto& camera : cameras_) camera.upAxis = up;
    }
    render::UpAxis up() const { return cameras_[0].upAxis; }

    bool operator==(const PaneCameras&) const = default;

  private:
    /// Target and distance of a camera that frames its pane's points.
    struct Framing {
        glm::vec3 target{0.0F};
        float distance = 1.0F;
        bool operator==(const Framing&) const = default;
    };

    template <class Change>
    void change(std::size_t pane, const Change& apply);
    void linkTo(std::size_t pane);
    void arrange();

    std::array<render::OrbitCamera, kMaxPanes> cameras_{};
    std::array<Framing, kMaxPanes> framings_{};
    std::vector<render::PixelRect> rects_{{0, 0, 1, 1}, {1, 0, 1, 1}};
    glm::vec2 size_{2.0F, 1.0F};
    float pixelRatio_ = 1.0F;
    bool linked_ = true;
};

}  // namespace threefold::ui
