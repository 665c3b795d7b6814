#pragma once

#include <cmath>
#include <cstddef>

#include "engine/views/camera.h"
#include "render/orbit_camera.h"
#include "render/pane_view.h"
#include "ui/results/look.h"
#include "ui/results/result.h"

namespace threefold::ui {

/// The cameras of one to six panes, and how the pointer moves them. Linked, they are
/// one. All positions and sizes in device pixels, from the picture's top left.
class PaneCameras {
  public:
    static constexpr std::size_t kMost = kMostPanes;

    void setSize(glm::vec2 size, float pixelRatio = 1.0F);  ///< of the whole picture
    void setCount(std::size_t panes);                       ///< 1…kMost, else the nearest of them
    std::size_t count() const { return rects_.size(); }

    /// The pane at a position; beyond the edges the nearest.
    std::size_t paneAt(glm::vec2 position) const;
    /// From the pane's own top left.
    glm::vec2 inPane(std::size_t pane, glm::vec2 position) const {
        return position - glm::vec2(rects_[pane].x, rects_[pane].y);
    }
    glm::vec2 paneSize() const {  ///< the same for all, at least 1 × 1
        return {std::max(rects_[0].width, 1), std::max(rects_[0].height, 1)};
    }
    const render::PaneRect& rect(std::size_t pane) const { return rects_.at(pane); }

    /// Linking takes over the first pane's camera for all.
    void setLinked(bool linked);
    bool linked() const { return linked_; }
    /// The first two panes' cameras change places.
    void swap() { std::swap(cameras_[0], cameras_[1]); }
    /// Turns a pane's camera around its target. Angles in radians, as OrbitCamera's.
    void aim(std::size_t pane, float yaw, float pitch);

    void orbit(std::size_t pane, glm::vec2 pixels);
    void pan(std::size_t pane, glm::vec2 pixels);
    void zoom(glm::vec2 cursor, float steps);  ///< positive: closer
    /// All of them: cuts away what lies before their targets, or nothing.
    void setCut(bool on) {
        for (auto& camera : cameras_) camera.cut = on ? 0.0F : render::OrbitCamera().cut;
    }
    bool cuts() const { return std::isfinite(cameras_[0].cut); }
    /// Moves the cut, positive: away from the eye, by hundredths of the way to the target.
    void moveCut(std::size_t pane, float steps);

    /// All of them, so that the points just fill the pane with a margin.
    void fit(const Extent& extent);                            ///< from where they look
    void look(StandardView view, const Extent& extent);        ///< and fit
    void lookFrom(const Camera& photo);                        ///< exactly the photo's viewpoint
    void lookLike(const Camera& photo, const Extent& extent);  ///< its direction, fitted

    const render::OrbitCamera& camera(std::size_t pane) const { return cameras_[pane]; }
    /// Nothing where there is no such pane; linked or not, of this pane alone.
    void setCamera(std::size_t pane, const render::OrbitCamera& camera) {
        if (pane < cameras_.size()) cameras_[pane] = camera;
    }

    bool operator==(const PaneCameras&) const = default;

  private:
    template <class Change>
    void change(std::size_t pane, const Change& apply);
    void arrange();

    std::array<render::OrbitCamera, kMost> cameras_{};
    std::vector<render::PaneRect> rects_{{0, 0, 1, 1}, {1, 0, 1, 1}};
    glm::vec2 size_{2.0F, 1.0F};
    float pixelRatio_ = 1.0F;
    bool linked_ = true;
};

}  // namespace threefold::ui
