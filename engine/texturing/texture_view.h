#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "engine/formats/pictures/image.h"
#include "engine/mesh.h"
#include "engine/sample/sample.h"
#include "engine/texturing/exposure.h"
#include "engine/views/camera.h"
#include "engine/views/foreground.h"

namespace threefold {

/// A photograph at its own resolution, and its camera in the space of a mesh. Immutable.
struct TextureView {
    Camera camera;
    std::shared_ptr<const Image> photograph;
    /// Of the photograph's pixels those of the object; none: all.
    std::optional<Mask> mask;
    /// From a pixel of the camera's 224×224 picture to the photograph, lens and all; empty: the
    /// photograph is that picture.
    PicturePlaces toPhotograph = {};
};

/// A sample's view. Throws std::out_of_range: no such view.
TextureView textureView(const Sample& sample, int view, std::shared_ptr<const Image> photograph);

/// These views of a sample; of one whose photograph cannot be read, a line in `notes` instead.
/// Throws as textureView(), and Cancelled.
std::vector<TextureView> textureViews(const Sample& sample, std::span<const int> views,
                                      std::vector<std::string>& notes,
                                      const std::stop_token& cancel = {});

namespace texturing {

/// How safely a photograph shows a point.
enum class Sight : std::uint8_t {
    none,
    doubtful,  ///< at the mask's edge, or beside something that is nearer
    clear
};

/// What a photograph shows of a mesh. Any number of threads may ask at once, but for setExposure().
class SeenMesh {
  public:
    /// `view` outlives it. Throws as rasterize().
    SeenMesh(const Mesh& mesh, const TextureView& view, const std::stop_token& cancel);

    /// In the photograph, in its pixels; none behind the camera and beyond the lens.
    std::optional<glm::dvec2> place(glm::dvec3 point) const;
    /// From now on look() gives colours after it.
    void setExposure(const Exposure& exposure) { exposure_ = exposure; }
    /// The photograph's colour there, 0…255 before the exposure, in `colour` unless it does not
    /// show the point.
    Sight look(glm::dvec3 point, glm::vec3& colour) const;
    /// Of each face, its area in the photograph's pixels as far as it is seen, 0: not.
    const std::vector<float>& areas() const { return areas_; }
    /// The photograph's pixels in an object unit at the origin, along its width.
    double pixels() const;

  private:
    glm::dvec2 inPicture(glm::dvec3 inView) const;
    std::optional<glm::dvec2> placeOf(glm::dvec3 inView) const;
    Sight colourAt(glm::dvec2 place, glm::vec3& colour) const;
    void measureAreas(const Mesh& mesh, const std::vector<std::uint32_t>& faces);

    const TextureView& view_;
    std::vector<std::uint8_t> inside_;  // of the mask: 2 where all around is inside too, 1, or 0
    std::vector<float> nearest_;        // distance around each pixel of the depth image
    std::vector<float> farthest_;
    std::vector<float> areas_;
    Exposure exposure_;
};

}  // namespace texturing

}  // namespace threefold
