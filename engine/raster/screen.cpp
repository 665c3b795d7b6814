#include "engine/raster/screen.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "engine/compute/parallel.h"

namespace threefold::raster {
namespace {

constexpr double kGuardPixels = 1 << 15;
constexpr std::size_t kVerticesAtOnce = 8192;

void cutFaces(std::span<const glm::vec4> clip, const Projection& projection, Screen& screen) {
    const Faces& faces = *screen.faces;
    for (std::uint32_t f = 0; f < faces.size(); ++f) {
        const glm::u32vec3& face = faces[f];
        const ScreenVertex* vertices = screen.vertices.get();
        if (vertices[face.x].x != kMustBeCut && vertices[face.y].x != kMustBeCut &&
            vertices[face.z].x != kMustBeCut) {
            continue;
        }
        const glm::dvec4 corner[3] = {clip[face.x], clip[face.y], clip[face.z]};
        if (cutFace(corner, f, projection, screen.pieces)) ++screen.degenerateCut;
    }
}

}  // namespace

Projection::Projection(std::uint32_t width, std::uint32_t height, double nearDepth)
    : width_(width),
      height_(height),
      nearDepth_(nearDepth),
      guard_(2 * kGuardPixels / width, 2 * kGuardPixels / height),
      steps_(width * double{kSubpixels}, height * double{kSubpixels}) {}

bool Projection::isInside(const glm::dvec4& clip) const {
    // Evaluates all four without branches: the first one rarely decides.
    const int inFront = clip.w >= std::numeric_limits<float>::min() ? 1 : 0;
    const int beyondNear = clip.z >= nearDepth_ * clip.w ? 1 : 0;
    const int across = std::abs(clip.x) <= guard_.x * clip.w ? 1 : 0;
    const int along = std::abs(clip.y) <= guard_.y * clip.w ? 1 : 0;
    return (inFront & beyondNear & across & along) != 0;
}

ScreenVertex Projection::snap(const glm::dvec4& clip) const {
    const double inverseW = 1 / clip.w;
    const double x = (clip.x * inverseW * 0.5 + 0.5) * steps_.x;
    const double y = (clip.y * inverseW * 0.5 + 0.5) * steps_.y;
    return {static_cast<std::int32_t>(std::lrint(x)), static_cast<std::int32_t>(std::lrint(y)),
            clip.z * inverseW, inverseW};
}

std::size_t Screen::firstPiece(std::uint32_t face) const {
    const auto found = std::ranges::lower_bound(pieces, face, {}, &Piece::face);
    return static_cast<std::size_t>(found - pieces.begin());
}

Screen makeScreen(std::span<const glm::vec4> clip, const Faces& faces, const Projection& projection,
                  int threads) {
    Screen screen;
    screen.width = projection.width();
    screen.height = projection.height();
    screen.vertexCount = clip.size();
    screen.vertices = std::make_unique_for_overwrite<ScreenVertex[]>(clip.size());
    screen.faces = &faces;
    std::atomic<bool> mustCut = false;
    const std::size_t items = (clip.size() + kVerticesAtOnce - 1) / kVerticesAtOnce;
    const int useful = static_cast<int>(std::min(items, static_cast<std::size_t>(threads)));
    parallelFor(useful, items, {}, [&](std::size_t item, std::size_t) {
        const std::size_t end = std::min(clip.size(), (item + 1) * kVerticesAtOnce);
        bool outside = false;
        for (std::size_t i = item * kVerticesAtOnce; i < end; ++i) {
            const glm::dvec4 point(clip[i]);
            const bool inside = projection.isInside(point);
            screen.vertices[i] =
                inside ? projection.snap(point) : ScreenVertex{kMustBeCut, kMustBeCut, 0, 1};
            outside |= !inside;
        }
        if (outside) mustCut = true;
    });
    if (mustCut) cutFaces(clip, projection, screen);
    return screen;
}

}  // namespace threefold::raster
