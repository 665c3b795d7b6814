#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>

#include "engine/model/model.h"
#include "engine/network/simd/kernels.h"
#include "engine/views/camera.h"
#include "engine/views/network_input.h"

namespace threefold {

/// A tap's feature maps of all views: (view, side, side, channels).
struct FeatureMap {
    std::variant<const float*, const std::uint16_t*> values;  ///< float32 or bfloat16
    std::size_t side = 0;
    std::size_t channels = 0;
};

/// Precomputed projection from the reference view's space to pixels of a view (METHOD.md §2). As
/// published, projectToPixel()'s coordinates are scaled to a feature map but not shifted, so that
/// the first pixel's centre is at (0, 0).
struct FeatureProjection {
    glm::dmat3 rotation;
    glm::dvec3 translation;

    /// Row and column in a 224×224 image, clamped to 0…223. Both are in double precision, because
    /// float32 would round some coordinates to integers, where the published sampler is
    /// discontinuous.
    struct Pixel {
        double row;
        double column;
    };
    Pixel project(glm::dvec3 point) const;
};

/// Makes a projection for each camera. Points are in the first camera's space, with `depthOffset`
/// added to z (NetworkInput::depthOffset).
std::vector<FeatureProjection> projectionsFrom(std::span<const Camera> cameras,
                                               double depthOffset = 0);

/// Pools image features at points (METHOD.md §5): [x, y, z, max, mean, std] over the views.
/// Thread-safe; the maps must outlive the object.
class FeaturePooling {
  public:
    FeaturePooling(std::vector<FeatureProjection> projections, std::vector<FeatureMap> maps,
                   SamplerKind sampler, const simd::NetworkKernels& kernels);

    std::size_t width() const { return 3 + 3 * channels_; }

    /// Writes the width() values of a point.
    void pool(glm::vec3 point, float* out) const;

    /// Writes the width() − 3 values other than the position. The bfloat16 overload rounds them to
    /// bfloat16; the uint8 overload quantises them, with `inverseScales` steps per unit (one for
    /// each value, see simd::NetworkKernels::poolUint8). Both need bfloat16 maps.
    void features(glm::vec3 point, float* out) const;
    void features(glm::vec3 point, std::uint16_t* out) const;
    void features(glm::vec3 point, std::span<const float> inverseScales, std::uint8_t* out) const;

  private:
    /// Calls pool(corners of all views, channel count, first channel) for each map.
    template <class Value, class Pool>
    void forEachMap(glm::vec3 point, const Pool& pool) const;

    std::vector<FeatureProjection> projections_;
    std::vector<FeatureMap> maps_;
    SamplerKind sampler_;
    const simd::NetworkKernels* kernels_;
    std::size_t channels_ = 0;
};

}  // namespace threefold
