#include "cuda/kernels/fit_solve.h"

#include <cmath>
#include <random>
#include <vector>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "engine/fitting/cpu_fit_solver.h"
#include "engine/fitting/regularisation_weights.h"
#include "engine/geometry/surface_samples.h"
#include "tests/cuda/emulation/same_results.h"
#include "tests/cuda/kernels/fit_scene.h"

namespace threefold::cuda {
namespace {

using fitting::CpuFitSolver;
using fitting::FitStart;
using fitting::FitTerms;
using fitting::MeshLevels;
using fitting::RegularisationWeights;
using fitting::ViewOutline;

constexpr std::size_t kHopperSharedBytes = 232448;

/// Mesh after the steps, and the steps' reports.
struct Stepped {
    Points vertices;
    std::vector<FitStep> steps;
};

/// Runs steps of one level with the kernels.
Stepped byKernels(const MeshLevels& levels, const FitStart& start, Points vertices,
                  const std::vector<ViewOutline>& views, std::size_t level, int steps,
                  std::size_t sharedBytes = kHopperSharedBytes) {
    const auto count = static_cast<std::uint32_t>(start.anchorPositions.size());
    const PackedFitMesh packed(levels);
    const FitMesh mesh = packed.at(packed.words().data());
    const RegularisationWeights weights = RegularisationWeights::forCounts(views.size(), count);
    DeviceLimits limits;
    limits.sharedBytesPerBlock = sharedBytes;
    Points normals(count);
    std::vector<float> workspace(fitSolveWorkspaceBytes(count) / sizeof(float), -7);
    const auto pointers = test::pointersTo(views);
    test::TermsMemory terms(vertices, normals, pointers);
    terms.arguments.withOutlinePoints = fitting::usesOutlinePoints(levels, level);
    FitStepSums sums{};
    Stepped made;
    for (int i = 0; i < steps; ++i) {
        launchFitNormals(nullptr, mesh, &vertices[0].x, &normals[0].x);
        launchFitTerms(nullptr, terms.arguments);
        launchFitSolve(nullptr, limits,
                       {.mesh = mesh,
                        .level = static_cast<std::uint32_t>(level),
                        .start = &start.anchorPositions[0].x,
                        .restLaplacian = start.restLaplacian.data(),
                        .normals = &normals[0].x,
                        .bending = weights.bending,
                        .tangentialSmoothing = weights.tangentialSmoothing,
                        .damping = weights.damping,
                        .anchor = weights.anchor,
                        .termSums = terms.sum.data(),
                        .vertices = &vertices[0].x,
                        .energies = terms.energies.data(),
                        .energyCount = static_cast<std::uint32_t>(terms.energies.size()),
                        .sums = &sums,
                        .workspace = workspace.data()});
        made.steps.push_back({level, sums.energy / count / static_cast<double>(views.size()),
                              sums.movement / count});
    }
    made.vertices = vertices;
    return made;
}

Stepped byProcessor(const MeshLevels& levels, const FitStart& start, const Points& vertices,
                    const std::vector<ViewOutline>& views, std::size_t level, int steps) {
    CpuFitSolver processor(1, {});
    processor.begin(levels, start, FitTerms{test::pointersTo(views)}, vertices);
    Stepped made;
    for (int i = 0; i < steps; ++i) made.steps.push_back(processor.step({.level = level}));
    made.vertices = processor.vertices();
    return made;
}

/// Compares to 1 %, because a step is solved to 0.1 % and rounding may end the step one iteration
/// of conjugate gradients earlier or later.
void expectAlike(const Stepped& ours, const Stepped& theirs, double allowed = 1e-2) {
    ASSERT_EQ(ours.steps.size(), theirs.steps.size());
    double movement = 0;
    for (std::size_t i = 0; i < ours.steps.size(); ++i) {
        EXPECT_NEAR(ours.steps[i].meanEnergy, theirs.steps[i].meanEnergy,
                    allowed * theirs.steps[i].meanEnergy);
        EXPECT_NEAR(ours.steps[i].meanMovement, theirs.steps[i].meanMovement,
                    allowed * theirs.steps[i].meanMovement);
        movement += theirs.steps[i].meanMovement;
    }
    ASSERT_EQ(ours.vertices.size(), theirs.vertices.size());
    for (std::size_t v = 0; v < ours.vertices.size(); ++v)
        ASSERT_LE(glm::distance(ours.vertices[v], theirs.vertices[v]), allowed * movement) << v;
}

/// A FitStart with random vertices and random curvature.
FitStart randomStart(std::size_t count, std::mt19937& random) {
    FitStart start{test::pointsAbout(count, random), {}};
    std::uniform_real_distribution<float> laplacian(-0.005F, 0.005F);
    for (std::size_t i = 0; i < count; ++i) start.restLaplacian.push_back(laplacian(random));
    return start;
}

Points perturbed(const Points& start, std::mt19937& random) {
    std::uniform_real_distribution<float> off(-0.01F, 0.01F);
    Points moved = start;
    for (glm::vec3& vertex : moved) vertex += glm::vec3(off(random), off(random), off(random));
    return moved;
}

TEST(FitSolveKernel, stepsAsTheProcessor_whateverTheSizes) {
    std::mt19937 random(1);
    for (const std::uint32_t count : {1U, 2U, 31U, 157U, 1100U}) {
        SCOPED_TRACE(count);
        const Faces faces = test::randomFaces(count, count, random);
        const MeshLevels levels(count, faces);
        const FitStart start = randomStart(count, random);
        const Points vertices = perturbed(start.anchorPositions, random);
        const std::vector<ViewOutline> views = test::outlineViews(2, 60);
        expectAlike(byKernels(levels, start, vertices, views, 0, 1),
                    byProcessor(levels, start, vertices, views, 0, 1));
    }
}

TEST(FitSolveKernel, movesALevelsVertices_andTheRestWithThem) {
    std::mt19937 random(2);
    for (const std::uint32_t coarsest : {1U, 5U, 40U}) {
        const MeshLevels levels(test::randomLevels(coarsest, random));
        ASSERT_EQ(levels.vertexCount(), 4 * coarsest);
        const FitStart start = randomStart(levels.vertexCount(), random);
        const Points vertices = perturbed(start.anchorPositions, random);
        const std::vector<ViewOutline> views = test::outlineViews(3, 80);
        for (std::size_t level = 0; level < 3; ++level) {
            SCOPED_TRACE(testing::Message() << coarsest << ", level " << level);
            expectAlike(byKernels(levels, start, vertices, views, level, 2),
                        byProcessor(levels, start, vertices, views, level, 2));
        }
    }
}

TEST(FitSolveKernel, movesVerticesWithoutNeighbours_byOutlineTermsAlone) {
    std::mt19937 random(3);
    const MeshLevels levels(65, Faces{{0, 1, 2}});
    const FitStart start = randomStart(65, random);
    const std::vector<ViewOutline> views = test::outlineViews(1, 40);
    expectAlike(byKernels(levels, start, start.anchorPositions, views, 0, 1),
                byProcessor(levels, start, start.anchorPositions, views, 0, 1));
}

TEST(FitSolveKernel, givesTheSameBits_withAnyAmountOfSharedMemory) {
    std::mt19937 random(4);
    const MeshLevels levels(test::randomLevels(40, random));
    const FitStart start = randomStart(160, random);
    const std::vector<ViewOutline> views = test::outlineViews(2, 60);
    const Stepped all = byKernels(levels, start, start.anchorPositions, views, 1, 1);
    for (const std::size_t vectors : {0U, 1U, 2U, 4U}) {
        const std::size_t bytes = 300 + vectors * 160 * sizeof(glm::vec3);
        EXPECT_EQ(byKernels(levels, start, start.anchorPositions, views, 1, 1, bytes).vertices,
                  all.vertices);
    }
}

TEST(FitSolveKernel, fitsIntoEveryArchitecturesSharedMemory) {
    std::mt19937 random(5);
    // The template's finest level has 2466 vertices. The sizes below are the bytes of shared memory
    // per block of compute capabilities 7.5, 8.6 and 8.0.
    const MeshLevels levels(2466, test::randomFaces(2466, 100, random));
    const FitStart start = randomStart(2466, random);
    const std::vector<ViewOutline> views = test::outlineViews(1, 20);
    const Stepped hopper = byKernels(levels, start, start.anchorPositions, views, 0, 1);
    for (const std::size_t bytes : {std::size_t{65536}, std::size_t{101376}, std::size_t{166912}}) {
        const emulation::OptionsScope scope({.sharedBytesPerBlock = bytes});
        EXPECT_EQ(byKernels(levels, start, start.anchorPositions, views, 0, 1, bytes).vertices,
                  hopper.vertices);
    }
}

TEST(FitSolveKernel, staysFinite_withDegenerateFacesAndVerticesFarAway) {
    std::mt19937 random(6);
    const Faces faces = {{0, 0, 0}, {1, 1, 2}, {3, 4, 5}, {5, 4, 3}, {6, 7, 8}};
    const MeshLevels levels(40, faces);
    FitStart start = randomStart(40, random);
    start.anchorPositions[4] = start.anchorPositions[3];
    start.anchorPositions[7] = {0, 0, 1};
    start.anchorPositions[20] = {1e6F, 0, 5e5F};
    const std::vector<ViewOutline> views = test::outlineViews(2, 40);
    const Stepped ours = byKernels(levels, start, start.anchorPositions, views, 0, 1);
    expectAlike(ours, byProcessor(levels, start, start.anchorPositions, views, 0, 1));
    for (const glm::vec3& v : ours.vertices)
        EXPECT_TRUE(std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z));
}

TEST(FitSolveKernel, isTheSame_inAnyOrderOfThreads) {
    std::mt19937 random(7);
    const MeshLevels levels(test::randomLevels(30, random));
    const FitStart start = randomStart(120, random);
    const std::vector<ViewOutline> views = test::outlineViews(2, 40);
    emulation::expectSameUnderAllSeeds([&] {
        const Stepped made = byKernels(levels, start, start.anchorPositions, views, 0, 2);
        std::vector<double> all = {made.steps.back().meanEnergy, made.steps.back().meanMovement};
        for (const glm::vec3& v : made.vertices) all.insert(all.end(), {v.x, v.y, v.z});
        return all;
    });
}

}  // namespace
}  // namespace threefold::cuda
