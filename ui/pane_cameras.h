#pragma once

#include <array>
#include <cstddef>
#include <memory>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "engine/mesh.h"
#include "engine/sample/camera.h"
#include "render/orbit_camera.h"

namespace threefold::ui {

/// Looking at the object along an axis of ShapeNet's world (y up).
enum class StandardView { front, right, top, back, left, bottom };

/// What is to be seen whole: these points or, where there are none, a cube around the origin.
using Extent = std::shared_ptr<const Points>;

/// The cameras of the two panes that stand side by side, and how the pointer moves them. Linked,
/// they are one. All positions and sizes in the same pixels, from the panes' common top left.
class PaneCameras {
  public:
    static constexpr std::size_t kPanes = 2;

    void setSize(glm::vec2 size);  ///< of both panes together, > 0
    std::size_t paneAt(glm::vec2 position) const;

    /// Linking takes over the left pane's camera for both.
    void setLinked(bool linked);
    bool linked() const { return linked_; }

    void orbit(std::size_t pane, glm::vec2 pixels);
    void pan(std::size_t pane, glm::vec2 pixels);
    void zoom(glm::vec2 cursor, float steps);  ///< positive: closer

    /// Both, from where they look, so that the points just fill the pane with a margin.
    void fit(const Extent& extent);                      ///< both, from where they look
    void look(StandardView view, const Extent& extent);  ///< both, and fit
    void lookFrom(const Camera& photo);                  ///< both, exactly the photo's viewpoint
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
    glm::vec2 paneSize() const { return {size_.x / kPanes, size_.y}; }

    std::array<render::OrbitCamera, kPanes> cameras_{};
    glm::vec2 size_{2.0F, 1.0F};
    bool linked_ = true;
};

}  // namespace threefold::ui
