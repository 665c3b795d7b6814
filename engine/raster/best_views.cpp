#include "engine/raster/best_views.h"

#include <cmath>
#include <cstdint>

#include <glm/vec2.hpp>

#include "engine/raster/rasterize.h"

namespace threefold {
namespace {

constexpr std::uint32_t kSide = 512;

// In pixels.
float areaOf(const std::vector<glm::vec4>& clip, glm::u32vec3 face) {
    const auto at = [&](int corner) {
        const glm::vec4 place = clip[face[corner]];
        return glm::vec2(place) / place.w * (0.5F * kSide);
    };
    const glm::vec2 a = at(1) - at(0);
    const glm::vec2 b = at(2) - at(0);
    return std::abs(a.x * b.y - a.y * b.x) / 2;
}

// Of each face, the pixels in which it is the nearest one and the photograph shows the object.
std::vector<std::uint32_t> seenPixels(const RasterImage& drawn, std::size_t faces,
                                      const Image& photograph) {
    constexpr std::uint8_t kOpaque = 128;
    const auto width = static_cast<std::size_t>(photograph.width);
    const auto height = static_cast<std::size_t>(photograph.height);
    std::vector<std::uint32_t> seen(faces);
    for (std::size_t pixel = 0; pixel < drawn.face.size(); ++pixel) {
        const std::uint32_t face = drawn.face[pixel];
        if (face == 0) continue;
        const std::size_t x = pixel % kSide * width / kSide;
        const std::size_t y = pixel / kSide * height / kSide;
        if (photograph.rgba[4 * (y * width + x) + 3] >= kOpaque) ++seen[face - 1];
    }
    return seen;
}

}  // namespace

std::vector<std::optional<std::size_t>> bestViews(const Faces& faces,
                                                  std::span<const ClipView> views) {
    constexpr float kSmall = 4;  // pixels
    std::vector<std::span<const glm::vec4>> spans;
    for (const ClipView& view : views) spans.emplace_back(view.vertices);
    RasterOptions options;
    options.width = options.height = kSide;
    options.wantBarycentric = false;
    const std::vector<RasterImage> images = rasterize(spans, faces, options);
    std::vector<std::optional<std::size_t>> best(faces.size());
    std::vector<float> largest(faces.size());
    for (std::size_t view = 0; view < views.size(); ++view) {
        const auto seen = seenPixels(images[view], faces.size(), *views[view].photograph);
        std::vector<bool> corners(views[view].vertices.size());
        for (std::size_t face = 0; face < faces.size(); ++face) {
            if (seen[face] == 0) continue;
            for (int i = 0; i < 3; ++i) corners[faces[face][i]] = true;
        }
        for (std::size_t face = 0; face < faces.size(); ++face) {
            const glm::u32vec3 corner = faces[face];
            const float area = areaOf(views[view].vertices, corner);
            const auto pixels = static_cast<float>(seen[face]);
            // All but one: of a face in a corner of an open mesh, no other face has the third.
            const int known = corners[corner.x] + corners[corner.y] + corners[corner.z];
            const bool around = area < kSmall && known >= 2;
            // The area changes evenly from face to face, the number of pixels does not.
            const float size = around || 2 * pixels >= area ? area : pixels;
            if (size <= largest[face]) continue;
            largest[face] = size;
            best[face] = view;
        }
    }
    return best;
}

}  // namespace threefold
