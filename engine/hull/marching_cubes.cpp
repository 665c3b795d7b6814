#include "engine/hull/marching_cubes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>
#include <glm/common.hpp>

#include "engine/compute/parallel.h"
#include "engine/error.h"

namespace threefold::hull {
namespace {

constexpr int kBlockSide = 4;  ///< grid points of a block along each axis
constexpr int kPaddedSide = kBlockSide + 1;
constexpr std::size_t kPoints = kBlockSide * kBlockSide * kBlockSide;
constexpr std::size_t kBlocksAtOnce = 32;
constexpr std::uint32_t kNone = 0xFFFFFFFF;

// A cube's corner is numbered by three bits, x lowest. Edge 4a + p + 2q runs along axis a, at
// positions p and q along the two axes that follow a.

constexpr unsigned axisAfter(unsigned axis, unsigned by) {
    return (axis + by) % 3;
}

constexpr std::array<std::array<unsigned, 4>, 6> cubeFaces() {
    std::array<std::array<unsigned, 4>, 6> faces{};
    for (unsigned axis = 0; axis < 3; ++axis) {
        const unsigned b = 1U << axisAfter(axis, 1);
        const unsigned c = 1U << axisAfter(axis, 2);
        faces[2 * axis] = {0, b, b + c, c};
        faces[2 * axis + 1] = {0, c, b + c, b};
        for (unsigned& corner : faces[2 * axis + 1]) corner += 1U << axis;
    }
    return faces;
}
/// Corners of each face, clockwise as seen from outside of the cube.
constexpr std::array kFaceCorners = cubeFaces();

constexpr unsigned edgeBetween(unsigned one, unsigned other) {
    const unsigned axis = (one ^ other) >> 1;
    const unsigned low = one & other;
    return 4 * axis + ((low >> axisAfter(axis, 1)) & 1U) + 2 * ((low >> axisAfter(axis, 2)) & 1U);
}

constexpr unsigned lowCorner(unsigned edge) {
    const unsigned axis = edge / 4;
    return ((edge & 1U) << axisAfter(axis, 1)) | (((edge >> 1) & 1U) << axisAfter(axis, 2));
}

constexpr std::array<unsigned, 12> facesOfEdges() {
    std::array<unsigned, 12> faces{};
    for (unsigned face = 0; face < 6; ++face)
        for (unsigned i = 0; i < 4; ++i)
            faces[edgeBetween(kFaceCorners[face][i], kFaceCorners[face][(i + 1) % 4])] |= 1U
                                                                                          << face;
    return faces;
}
constexpr std::array kEdgeFaces = facesOfEdges();

/// For each crossed edge, the next crossed edge around the surface polygon in the cube.
std::array<std::uint8_t, 12> polygonsIn(const std::array<float, 8>& corners) {
    std::array<std::uint8_t, 12> next{};
    for (const auto& face : kFaceCorners) {
        std::array<bool, 4> isInside{};
        int changes = 0;
        for (unsigned i = 0; i < 4; ++i) isInside[i] = corners[face[i]] < 0;
        for (unsigned i = 0; i < 4; ++i) changes += isInside[i] != isInside[(i + 1) % 4] ? 1 : 0;
        if (changes == 0) continue;
        const float even = corners[face[0]] * corners[face[2]];
        const float odd = corners[face[1]] * corners[face[3]];
        const bool joined = isInside[0] ? even > odd : odd > even;
        // In this face the surface runs from an edge where the corners, in order, change from
        // inside to outside, to an edge where they change back.
        for (unsigned i = 0; i < 4; ++i) {
            if (!isInside[i] || isInside[(i + 1) % 4]) continue;
            unsigned back = joined || changes == 2 ? (i + 1) % 4 : (i + 3) % 4;
            while (isInside[back] || !isInside[(back + 1) % 4]) back = (back + 1) % 4;
            next[edgeBetween(face[i], face[(i + 1) % 4])] =
                static_cast<std::uint8_t>(edgeBetween(face[back], face[(back + 1) % 4]));
        }
    }
    return next;
}

/// Finds the vertex of a loop from which a fan of triangles has no diagonal in a face of the cube,
/// where the neighbouring cube's fan could have the same diagonal. Returns its index in `loop`; the
/// loop's size if there is no such vertex.
std::size_t fanStart(const std::array<unsigned, 12>& loop, std::size_t size) {
    for (std::size_t from = 0; from < size; ++from) {
        bool isInner = true;
        for (std::size_t i = 2; i + 1 < size; ++i)
            isInner =
                isInner && (kEdgeFaces[loop[from]] & kEdgeFaces[loop[(from + i) % size]]) == 0;
        if (isInner) return from;
    }
    return size;
}

constexpr std::size_t pointIn(glm::ivec3 at, int side) {
    return static_cast<std::size_t>((at.z * side + at.y) * side + at.x);
}

glm::ivec3 cornerOffset(unsigned corner) {
    return {corner & 1U, (corner >> 1) & 1U, corner >> 2};
}

template <typename Visit>
void forBox(glm::ivec3 first, glm::ivec3 end, const Visit& visit) {
    for (int z = first.z; z < end.z; ++z)
        for (int y = first.y; y < end.y; ++y)
            for (int x = first.x; x < end.x; ++x) visit(glm::ivec3(x, y, z));
}

struct Block {
    glm::ivec3 at;  ///< position among the blocks; the first grid point is kBlockSide · at
    std::array<float, kPoints> values;
    /// Vertices on the edges from each point along each axis.
    std::array<std::uint32_t, 3 * kPoints> vertices;
};

/// Mesh of a run of blocks, to be joined in the order of blocks.
struct BlockRunMesh {
    Points vertices;
    Faces faces;     // index kFirstCentre + i: centres[i]
    Points centres;  // additional vertices, in the middle of polygons without a fanStart()
};
constexpr std::uint32_t kFirstCentre = 0x80000000;

class MarchingCubes {
  public:
    MarchingCubes(const DistanceField& field, const MarchingCubesOptions& options)
        : field_(field), options_(options) {}

