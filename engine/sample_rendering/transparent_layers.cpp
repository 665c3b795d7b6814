#include "engine/sample_rendering/transparent_layers.h"

#include <cmath>
#include <limits>
#include <utility>

#include <glm/common.hpp>
#include <glm/vec2.hpp>

namespace threefold {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
/// Side, in pixels of the raster, of the blocks that are tested together when dropping faces.
constexpr std::size_t kBlockSide = 16;

}  // namespace

TransparentLayers::TransparentLayers(const Faces& faces, std::vector<std::uint32_t> indices)
    : meshFaces_(faces), indices_(std::move(indices)) {}

void TransparentLayers::draw(std::span<const glm::vec4> corners, RasterOptions options,
                             std::span<const float> maxDepths, const LayerFunction& visit) {
    remaining_ = indices_;
    faces_.clear();
    for (const std::uint32_t index : remaining_) faces_.push_back(meshFaces_[index]);
    options.wantDepth = true;
    options.facesCacheKey.reset();  // each layer has other faces
    options.peeling.minGap = kMinLayerGap;
    previousDepths_.assign(maxDepths.size(), -kInfinity);
    blocksPerRow_ = (options.width + kBlockSide - 1) / kBlockSide;
    for (int layer = 0; layer < kMaxLayers && !faces_.empty(); ++layer) {
        if (layer > 0) options.peeling.previousDepths = previousDepths_;
        rasterize({&corners, 1}, faces_, options, {&raster_, 1});
        unfinishedBlocks_.assign(blocksPerRow_ * ((options.height + kBlockSide - 1) / kBlockSide),
                                 0);
        if (!drawLayer(maxDepths, visit)) break;
        dropHidden(corners);
    }
}

bool TransparentLayers::drawLayer(std::span<const float> maxDepths, const LayerFunction& visit) {
    bool any = false;
    for (std::size_t pixel = 0; pixel < maxDepths.size(); ++pixel) {
        const std::uint32_t face = raster_.facePlusOne[pixel];
        const float depth = face == 0 ? kInfinity : raster_.depth[pixel];
        const bool more = face != 0 && depth <= maxDepths[pixel] + kMinLayerGap &&
                          visit(pixel, remaining_[face - 1], raster_.barycentric[pixel]);
        // Rounded up: the face itself must not be drawn again.
        previousDepths_[pixel] = more ? std::nextafter(depth, kInfinity) : kInfinity;
        if (!more) continue;
        any = true;
        unfinishedBlocks_[pixel / raster_.width / kBlockSide * blocksPerRow_ +
                          pixel % raster_.width / kBlockSide] = 1;
    }
    return any;
}

void TransparentLayers::dropHidden(std::span<const glm::vec4> corners) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < faces_.size(); ++i) {
        if (!mayBeVisible(faces_[i], corners)) continue;
        faces_[count] = faces_[i];
        remaining_[count++] = remaining_[i];
    }
    faces_.resize(count);
    remaining_.resize(count);
}

bool TransparentLayers::mayBeVisible(const glm::u32vec3& face,
                                     std::span<const glm::vec4> corners) const {
    glm::vec2 low(kInfinity);
    glm::vec2 high(-kInfinity);
    const glm::vec2 half = glm::vec2(raster_.width, raster_.height) / 2.0F;
    for (int k = 0; k < 3; ++k) {
        const glm::vec4& clip = corners[face[k]];
        if (clip.w <= -clip.z) return true;  // reaches behind the camera
        const glm::vec2 position = (glm::vec2(clip.x, clip.y) / clip.w + 1.0F) * half;
        low = glm::min(low, position - 1.0F);
        high = glm::max(high, position + 1.0F);
    }
    const glm::vec2 last(raster_.width - 1, raster_.height - 1);
    if (high.x < 0 || high.y < 0 || low.x > last.x || low.y > last.y) return false;
    const glm::u32vec2 first(glm::max(low, glm::vec2(0.0F)) / float{kBlockSide});
    const glm::u32vec2 end(glm::min(high, last) / float{kBlockSide});
    for (std::size_t y = first.y; y <= end.y; ++y)
        for (std::size_t x = first.x; x <= end.x; ++x)
            if (unfinishedBlocks_[y * blocksPerRow_ + x] != 0) return true;
    return false;
}

}  // namespace threefold
