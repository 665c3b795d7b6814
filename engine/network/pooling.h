#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>

#include "engine/model/model.h"
#include "engine/network/simd/kernels.h"
#include "engine/views/camera.h"
#include "engine/views/network_input.h"

namespace threefold {

/// One tap's maps of all views: (view, side, side, channels).
struct FeatureMap {
    const float* values = nullptr;
    std::size_t side = 0;
    std::size_t channels = 0;
};

/// From the first view's space to a pixel of one view, precomputed (METHOD.md §2).
struct ViewProjection {
    glm::dmat3 rotation;
    glm::dvec3 offset;

    /// Row h and column w in a 224×224 image, clamped to 0…223. Double precision: float32
    /// would sometimes round to an integer, where the sampler is discontinuous.
    struct Pixel {
        double row;
        double column;
    };
    Pixel project(glm::dvec3 point) const;
};

/// One projection for each camera; the points are in the first camera's space.
std::vector<ViewProjection> projectionsFrom(std::span<const Camera> cameras);

/// Pools image features at points (METHOD.md §5): [x, y, z, max, mean, std] over the views.
/// Thread-safe; the maps must outlive it.
class FeaturePooling {
  public:
    FeaturePooling(std::vector<ViewProjection> projections, std::vector<FeatureMap> maps,
                   SamplerKind sampler, const simd::Kernels& kernels);

    std::size_t width() const { return 3 + 3 * channels_; }

    /// Writes width() values.
    void pool(glm::vec3 point, float* out) const;

  private:
    simd::Corners cornersBilinear(const FeatureMap& map, std::size_t view,
                                  ViewProjection::Pixel pixel) const;
    simd::Corners cornersNearestFirst(const FeatureMap& map, ViewProjection::Pixel pixel) const;

    std::vector<ViewProjection> projections_;
    std::vector<FeatureMap> maps_;
    SamplerKind sampler_;
    const simd::Kernels* kernels_;
    std::size_t channels_ = 0;
};

}  // namespace threefold
