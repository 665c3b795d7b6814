#include "engine/sample_rendering/transparent_layers.h"

#include <cmath>
#include <limits>
#include <utility>

#include <glm/common.hpp>
#include <glm/vec2.hpp>

namespace threefold {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
/// Side, in points, of the squares that are tested together when faces are left out.
constexpr std::size_t kSquare = 16;

}  // namespace

TransparentLayers::TransparentLayers(const Faces& faces, std::vector<std::uint32_t> numbers)
    : all_(faces), numbers_(std::move(numbers)) {}

void TransparentLayers::draw(std::span<const glm::vec4> corners, RasterOptions options,
                             std::span<const float> ends, const Visit& visit) {
    listed_ = numbers_;
    faces_.clear();
    for (const std::uint32_t number : listed_) faces_.push_back(all_[number]);
    options.wantDepth = true;
    options.facesKey.reset();  // other faces in each layer
    options.occlusionTruncation = kSameSheet;
    prior_.assign(ends.size(), -kInfinity);
    squares_ = (options.width + kSquare - 1) / kSquare;
    for (int layer = 0; layer < kMostLayers && !faces_.empty(); ++layer) {
        if (layer > 0) options.depthPrior = prior_;
        rasterize({&corners, 1}, faces_, options, {&raster_, 1});
        open_.assign(squares_ * ((options.height + kSquare - 1) / kSquare), 0);
        if (!drawLayer(ends, visit)) break;
        keepNeeded(corners);
    }
}

bool TransparentLayers::drawLayer(std::span<const float> ends, const Visit& visit) {
    bool any = false;
    for (std::size_t point = 0; point < ends.size(); ++point) {
        const std::uint32_t face = raster_.face[point];
        const float depth = face == 0 ? kInfinity : raster_.depth[point];
        const bool more = face != 0 && depth <= ends[point] + kSameSheet &&
                          visit(point, listed_[face - 1], raster_.barycentric[point]);
        // Rounded up: the face itself must not be drawn again.
        prior_[point] = more ? std::nextafter(depth, kInfinity) : kInfinity;
        if (!more) continue;
        any = true;
        open_[point / raster_.width / kSquare * squares_ + point % raster_.width / kSquare] = 1;
    }
    return any;
}

void TransparentLayers::keepNeeded(std::span<const glm::vec4> corners) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < faces_.size(); ++i) {
        if (!isNeeded(faces_[i], corners)) continue;
        faces_[kept] = faces_[i];
        listed_[kept++] = listed_[i];
    }
    faces_.resize(kept);
    listed_.resize(kept);
}

bool TransparentLayers::isNeeded(const glm::u32vec3& face,
                                 std::span<const glm::vec4> corners) const {
    glm::vec2 least(kInfinity);
    glm::vec2 most(-kInfinity);
    const glm::vec2 half = glm::vec2(raster_.width, raster_.height) / 2.0F;
    for (int k = 0; k < 3; ++k) {
        const glm::vec4& clip = corners[face[k]];
        if (clip.w <= -clip.z) return true;  // reaches behind the camera
        const glm::vec2 place = (glm::vec2(clip.x, clip.y) / clip.w + 1.0F) * half;
        least = glm::min(least, place - 1.0F);
        most = glm::max(most, place + 1.0F);
    }
    const glm::vec2 last(raster_.width - 1, raster_.height - 1);
    if (most.x < 0 || most.y < 0 || least.x > last.x || least.y > last.y) return false;
    const glm::u32vec2 first(glm::max(least, glm::vec2(0.0F)) / float{kSquare});
    const glm::u32vec2 end(glm::min(most, last) / float{kSquare});
    for (std::size_t y = first.y; y <= end.y; ++y)
        for (std::size_t x = first.x; x <= end.x; ++x)
            if (open_[y * squares_ + x] != 0) return true;
    return false;
}

}  // namespace threefold