    Mesh surface() {
        requireFewBlocks();
        addCrossedBlocks();
        completeBlocks();
        sortBlocks();
        return extractMesh();
    }

  private:
    glm::dvec3 worldPoint(glm::dvec3 point) const { return options_.spacing * point; }

    /// Maximum number of blocks on each side of the origin along an axis: keyOf() has 21 bits for
    /// each axis.
    static constexpr int kMaxBlocks = 1 << 20;

    void requireFewBlocks() const {
        // addCrossedBlocks() begins with boxes of more than one block.
        constexpr double kMargin = kBlockSide * kBlockSide * kBlockSide;
        const double blocks = options_.radius / (options_.spacing * kBlockSide) + kMargin;
        if (!(blocks < kMaxBlocks))
            throw InputError({"surface", "",
                              fmt::format("the grid is too fine: spacing {:g} within ±{:g}",
                                          options_.spacing, options_.radius),
                              ""});
    }

    static std::uint64_t keyOf(glm::ivec3 at) {
        const auto bits = [](int value) { return static_cast<std::uint64_t>(value + kMaxBlocks); };
        return (bits(at.z) << 42) | (bits(at.y) << 21) | bits(at.x);
    }

    void add(glm::ivec3 at) {
        if (!index_.try_emplace(keyOf(at), static_cast<std::uint32_t>(blocks_.size())).second)
            return;
        blocks_.emplace_back().at = at;
    }

    void parallel(std::size_t count, const std::function<void(std::size_t)>& work) const {
        parallelForChunks(options_.threads, count, kBlocksAtOnce, options_.cancel,
                          [&](std::size_t begin, std::size_t end) {
                              for (std::size_t i = begin; i < end; ++i) work(i);
                          });
    }

