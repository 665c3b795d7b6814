#pragma once

#include <cmath>
#include <memory>
#include <random>
#include <span>
#include <vector>

#include "cuda/kernels/fit_terms.h"
#include "engine/fitting/fit_solver.h"
#include "tests/cuda/kernels/scene.h"

/// Inputs for tests of the fit's kernels: meshes of any size, outlines, and the kernels' memory in
/// vectors.
namespace threefold::cuda::test {

/// A mask of a disc with `holes` holes.
inline Mask discMask(int size, double radius, int holes = 0) {
    Mask mask{size, size, std::vector<std::uint8_t>(static_cast<std::size_t>(size * size))};
    for (int y = 0; y < size; ++y) {
        for (int x = 0; x < size; ++x) {
            const double across = (x + 0.5) / size - 0.5;
            const double down = (y + 0.5) / size - 0.45;
            bool inside = std::hypot(across, down) < radius;
            for (int i = 0; i < holes; ++i)
                inside = inside && std::hypot(across - 0.1 * i, down) > 0.04;
            mask.inside[static_cast<std::size_t>(y * size + x)] = inside ? 1 : 0;
        }
    }
    return mask;
}

/// `count` views of discs with up to two holes; each view has at most `maxPoints` outline points.
inline std::vector<fitting::ViewOutline> outlineViews(int count, std::size_t maxPoints) {
    const std::vector<Camera> from = cameras(count);
    std::vector<fitting::ViewOutline> views;
    for (int i = 0; i < count; ++i) {
        const Mask mask = discMask(i % 2 == 0 ? 137 : 61, 0.22 + 0.01 * (i % 5), i % 3);
        views.emplace_back(*fitting::Outline::of(mask, maxPoints), from.front(),
                           from[static_cast<std::size_t>(i)]);
    }
    return views;
}

inline std::vector<const fitting::ViewOutline*> pointersTo(
    const std::vector<fitting::ViewOutline>& views) {
    std::vector<const fitting::ViewOutline*> pointers;
    for (const auto& each : views) pointers.push_back(&each);
    return pointers;
}

/// `count` faces between random vertices, including degenerate faces, and a fan of faces around
/// vertex 0.
inline Faces randomFaces(std::uint32_t vertices, std::size_t count, std::mt19937& random) {
    Faces faces;
    for (std::size_t i = 0; i < count; ++i)
        faces.emplace_back(random() % vertices, random() % vertices, random() % vertices);
    for (std::uint32_t v = 0; v + 1 < vertices; v += 2) faces.emplace_back(0, v, v + 1);
    return faces;
}

/// Three levels of 1, 2 and 4 times `coarsest` vertices with random edges, some from a vertex to
/// itself.
inline TemplateMesh randomLevels(std::uint32_t coarsest, std::mt19937& random) {
    TemplateMesh mesh;
    for (std::uint32_t vertices = coarsest; mesh.levels.size() < 3; vertices *= 2) {
        TemplateLevel level;
        level.vertexCount = vertices;
        for (std::uint32_t i = 0; i < vertices; ++i)
            level.unpoolEdges.emplace_back(random() % vertices, random() % vertices);
        level.faces = randomFaces(vertices, 2 * vertices, random);
        mesh.levels.push_back(level);
    }
    mesh.levels.back().unpoolEdges.clear();
    return mesh;
}

/// Memory of the kernel of the fit's terms, filled with values that the kernel must overwrite.
struct TermsMemory {
    PackedOutlines views;
    std::vector<std::uint32_t> nearest;
    std::vector<float> viewTerms;
    std::vector<double> energies;
    std::vector<float> sum;
    FitTermsArguments arguments;

    TermsMemory(const Points& vertices, const Points& normals,
                std::span<const fitting::ViewOutline* const> terms)
        : views(packOutlines(terms)) {
        const auto count = static_cast<std::uint32_t>(vertices.size());
        const auto viewCount = static_cast<std::uint32_t>(terms.size());
        nearest.assign(std::size_t{viewCount} * views.maxPoints, 0xABCDEF);
        viewTerms.assign(std::size_t{viewCount} * kFitValuesPerVertex * count, -7);
        energies.assign(fitEnergyCount(count, viewCount), -7);
        sum.assign(std::size_t{kFitValuesPerVertex} * count, -7);
        arguments = {.vertices = &vertices.data()->x,
                     .normals = &normals.data()->x,
                     .vertexCount = count,
                     .views = views.views.data(),
                     .points = views.points.data(),
                     .distances = views.distances.data(),
                     .viewCount = viewCount,
                     .maxPoints = views.maxPoints,
                     .nearest = nearest.data(),
                     .viewTerms = viewTerms.data(),
                     .energies = energies.data(),
                     .termSums = sum.data()};
    }
    TermsMemory(const TermsMemory&) = delete;
    TermsMemory& operator=(const TermsMemory&) = delete;
};

}  // namespace threefold::cuda::test
