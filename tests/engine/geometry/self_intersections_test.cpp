#include "engine/geometry/self_intersections.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <set>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/geometry/exact_orientation.h"
#include "tests/engine/raster/shapes.h"

namespace threefold {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

__extension__ using Wide = __int128;  // exact integers for the reference implementations
using WideVector = std::array<Wide, 3>;
using WidePolygon = std::vector<WideVector>;

WideVector wide(glm::vec3 v) {
    return {static_cast<Wide>(v.x), static_cast<Wide>(v.y), static_cast<Wide>(v.z)};
}
WideVector operator-(const WideVector& a, const WideVector& b) {
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
WideVector cross(const WideVector& a, const WideVector& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Wide dot(const WideVector& a, const WideVector& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
int signOf(Wide value) {
    return (value > 0 ? 1 : 0) - (value < 0 ? 1 : 0);
}

WideVector edgeOf(const WidePolygon& polygon, std::size_t i) {
    return polygon[(i + 1) % polygon.size()] - polygon[i];
}

/// Whether two convex polygons with an area are disjoint, by separating axes.
bool areApart(const WidePolygon& a, const WidePolygon& b) {
    std::vector<WideVector> axes;
    for (const WidePolygon* each : {&a, &b}) {
        const WideVector normal = cross(edgeOf(*each, 0), edgeOf(*each, 1));
        axes.push_back(normal);
        for (std::size_t i = 0; i < each->size(); ++i)
            axes.push_back(cross(normal, edgeOf(*each, i)));
    }
    for (std::size_t i = 0; i < a.size(); ++i) {
        for (std::size_t j = 0; j < b.size(); ++j)
            axes.push_back(cross(edgeOf(a, i), edgeOf(b, j)));
    }
    return std::any_of(axes.begin(), axes.end(), [&](const WideVector& axis) {
        const auto rangeOf = [&](const WidePolygon& polygon) {
            Wide least = dot(axis, polygon[0]);
            Wide most = least;
            for (const WideVector& corner : polygon) {
                least = std::min(least, dot(axis, corner));
                most = std::max(most, dot(axis, corner));
            }
            return std::pair(least, most);
        };
        const auto [leastA, mostA] = rangeOf(a);
        const auto [leastB, mostB] = rangeOf(b);
        return mostA < leastB || mostB < leastA;
    });
}

/// A face with doubled coordinates. If `cut` ≥ 0, the corner of this index is cut off at the
/// midpoints of its edges.
WidePolygon polygonOf(const Points& vertices, const glm::u32vec3& face, int cut = -1) {
    WidePolygon polygon;
    for (int i = 0; i < 3; ++i) {
        const glm::vec3 here = vertices[face[i]];
        if (i == cut) {
            polygon.push_back(wide(here + vertices[face[(i + 2) % 3]]));
            polygon.push_back(wide(here + vertices[face[(i + 1) % 3]]));
        } else {
            polygon.push_back(wide(2.0F * here));
        }
    }
    return polygon;
}

bool hasArea(const Points& vertices, const glm::u32vec3& face) {
    const WidePolygon polygon = polygonOf(vertices, face);
    return cross(edgeOf(polygon, 0), edgeOf(polygon, 1)) != WideVector{0, 0, 0};
}

/// Intersecting faces, found by brute force: tests all pairs of faces with exact separating axes.
std::vector<std::uint32_t> reference(const Points& vertices, const Faces& faces) {
    std::set<std::uint32_t> found;
    for (std::uint32_t i = 0; i < faces.size(); ++i) {
        for (std::uint32_t j = i + 1; j < faces.size(); ++j) {
            const glm::u32vec3& a = faces[i];
            const glm::u32vec3& b = faces[j];
            if (!hasArea(vertices, a) || !hasArea(vertices, b)) continue;
            std::vector<std::pair<int, int>> common;
            for (int k = 0; k < 3; ++k) {
                for (int l = 0; l < 3; ++l) {
                    if (a[k] == b[l]) common.emplace_back(k, l);
                }
            }
            if (common.size() > 1) continue;
            const bool doMeet =
                common.empty()
                    ? !areApart(polygonOf(vertices, a), polygonOf(vertices, b))
                    : !areApart(polygonOf(vertices, a, common[0].first), polygonOf(vertices, b)) ||
                          !areApart(polygonOf(vertices, a),
                                    polygonOf(vertices, b, common[0].second));
            if (doMeet) found.insert({i, j});
        }
    }
    return {found.begin(), found.end()};
}

/// Mesh with random integer coordinates from −`reach` to `reach` and faces of random vertices. Some
/// faces are degenerate or equal.
Mesh randomMesh(std::size_t vertices, std::size_t faces, unsigned reach, unsigned seed) {
    test::Random random(seed);
    const auto whole = [&] {
        return static_cast<float>(random.below(2 * reach + 1)) - static_cast<float>(reach);
    };
    Mesh mesh;
    for (std::size_t i = 0; i < vertices; ++i) {
        const float x = whole();
        const float y = whole();
        mesh.vertices.emplace_back(x, y, whole());
    }
    for (std::size_t i = 0; i < faces; ++i) {
        const auto count = static_cast<unsigned>(vertices);
        const unsigned a = random.below(count);
        const unsigned b = random.below(count);
        mesh.faces.emplace_back(a, b, random.below(count));
    }
    return mesh;
}

const Faces kTetrahedron = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};

TEST(IntersectingFaces, areFound_whenTwoTetrahedraCross) {
    Mesh mesh{{{0, 0, 0}, {8, 0, 0}, {0, 8, 0}, {0, 0, 8}}, kTetrahedron};
    // The second tetrahedron has its base below the first one and its tip inside. Its three sides
    // cut the first one's base.
    for (const glm::vec3 vertex :
         {glm::vec3(1, 1, -1), glm::vec3(3, 1, -1), glm::vec3(1, 3, -1), glm::vec3(1.5, 1.5, 1)})
        mesh.vertices.push_back(vertex);
    for (const glm::u32vec3 face : kTetrahedron) mesh.faces.push_back(face + 4U);
    EXPECT_THAT(intersectingFaces(mesh.vertices, mesh.faces), ElementsAre(0, 5, 6, 7));
    // Moved up, the second tetrahedron lies inside the first one; moved down, below the first one.
    Points inside = mesh.vertices;
    for (std::size_t i = 4; i < 8; ++i) inside[i].z += 1.5F;
    EXPECT_THAT(intersectingFaces(inside, mesh.faces), IsEmpty());
    Points beneath = mesh.vertices;
    for (std::size_t i = 4; i < 8; ++i) beneath[i].z -= 1.5F;
    EXPECT_THAT(intersectingFaces(beneath, mesh.faces), IsEmpty());
    // The tip of the second tetrahedron touches the first one's base.
    beneath[7].z = 0;
    EXPECT_THAT(intersectingFaces(beneath, mesh.faces), ElementsAre(0, 5, 6, 7));
}

TEST(IntersectingFaces, areNone_onRoundBodies) {
    for (const Mesh& mesh : {test::icosphere(3), test::torus(40, 20)})
        EXPECT_THAT(intersectingFaces(mesh.vertices, mesh.faces), IsEmpty());
}

TEST(IntersectingFaces, areFound_whenASpikePiercesASphere) {
    // Vertices 0 and 1 are opposite, with four faces each. The spike at vertex 0 goes through the
    // sphere and encloses vertex 1.
    Mesh mesh = test::icosphere(2);
    mesh.vertices[0] *= -1.5F;
    std::vector<std::uint32_t> expected;
    for (std::uint32_t i = 0; i < mesh.faces.size(); ++i) {
        const glm::u32vec3 face = mesh.faces[i];
        if (std::min({face.x, face.y, face.z}) <= 1) expected.push_back(i);
    }
    ASSERT_EQ(expected.size(), 8U);
    EXPECT_EQ(intersectingFaces(mesh.vertices, mesh.faces), expected);
}

TEST(IntersectingFaces, countFacesWithACommonVertex_onlyWhenTheyMeetElsewhere) {
    const Faces faces = {{0, 1, 2}, {0, 3, 4}};
    const auto found = [&](glm::vec3 third, glm::vec3 fourth) {
        return intersectingFaces(Points{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, third, fourth}, faces);
    };
    EXPECT_THAT(found({-4, 0, 1}, {0, -4, 1}), IsEmpty());
    // The second face's far edge cuts the first face.
    EXPECT_THAT(found({1, 1, 1}, {1, 1, -1}), ElementsAre(0, 1));
    // The first face's far edge cuts the second face.
    EXPECT_THAT(found({4, 4, 4}, {4, 4, -4}), ElementsAre(0, 1));
    // An edge of the second face lies in the first face.
    EXPECT_THAT(found({1, 1, 0}, {9, 9, 1}), ElementsAre(0, 1));
    EXPECT_THAT(found({1, -1, 0}, {1, 1, 0}), ElementsAre(0, 1));  // overlap in one plane
    EXPECT_THAT(found({-1, -1, 0}, {1, -1, 0}), IsEmpty());        // side by side in one plane
    EXPECT_THAT(found({8, 0, 0}, {4, -4, 0}), ElementsAre(0, 1));  // overlap along an edge
    EXPECT_THAT(found({1, 1, 1}, {-1, -1, -0.5F}), IsEmpty());     // common vertex only
}

TEST(IntersectingFaces, leaveOutNeighbours_andFacesWithoutArea) {
    const Points flat = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 1, 0}, {1, 1, 5}};
    EXPECT_THAT(intersectingFaces(flat, Faces{{0, 1, 2}, {1, 0, 3}}), IsEmpty());
    EXPECT_THAT(intersectingFaces(flat, Faces{{0, 1, 2}, {3, 4, 4}}), IsEmpty());
    EXPECT_THAT(intersectingFaces(flat, Faces{{0, 1, 2}, {0, 1, 2}}), IsEmpty());
    EXPECT_THAT(intersectingFaces(Points(3, glm::vec3(1)), Faces{{0, 1, 2}, {2, 1, 0}}), IsEmpty());
    EXPECT_THAT(intersectingFaces({}, {}), IsEmpty());
}

TEST(IntersectingFaces, equalBruteForce_onRandomMeshes) {
    std::size_t cut = 0;
    std::size_t faces = 0;
    for (unsigned seed = 0; seed < 300; ++seed) {
        // A small reach puts many vertices into the planes and onto the edges of other faces.
        const unsigned reach = seed % 3 == 0 ? 2 : seed % 3 == 1 ? 6 : 1000;
        const Mesh mesh = randomMesh(5 + seed % 7, 2 + seed % 5, reach, seed);
        const std::vector<std::uint32_t> found = intersectingFaces(mesh.vertices, mesh.faces);
        ASSERT_EQ(found, reference(mesh.vertices, mesh.faces)) << seed;
        cut += found.size();
        faces += mesh.faces.size();
    }
    EXPECT_GT(cut, faces / 5);
    EXPECT_LT(cut, faces - faces / 5);
}

TEST(IntersectingFaces, equalBruteForce_onManySmallFaces) {
    test::Random random(7);
    Mesh mesh;
    for (std::uint32_t i = 0; i < 400; ++i) {
        const glm::vec3 middle(random.below(100), random.below(100), random.below(100));
        for (int corner = 0; corner < 3; ++corner)
            mesh.vertices.push_back(
                middle + glm::vec3(random.below(21), random.below(21), random.below(21)));
        mesh.faces.emplace_back(3 * i, 3 * i + 1, 3 * i + 2);
    }
    const std::vector<std::uint32_t> found = intersectingFaces(mesh.vertices, mesh.faces);
    EXPECT_EQ(found, reference(mesh.vertices, mesh.faces));
    EXPECT_GT(found.size(), 100U);
    EXPECT_LT(found.size(), 400U);
}

TEST(IntersectingFaces, areTheSame_atAnySize) {
    for (unsigned seed = 0; seed < 40; ++seed) {
        const Mesh mesh = randomMesh(9, 5, 6, seed);
        const std::vector<std::uint32_t> found = intersectingFaces(mesh.vertices, mesh.faces);
        for (const int exponent : {-149, -130, 60, 125}) {
            Points scaled = mesh.vertices;
            for (glm::vec3& vertex : scaled) {
                for (int axis = 0; axis < 3; ++axis)
                    vertex[axis] = std::ldexp(vertex[axis], exponent);
            }
            EXPECT_EQ(intersectingFaces(scaled, mesh.faces), found) << seed << ' ' << exponent;
        }
    }
}

TEST(Orientation, isExact_whenDoublesRound) {
    test::Random random(3);
    const auto whole = [&](unsigned reach) {
        return static_cast<float>(random.below(2 * reach)) - static_cast<float>(reach);
    };
    const auto point = [&](unsigned reach) {
        const float x = whole(reach);
        const float y = whole(reach);
        return glm::vec3(x, y, whole(reach));
    };
    std::array<int, 3> signs{};
    for (int i = 0; i < 20000; ++i) {
        // The points are nearly coplanar: d is a + u (b − a) + (1 − u) (c − a), with −2 to 1 added
        // to one coordinate.
        constexpr unsigned kReach = 1U << 20;
        const glm::vec3 a = point(kReach);
        const glm::vec3 b = a + point(kReach);
        const glm::vec3 c = a + point(kReach);
        const auto u = static_cast<float>(random.below(3));
        glm::vec3 d = a + u * (b - a) + (1 - u) * (c - a);
        d[i % 3] += whole(2);
        const Wide volume = dot(cross(wide(b) - wide(a), wide(c) - wide(a)), wide(d) - wide(a));
        ASSERT_EQ(orientation(a, b, c, d), signOf(volume));
        ASSERT_EQ(orientation(b, a, c, d), -signOf(volume));
        const glm::vec2 p(a);
        const glm::vec2 q(b);
        const glm::vec2 r = p + u * (q - p) + glm::vec2(whole(2), 0);
        const WideVector turn = cross(wide({q - p, 0}), wide({r - p, 0}));
        ASSERT_EQ(orientation(p, q, r), signOf(turn[2]));
        ++signs[static_cast<std::size_t>(1 + signOf(volume))];
    }
    for (const int count : signs) EXPECT_GT(count, 1000);
}

TEST(Orientation, isExact_whenSizesDiffer) {
    // Added to 1e30, a unit is lost in double precision; the exact sum keeps it.
    constexpr float kFar = 1e30F;
    EXPECT_EQ(orientation({kFar, kFar}, {0, 0}, {-kFar, -kFar}), 0);
    EXPECT_EQ(orientation({kFar, kFar}, {0, 1e-30F}, {-kFar, -kFar}), 1);
    EXPECT_EQ(orientation({kFar, kFar}, {0, -1e-30F}, {-kFar, -kFar}), -1);
    EXPECT_EQ(orientation(glm::vec3{kFar, 0, 0}, {0, kFar, 0}, {-kFar, -kFar, 0}, {1, 1, 1e-40F}),
              1);
    EXPECT_EQ(orientation(glm::vec3{kFar, 0, kFar}, {0, kFar, kFar}, {-kFar, -kFar, -2 * kFar},
                          {1, 1, 2}),
              0);
    EXPECT_EQ(orientation(glm::vec3{kFar, 0, kFar}, {0, kFar, kFar}, {-kFar, -kFar, -2 * kFar},
                          {1, 1, 2.25F}),
              1);
}

}  // namespace
}  // namespace threefold