    /// Adds the blocks that the surface may cross, by subdividing large boxes.
    void addCrossedBlocks() {
        int size = kBlockSide * kBlockSide * kBlockSide;
        const int ends = static_cast<int>(std::ceil(options_.radius / (options_.spacing * size)));
        std::vector<glm::ivec3> boxes;
        forBox(glm::ivec3(-ends), glm::ivec3(ends), [&](glm::ivec3 at) { boxes.push_back(at); });
        for (;; size /= kBlockSide) {
            std::vector<std::uint8_t> crossed(boxes.size());
            parallel(boxes.size(), [&](std::size_t i) {
                const glm::dvec3 centre = (glm::dvec3(boxes[i]) + 0.5) * double(size);
                const double radius = options_.spacing * size * std::sqrt(3.0) / 2;
                const auto maxDistance = static_cast<float>(options_.maxSlope * radius);
                crossed[i] =
                    std::abs(field_(worldPoint(centre), maxDistance)) <= maxDistance ? 1 : 0;
            });
            std::vector<glm::ivec3> finer;
            for (std::size_t i = 0; i < boxes.size(); ++i) {
                if (crossed[i] == 0) continue;
                if (size == kBlockSide)
                    add(boxes[i]);
                else
                    forBox(kBlockSide * boxes[i], kBlockSide * boxes[i] + kBlockSide,
                           [&](glm::ivec3 at) { finer.push_back(at); });
            }
            if (size == kBlockSide) break;
            boxes = std::move(finer);
        }
    }

    /// Evaluates all blocks, and adds each neighbour that adjoins known points of both signs, until
    /// every cube with corners of both signs is complete.
    void completeBlocks() {
        std::unordered_map<std::uint64_t, unsigned> signs;
        for (std::size_t begin = 0; begin < blocks_.size();) {
            const std::size_t end = blocks_.size();
            parallel(end - begin, [&](std::size_t i) { evaluate(blocks_[begin + i]); });
            for (; begin < end; ++begin) {
                const Block block = blocks_[begin];
                forBox(glm::ivec3(-1), glm::ivec3(2), [&](glm::ivec3 side) {
                    const std::uint64_t key = keyOf(block.at + side);
                    if (index_.contains(key)) return;
                    unsigned& seenSigns = signs[key];
                    seenSigns |= signsTowards(block, side);
                    if (seenSigns == 3) add(block.at + side);
                });
            }
        }
    }

    void evaluate(Block& block) const {
        const auto maxDistance = static_cast<float>(options_.spacing);
        forBox(glm::ivec3(0), glm::ivec3(kBlockSide), [&](glm::ivec3 at) {
            block.values[pointIn(at, kBlockSide)] =
                std::clamp(field_(worldPoint(glm::dvec3(kBlockSide * block.at + at)), maxDistance),
                           -maxDistance, maxDistance);
        });
    }

    /// Signs of the points next to the neighbour at `side`: bit 0 for inside, bit 1 for outside.
    static unsigned signsTowards(const Block& block, glm::ivec3 side) {
        glm::ivec3 first(0);
        glm::ivec3 end(kBlockSide);
        for (int axis = 0; axis < 3; ++axis) {
            if (side[axis] > 0) first[axis] = kBlockSide - 1;
            if (side[axis] < 0) end[axis] = 1;
        }
        unsigned signs = 0;
        forBox(first, end, [&](glm::ivec3 at) {
            signs |= block.values[pointIn(at, kBlockSide)] < 0 ? 1U : 2U;
        });
        return signs;
    }

    /// Sorts blocks by position, so that the number of threads and the order of discovery do not
    /// change the result.
    void sortBlocks() {
        std::sort(blocks_.begin(), blocks_.end(),
                  [](const Block& a, const Block& b) { return keyOf(a.at) < keyOf(b.at); });
        for (std::size_t i = 0; i < blocks_.size(); ++i)
            index_[keyOf(blocks_[i].at)] = static_cast<std::uint32_t>(i);
    }

