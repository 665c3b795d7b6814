#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include "engine/mesh.h"

namespace threefold::raster {

/// Grid steps per pixel. With coordinates within ±2^15 pixels of the image's centre, all
/// differences are below 2^25 steps and all edge functions below 2^52: exact in int64 and in
/// double.
inline constexpr int kGridShift = 8;  ///< log2 of kSubpixels
inline constexpr std::int32_t kSubpixels = 1 << kGridShift;
inline constexpr std::int32_t kHalfPixel = kSubpixels / 2;

/// Marks the x of a vertex that cannot be snapped; faces with such a vertex are clipped into
/// pieces.
inline constexpr std::int32_t kNeedsClipping = -(1 << 30);

/// Vertex snapped to the grid.
struct ScreenVertex {
    std::int32_t x;  ///< steps from the image's left edge, or kNeedsClipping
    std::int32_t y;  ///< steps from the edge of the first row
    double depth;    ///< z/w
    double inverseW;
};

/// One triangle of a clipped face.
struct ClippedTriangle {
    ScreenVertex corner[3];
    glm::dvec3 weight[3];  ///< for each corner of the piece: weights of the face's corners
    std::uint32_t face;
};

/// Id of a triangle: the index of a face, or kClippedFlag + the index of a piece.
using TriangleId = std::uint32_t;
inline constexpr TriangleId kClippedFlag = 1U << 31;
inline constexpr TriangleId kNoTriangle = ~TriangleId{0};

/// Projection from clip space to the grid.
struct ScreenProjection {
    ScreenProjection(std::uint32_t imageWidth, std::uint32_t imageHeight, double nearest);

    /// Whether a point can be snapped without clipping.
    bool isInside(const glm::dvec4& clip) const;
    ScreenVertex snap(const glm::dvec4& clip) const;

    std::uint32_t width;
    std::uint32_t height;
    double nearDepth;
    glm::dvec2 guardBand;  ///< maximum |x/w| and |y/w| that can be snapped
    glm::dvec2 steps;      ///< width and height of the image, in steps
};

/// Triangles of a view on the grid.
struct SnappedView {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::size_t vertexCount = 0;
    std::unique_ptr<ScreenVertex[]> vertices;
    const Faces* faces = nullptr;
    std::vector<ClippedTriangle> clippedTriangles;  ///< in the order of their faces
    std::size_t degenerateClippedFaceCount = 0;     ///< clipped faces without a piece that has area

    /// Sets `into` to the corners of a triangle.
    void corners(TriangleId id, const ScreenVertex* (&into)[3]) const {
        if ((id & kClippedFlag) != 0) {
            for (int i = 0; i < 3; ++i) into[i] = &clippedTriangles[id - kClippedFlag].corner[i];
        } else {
            const glm::u32vec3& face = (*faces)[id];
            into[0] = &vertices[face.x];
            into[1] = &vertices[face.y];
            into[2] = &vertices[face.z];
        }
    }
    std::uint32_t faceOf(TriangleId id) const {
        return (id & kClippedFlag) != 0 ? clippedTriangles[id - kClippedFlag].face : id;
    }
    /// Index of the first piece of `face`; if it has none, of the next face that has one.
    std::size_t firstClippedTriangle(std::uint32_t face) const;
};

/// Snaps every vertex and clips the faces that need clipping. `clip` and `faces` must be valid.
SnappedView snapView(std::span<const glm::vec4> clip, const Faces& faces,
                     const ScreenProjection& projection, int threads);

}  // namespace threefold::raster
