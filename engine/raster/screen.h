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

/// Steps of the grid in a pixel. With coordinates within ±2^15 pixels around the image's middle,
/// all differences are below 2^25 steps and all edge functions below 2^52: exact in int64 and in
/// double.
inline constexpr std::int32_t kSubpixels = 256;
inline constexpr std::int32_t kHalfPixel = kSubpixels / 2;

/// x of a vertex that cannot be snapped as it is; faces that use it are cut into pieces.
inline constexpr std::int32_t kMustBeCut = -(1 << 30);

/// A vertex on the grid.
struct ScreenVertex {
    std::int32_t x;  ///< steps from the image's left edge, or kMustBeCut
    std::int32_t y;  ///< steps from the edge of the first row
    double depth;    ///< z/w
    double inverseW;
};

/// One triangle of a face that had to be cut.
struct Piece {
    ScreenVertex corner[3];
    glm::dvec3 weight[3];  ///< of the face's corners at each of the piece's
    std::uint32_t face;
};

/// Identifies a triangle: a face's index, or kPiece + a piece's.
using TriangleId = std::uint32_t;
inline constexpr TriangleId kPiece = 1U << 31;
inline constexpr TriangleId kNothing = ~TriangleId{0};

/// From clip space to the grid.
struct Projection {
    Projection(std::uint32_t imageWidth, std::uint32_t imageHeight, double nearest);

    /// Whether a point can be snapped as it is.
    bool isInside(const glm::dvec4& clip) const;
    ScreenVertex snap(const glm::dvec4& clip) const;

    std::uint32_t width;
    std::uint32_t height;
    double nearDepth;
    glm::dvec2 guard;  ///< largest |x/w| and |y/w| that is snapped
    glm::dvec2 steps;  ///< in the image
};

/// A view's triangles on the grid.
struct Screen {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::size_t vertexCount = 0;
    std::unique_ptr<ScreenVertex[]> vertices;
    const Faces* faces = nullptr;
    std::vector<Piece> pieces;      ///< in the order of their faces
    std::size_t degenerateCut = 0;  ///< faces that were cut and of which no piece has area

    /// The corners of a triangle; `into` holds them.
    void corners(TriangleId id, const ScreenVertex* (&into)[3]) const {
        if ((id & kPiece) != 0) {
            for (int i = 0; i < 3; ++i) into[i] = &pieces[id - kPiece].corner[i];
        } else {
            const glm::u32vec3& face = (*faces)[id];
            into[0] = &vertices[face.x];
            into[1] = &vertices[face.y];
            into[2] = &vertices[face.z];
        }
    }
    std::uint32_t faceOf(TriangleId id) const {
        return (id & kPiece) != 0 ? pieces[id - kPiece].face : id;
    }
    /// Index of the first piece of `face` or a later one.
    std::size_t firstPiece(std::uint32_t face) const;
};

/// Snaps every vertex and cuts the faces that need it. `clip` and `faces` are valid.
Screen makeScreen(std::span<const glm::vec4> clip, const Faces& faces, const Projection& projection,
                  int threads);

}  // namespace threefold::raster