    /// A block with the neighbours that its cubes include, and all values of these cubes.
    struct Neighbourhood {
        std::array<const Block*, 8> blocks;
        std::array<float, kPaddedSide * kPaddedSide * kPaddedSide> values;
    };

    Neighbourhood neighbourhood(const Block& block) const {
        Neighbourhood result{};
        for (unsigned corner = 0; corner < 8; ++corner) {
            const auto entry = index_.find(keyOf(block.at + cornerOffset(corner)));
            if (entry != index_.end()) result.blocks[corner] = &blocks_[entry->second];
        }
        forBox(glm::ivec3(0), glm::ivec3(kPaddedSide), [&](glm::ivec3 at) {
            const Block* owner = result.blocks[ownerOf(at)];
            // All corners of a cube with a missing corner have the same sign, so any other corner
            // may take its place.
            const glm::ivec3 from =
                owner != nullptr ? at % kBlockSide : glm::min(at, kBlockSide - 1);
            result.values[pointIn(at, kPaddedSide)] =
                (owner != nullptr ? *owner : block).values[pointIn(from, kBlockSide)];
        });
        return result;
    }

    static unsigned ownerOf(glm::ivec3 at) {
        return (at.x == kBlockSide ? 1U : 0U) | (at.y == kBlockSide ? 2U : 0U) |
               (at.z == kBlockSide ? 4U : 0U);
    }

    Mesh extractMesh() {
        std::vector<BlockRunMesh> runs((blocks_.size() + kBlocksAtOnce - 1) / kBlocksAtOnce);
        parallel(blocks_.size(),
                 [&](std::size_t i) { addVertices(blocks_[i], runs[i / kBlocksAtOnce].vertices); });
        Mesh mesh;
        std::vector<std::uint32_t> first;
        for (BlockRunMesh& run : runs) {
            first.push_back(static_cast<std::uint32_t>(mesh.vertices.size()));
            mesh.vertices.insert(mesh.vertices.end(), run.vertices.begin(), run.vertices.end());
        }
        for (std::size_t i = 0; i < blocks_.size(); ++i)
            for (std::uint32_t& vertex : blocks_[i].vertices)
                if (vertex != kNone) vertex += first[i / kBlocksAtOnce];
        parallel(blocks_.size(), [&](std::size_t i) {
            addFaces(blocks_[i], mesh.vertices, runs[i / kBlocksAtOnce]);
        });
        for (const BlockRunMesh& run : runs) {
            const auto centres = static_cast<std::uint32_t>(mesh.vertices.size()) - kFirstCentre;
            mesh.vertices.insert(mesh.vertices.end(), run.centres.begin(), run.centres.end());
            for (glm::u32vec3 face : run.faces) {
                if (face.z >= kFirstCentre) face.z += centres;
                mesh.faces.push_back(face);
            }
        }
        return mesh;
    }

    void addVertices(Block& block, Points& vertices) const {
        const Neighbourhood neighbours = neighbourhood(block);
        block.vertices.fill(kNone);
        forBox(glm::ivec3(0), glm::ivec3(kBlockSide), [&](glm::ivec3 at) {
            const float value = neighbours.values[pointIn(at, kPaddedSide)];
            for (int axis = 0; axis < 3; ++axis) {
                glm::ivec3 next = at;
                ++next[axis];
                const float nextValue = neighbours.values[pointIn(next, kPaddedSide)];
                if ((value < 0) == (nextValue < 0)) continue;
                // Keeps the vertex away from the grid points, where vertices of several cubes would
                // coincide.
                constexpr float kMinFraction = 0.02F;
                const float fraction =
                    std::clamp(value / (value - nextValue), kMinFraction, 1 - kMinFraction);
                glm::dvec3 point(kBlockSide * block.at + at);
                point[axis] += fraction;
                block.vertices[3 * pointIn(at, kBlockSide) + static_cast<std::size_t>(axis)] =
                    static_cast<std::uint32_t>(vertices.size());
                vertices.emplace_back(worldPoint(point));
            }
        });
    }

