#include "engine/fitting/fit_start.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include "engine/error.h"
#include "engine/fitting/term_weights.h"
#include "engine/geometry/surface_samples.h"
#include "engine/numerics/conjugate_gradients.h"

namespace threefold::fitting {
namespace {

constexpr double kMaxSmoothCrease = 0.04;  ///< meanCrease() above which a mesh is smoothed first
constexpr int kMaxSmoothing = 256;

/// Biharmonic smoothing (Kobbelt et al. 1998), with the smallest sufficient strength.
Points smoothedStart(const Points& mesh, const MeshLevels& levels) {
    Points smooth = mesh;
    for (int strength = 4; strength <= kMaxSmoothing; strength *= 2) {
        if (meanCrease(levels, smooth) <= kMaxSmoothCrease) break;
        smooth = mesh;
        Points inner;
        const auto apply = [&](const Points& x, Points& product) {
            levels.laplacian(x, inner);
            levels.laplacianTransposed(inner, product);
            for (std::size_t v = 0; v < x.size(); ++v)
                product[v] = x[v] + static_cast<float>(strength) * product[v];
        };
        constexpr int kSteps = 60;
        conjugateGradients(apply, mesh, smooth, kSteps, kSolverTolerance);
    }
    return smooth;
}

}  // namespace

void requireFittable(const Points& mesh, const MeshLevels& levels) {
    if (mesh.size() != levels.vertexCount())
        throw InputError({"mesh to fit", "",
                          fmt::format("has {} vertices, but its faces belong to a mesh of {}",
                                      mesh.size(), levels.vertexCount()),
                          ""});
    for (const glm::vec3& vertex : mesh)
        if (!isFinite(vertex))
            throw InputError({"mesh to fit", "", "a coordinate is not finite", ""});
}

FitStart makeFitStart(const Points& mesh, const MeshLevels& levels, double overlap) {
    constexpr double kCrumpled = 0.06;  ///< meanCrease() above which less curvature is kept
    const double smoothness = kCrumpled / std::max(meanCrease(levels, mesh), kCrumpled);
    const auto curvatureWeight = static_cast<float>(overlap * overlap * std::pow(smoothness, 4));
    FitStart from{smoothedStart(mesh, levels), {}};
    const Points normals = vertexNormals(from.anchorPositions, levels.faces());
    Points laplacian;
    levels.laplacian(from.anchorPositions, laplacian);
    for (std::size_t v = 0; v < laplacian.size(); ++v)
        from.restLaplacian.push_back(curvatureWeight * glm::dot(normals[v], laplacian[v]));
    return from;
}

}  // namespace threefold::fitting
