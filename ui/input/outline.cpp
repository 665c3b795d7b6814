#include "ui/input/outline.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include <glm/geometric.hpp>

namespace threefold::ui {
namespace {

constexpr int kSilhouetteSide = 2 * kInputSide;  // cells along a side of the default silhouette
constexpr double kCellsPerPixel = static_cast<double>(kSilhouetteSide) / kInputSide;

double signedArea(glm::dvec2 a, glm::dvec2 b, glm::dvec2 c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

bool usable(const ProjectedMesh& projection, const glm::u32vec3& face) {
    const std::size_t count = projection.pixels.size();
    for (int corner = 0; corner < 3; ++corner)
        if (face[corner] >= count || !projection.inFront[face[corner]]) return false;
    return true;
}

bool isInside(const Mask& mask, int x, int y) {
    return mask.inside[static_cast<std::size_t>(y) * mask.width + x] != 0;
}

/// Side of a face: its edge, the lower vertex index first, and whether the face is front-facing.
struct Side {
    std::pair<std::uint32_t, std::uint32_t> edge;
    bool front = false;
};

std::vector<Side> sortedSides(const ProjectedMesh& projection, const Faces& faces) {
    std::vector<Side> sides;
    sides.reserve(faces.size() * 3);
    for (const glm::u32vec3& face : faces) {
        if (!usable(projection, face)) continue;
        const bool front = signedArea(projection.pixels[face.x], projection.pixels[face.y],
                                      projection.pixels[face.z]) > 0;
        for (int corner = 0; corner < 3; ++corner) {
            const auto edge = std::minmax({face[corner], face[(corner + 1) % 3]});
            if (edge.first != edge.second) sides.push_back({edge, front});
        }
    }
    std::ranges::sort(sides, {}, &Side::edge);
    return sides;
}

/// Calls `use(first, last)` for the sides of each edge.
template <typename Use>
void forEachEdge(const std::vector<Side>& sides, const Use& use) {
    for (auto first = sides.begin(); first != sides.end();) {
        auto last = first;
        while (last != sides.end() && last->edge == first->edge) ++last;
        use(first, last);
        first = last;
    }
}

ImageLine lineOf(const ProjectedMesh& projection, const Side& side) {
    return {projection.pixels[side.edge.first], projection.pixels[side.edge.second]};
}

/// Adds the pieces of a line that lie at the border; adjoining pieces are joined.
void addBorderPieces(const ImageLine& line, const Mask& silhouette,
                     std::vector<ImageLine>& result) {
    constexpr int kMaxPieces = 4 * kSilhouetteSide;
    const double cells = glm::length(line.to - line.from) * kCellsPerPixel;
    const int pieces = std::clamp(static_cast<int>(std::ceil(cells)), 1, kMaxPieces);
    const auto point = [&](double piece) {
        return piece <= 0        ? line.from
               : piece >= pieces ? line.to
                                 : line.from + (line.to - line.from) * (piece / pieces);
    };
    int start = -1;
    for (int piece = 0; piece <= pieces; ++piece) {
        const bool atBorder = piece < pieces && isAtBorder(silhouette, point(piece + 0.5));
        if (atBorder && start < 0) start = piece;
        if (!atBorder && start >= 0) {
            result.push_back({point(start), point(piece)});
            start = -1;
        }
    }
}

}  // namespace

bool isAtBorder(const Mask& silhouette, glm::dvec2 pixel) {
    const glm::dvec2 cell = pixel * kCellsPerPixel;
    if (!(cell.x >= 0 && cell.y >= 0 && cell.x < silhouette.width && cell.y < silhouette.height))
        return true;
    const int column = static_cast<int>(cell.x);
    const int row = static_cast<int>(cell.y);
    for (int y = row - 1; y <= row + 1; ++y) {
        for (int x = column - 1; x <= column + 1; ++x) {
            if (x < 0 || y < 0 || x >= silhouette.width || y >= silhouette.height) return true;
            if (!isInside(silhouette, x, y)) return true;
        }
    }
    return false;
}

std::vector<ImageLine> outlineOf(const ProjectedMesh& projection, const Faces& faces,
                                 const Mask& silhouette) {
    std::vector<ImageLine> lines;
    forEachEdge(sortedSides(projection, faces), [&](auto first, auto last) {
        const bool facingChanges =
            std::any_of(first, last, [&](const Side& side) { return side.front != first->front; });
        if (last - first == 1 || facingChanges)
            addBorderPieces(lineOf(projection, *first), silhouette, lines);
    });
    return lines;
}

std::vector<ImageLine> wireframe(const ProjectedMesh& projection, const Faces& faces) {
    std::vector<ImageLine> lines;
    forEachEdge(sortedSides(projection, faces),
                [&](auto first, auto) { lines.push_back(lineOf(projection, *first)); });
    return lines;
}

}  // namespace threefold::ui
