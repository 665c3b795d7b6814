#include "cuda/kernels/fit_terms.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "engine/fitting/term_weights.h"
#include "engine/geometry/vertex_normals.h"
#include "tests/cuda/emulation/same_results.h"
#include "tests/cuda/kernels/fit_scene.h"

namespace threefold::cuda {
namespace {

using fitting::VertexEquations;
using fitting::ViewOutline;

Points unitVectors(std::size_t count, std::mt19937& random) {
    std::normal_distribution<float> value;
    Points vectors;
    for (std::size_t i = 0; i < count; ++i)
        vectors.push_back(glm::normalize(glm::vec3(value(random), value(random), value(random))));
    return vectors;
}

/// Terms that the processor computes, summed view by view. Rounding errors are relative to the
/// scales.
struct Expected {
    VertexEquations sum;
    std::vector<double> matrixScale;  ///< of each vertex: sum of the views' traces
    std::vector<double> vectorScale;  ///< of each vertex: sum of the views' lengths
};

Expected expected(const Points& vertices, const Points& normals,
                  const std::vector<ViewOutline>& views, bool withOutlinePoints) {
    const std::size_t count = vertices.size();
    Expected all{{std::vector<fitting::SymmetricMatrix3f>(count), Points(count, glm::vec3(0)), 0},
                 std::vector<double>(count),
                 std::vector<double>(count)};
    for (const ViewOutline& view : views) {
        VertexEquations one;
        fitting::evaluateOutlineTerms(view, vertices, normals,
                                      withOutlinePoints
                                          ? fitting::OutlineTermSet::outsideVerticesAndOutlinePoints
                                          : fitting::OutlineTermSet::outsideVertices,
                                      one);
        for (std::size_t v = 0; v < count; ++v) {
            all.sum.matrices[v] += one.matrices[v];
            all.sum.rhs[v] += one.rhs[v];
            all.matrixScale[v] += one.matrices[v].xx + one.matrices[v].yy + one.matrices[v].zz;
            all.vectorScale[v] += glm::length(one.rhs[v]);
        }
        all.sum.energy += one.energy;
    }
    return all;
}

/// Values in the kernels' order.
std::vector<float> valuesOf(const VertexEquations& equations) {
    const std::size_t count = equations.rhs.size();
    std::vector<float> values(count * kFitValuesPerVertex);
    for (std::size_t v = 0; v < count; ++v) {
        const fitting::SymmetricMatrix3f& m = equations.matrices[v];
        const glm::vec3 b = equations.rhs[v];
        const float all[kFitValuesPerVertex] = {m.xx, m.xy, m.xz, m.yy, m.yz, m.zz, b.x, b.y, b.z};
        for (std::size_t i = 0; i < kFitValuesPerVertex; ++i) values[i * count + v] = all[i];
    }
    return values;
}

void expectTerms(const Points& vertices, const Points& normals,
                 const std::vector<ViewOutline>& views, bool withOutlinePoints = true) {
    SCOPED_TRACE(testing::Message()
                 << vertices.size() << " vertices, " << views.size() << " views");
    constexpr double kAllowed = 1e-5;
    const auto pointers = test::pointersTo(views);
    test::TermsMemory memory(vertices, normals, pointers);
    memory.arguments.withOutlinePoints = withOutlinePoints;
    launchFitTerms(nullptr, memory.arguments);
    const Expected theirs = expected(vertices, normals, views, withOutlinePoints);
    const std::vector<float> values = valuesOf(theirs.sum);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t v = i % vertices.size();
        const bool ofMatrix = i / vertices.size() < 6;
        ASSERT_NEAR(memory.sum[i], values[i],
                    kAllowed * (ofMatrix ? theirs.matrixScale : theirs.vectorScale)[v])
            << "value " << i / vertices.size() << " of vertex " << v;
    }
    const double energy = std::accumulate(memory.energies.begin(), memory.energies.end(), 0.0);
    EXPECT_NEAR(energy, theirs.sum.energy, kAllowed * theirs.sum.energy);
}

TEST(FitTermsKernel, addsUpAsTheProcessor_whateverTheSizes) {
    std::mt19937 random(1);
    for (const auto& [count, views, maxPoints] :
         {std::tuple<std::size_t, int, std::size_t>{1, 1, 500},
          {2, 3, 1},
          {31, 2, 33},
          {157, 3, 500},
          {1025, 2, 64},
          {2466, 2, 700},
          {130, 32, 65}}) {
        const Points vertices = test::pointsAbout(count, random);
        expectTerms(vertices, unitVectors(count, random), test::outlineViews(views, maxPoints));
    }
}

TEST(FitTermsKernel, acceptsAView_withoutOutlinePoints) {
    std::mt19937 random(2);
    const Points vertices = test::pointsAbout(157, random);
    expectTerms(vertices, unitVectors(157, random), test::outlineViews(1, 0));
    // The first view has no outline points, the second view has some.
    std::vector<ViewOutline> views = test::outlineViews(1, 0);
    views.push_back(test::outlineViews(2, 90)[1]);
    expectTerms(vertices, unitVectors(157, random), views);
}

TEST(FitTermsKernel, leavesOutOutlinePoints_whenAsked) {
    std::mt19937 random(8);
    const Points vertices = test::pointsAbout(700, random);
    expectTerms(vertices, unitVectors(700, random), test::outlineViews(3, 200), false);
}

TEST(FitTermsKernel, doesNothing_whenThereIsNoVertexOrNoView) {
    FitTermsArguments none;
    launchFitTerms(nullptr, none);
    none.vertexCount = 1;
    launchFitTerms(nullptr, none);
    launchFitNormals(nullptr, {}, nullptr, nullptr);
    EXPECT_EQ(fitEnergyCount(0, 5), 0U);
}

TEST(FitTermsKernel, agrees_whenVerticesLieBehindTheCameraOrFarAway) {
    std::mt19937 random(3);
    Points vertices = test::pointsAbout(200, random);
    Points normals = unitVectors(200, random);
    vertices[3] = {0, 0, 0};
    vertices[5] = {0.1F, -0.2F, 3};
    vertices[100] = {0, 0, -1e-4F};
    vertices[150] = {1e5F, -1e5F, -0.8F};
    vertices[151] = {0, 0, -1e9F};
    normals[7] = {0, 0, 0};
    expectTerms(vertices, normals, test::outlineViews(3, 200));
    // All vertices lie behind the camera: each outline point still pulls the nearest vertex.
    for (glm::vec3& vertex : vertices) vertex = 100.0F * glm::vec3(vertex.x, vertex.y, -vertex.z);
    expectTerms(vertices, normals, test::outlineViews(2, 200));
}

TEST(FitTermsKernel, pullsTheVertexOfLowestIndex_whenSeveralAreEquallyNear) {
    // Each of seven positions has many vertices, which are spread over lanes, warps and tiles.
    std::mt19937 random(4);
    const Points few = test::pointsAbout(7, random);
    const Points fewNormals = unitVectors(7, random);
    Points vertices, normals;
    for (std::size_t i = 0; i < 2100; ++i) {
        const std::size_t which = random() % 7;
        vertices.push_back(few[which]);
        normals.push_back(fewNormals[which]);
    }
    const std::vector<ViewOutline> views = test::outlineViews(2, 150);
    const auto pointers = test::pointersTo(views);
    test::TermsMemory memory(vertices, normals, pointers);
    launchFitTerms(nullptr, memory.arguments);
    for (std::size_t view = 0; view < views.size(); ++view) {
        for (std::size_t i = 0; i < views[view].tangentPoints().size(); ++i) {
            const std::uint32_t at = memory.nearest[view * memory.views.maxPoints + i];
            ASSERT_LT(at, vertices.size());
            EXPECT_EQ(vertices.begin() + at,
                      std::find(vertices.begin(), vertices.end(), vertices[at]));
        }
    }
    expectTerms(vertices, normals, views);
}

TEST(FitTermsKernel, pullsTheFirstVertex_whenNoneIsAtAFiniteDistance) {
    const Points vertices(40, glm::vec3(1e30F, 1e30F, -0.8F));
    const Points normals(40, glm::vec3(0, 0, 1));
    const std::vector<ViewOutline> views = test::outlineViews(1, 70);
    const auto pointers = test::pointersTo(views);
    test::TermsMemory memory(vertices, normals, pointers);
    launchFitTerms(nullptr, memory.arguments);
    for (const std::uint32_t at : memory.nearest) EXPECT_EQ(at, 0U);
}

TEST(FitTermsKernel, readsNothingOutside_whenACoordinateIsNotANumber) {
    std::mt19937 random(5);
    Points vertices = test::pointsAbout(100, random);
    const Points normals = unitVectors(100, random);
    vertices[20].x = std::numeric_limits<float>::quiet_NaN();
    vertices[21].z = std::numeric_limits<float>::infinity();
    const std::vector<ViewOutline> views = test::outlineViews(1, 70);
    const auto pointers = test::pointersTo(views);
    test::TermsMemory memory(vertices, normals, pointers);
    launchFitTerms(nullptr, memory.arguments);
    for (const std::uint32_t at : memory.nearest) EXPECT_TRUE(at < 100U && at != 20U);
}

TEST(FitTermsKernel, isTheSame_inAnyOrderOfThreadsAndBlocks) {
    std::mt19937 random(6);
    const Points vertices = test::pointsAbout(157, random);
    const Points normals = unitVectors(157, random);
    const std::vector<ViewOutline> views = test::outlineViews(2, 100);
    const auto pointers = test::pointersTo(views);
    emulation::expectSameUnderAllSeeds([&] {
        test::TermsMemory memory(vertices, normals, pointers);
        launchFitTerms(nullptr, memory.arguments);
        std::vector<double> all(memory.sum.begin(), memory.sum.end());
        all.insert(all.end(), memory.energies.begin(), memory.energies.end());
        return all;
    });
}

TEST(FitNormalsKernel, givesTheProcessorsBits_degenerateFacesIncluded) {
    std::mt19937 random(7);
    for (const std::uint32_t count : {1U, 2U, 33U, 157U}) {
        Points vertices = test::pointsAbout(count, random);
        if (count > 2) vertices[1] = vertices[0];
        if (count > 100) vertices[90] = {1e20F, -1e20F, 1e19F};
        const Faces faces = test::randomFaces(count, 3 * count, random);
        const fitting::MeshLevels levels(count, faces);
        const PackedFitMesh mesh(levels);
        Points normals(count, glm::vec3(-7));
        launchFitNormals(nullptr, mesh.at(mesh.words().data()), &vertices[0].x, &normals[0].x);
        EXPECT_EQ(normals, vertexNormals(vertices, faces));
    }
}

}  // namespace
}  // namespace threefold::cuda