    void addFaces(const Block& block, const Points& vertices, BlockRunMesh& run) const {
        const Neighbourhood neighbours = neighbourhood(block);
        forBox(glm::ivec3(0), glm::ivec3(kBlockSide), [&](glm::ivec3 at) {
            std::array<float, 8> corners{};
            int inside = 0;
            for (unsigned corner = 0; corner < 8; ++corner) {
                corners[corner] =
                    neighbours.values[pointIn(at + cornerOffset(corner), kPaddedSide)];
                inside += corners[corner] < 0 ? 1 : 0;
            }
            if (inside == 0 || inside == 8) return;
            const auto vertexOn = [&](unsigned edge) {
                const glm::ivec3 from = at + cornerOffset(lowCorner(edge));
                return neighbours.blocks[ownerOf(from)]
                    ->vertices[3 * pointIn(from % kBlockSide, kBlockSide) + edge / 4];
            };
            addCube(corners, vertexOn, vertices, run);
        });
    }

    template <typename VertexOn>
    static void addCube(const std::array<float, 8>& corners, const VertexOn& vertexOn,
                        const Points& vertices, BlockRunMesh& run) {
        const std::array<std::uint8_t, 12> next = polygonsIn(corners);
        unsigned done = 0;
        for (unsigned first = 0; first < 12; ++first) {
            const unsigned low = lowCorner(first);
            const unsigned high = low | (1U << (first / 4));
            if ((done >> first & 1U) != 0 || (corners[low] < 0) == (corners[high] < 0)) continue;
            std::array<unsigned, 12> loop{};
            std::size_t size = 0;
            for (unsigned edge = first; (done >> edge & 1U) == 0; edge = next[edge]) {
                done |= 1U << edge;
                loop[size++] = edge;
            }
            const std::size_t fan = fanStart(loop, size);
            if (fan < size) {
                for (std::size_t i = 1; i + 1 < size; ++i)
                    run.faces.emplace_back(vertexOn(loop[fan]), vertexOn(loop[(fan + i) % size]),
                                           vertexOn(loop[(fan + i + 1) % size]));
                continue;
            }
            const std::size_t centre = kFirstCentre + run.centres.size();
            glm::vec3 sum(0);
            for (std::size_t i = 0; i < size; ++i) {
                sum += vertices[vertexOn(loop[i])];
                run.faces.emplace_back(vertexOn(loop[i]), vertexOn(loop[(i + 1) % size]), centre);
            }
            run.centres.push_back(sum / static_cast<float>(size));
        }
    }

    const DistanceField& field_;
    const MarchingCubesOptions& options_;
    std::vector<Block> blocks_;
    std::unordered_map<std::uint64_t, std::uint32_t> index_;
};

}  // namespace

Mesh marchingCubes(const DistanceField& field, const MarchingCubesOptions& options) {
    return MarchingCubes(field, options).surface();
}

Mesh marchingCubesWithVertexCount(const DistanceField& field, double vertexCount,
                                  MarchingCubesOptions options) {
    constexpr double kDilation = 0.3;  // of the spacing, so that thin parts reach grid points
    constexpr double kMinSpacing = 0.0005;
    constexpr int kAttempts = 4;
    for (int attempt = 0;; ++attempt) {
        const auto level = static_cast<float>(kDilation * options.spacing);
        Mesh mesh = marchingCubes(
            [&](glm::dvec3 point, float maxDistance) {
                return field(point, maxDistance + level) - level;
            },
            options);
        const double ratio = double(mesh.vertices.size()) / vertexCount;
        if ((ratio > 0.6 && ratio < 1.6) || attempt == kAttempts) return mesh;
        options.spacing =
            std::max(kMinSpacing, options.spacing * std::clamp(std::sqrt(ratio), 0.2, 2.0));
    }
}

}  // namespace threefold::hull
