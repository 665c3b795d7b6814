#include "engine/hull/candidate_hull.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "engine/compute/parallel.h"
#include "engine/hull/base_plane.h"
#include "engine/hull/hull_field.h"
#include "engine/hull/isotropic_remeshing.h"
#include "engine/hull/marching_cubes.h"
#include "engine/hull/small_components.h"
#include "engine/measures/silhouette.h"
#include "engine/raster/render_mask.h"

namespace threefold::hull {
namespace {

/// Extracts the surface that remeshIsotropically() thins out: with several times
/// CarvingOptions::vertexCount vertices, and with enough for thin parts.
Mesh fineSurface(const DistanceField& field, const CarvingOptions& options) {
    constexpr double kFirstSpacing = 0.015;  // object units
    constexpr double kFinePerVertex = 4;
    constexpr double kMinVertices = 50'000;
    constexpr double kMaxVertices = 200'000;
    const double vertices =
        std::clamp(kFinePerVertex * double(options.vertexCount), kMinVertices, kMaxVertices);
    return marchingCubesWithVertexCount(
        field, vertices,
        {kHullHalfSide, kFirstSpacing, HullField::kMaxSlope, options.threads, options.cancel});
}

/// Measures the mesh's agreement with each silhouette. For a mesh without faces, overlap is 0 and
/// the uncovered fraction 1.
CandidateHull measuredHull(Mesh mesh, const Silhouettes& compared, const CarvingOptions& options) {
    CandidateHull hull{std::move(mesh), options.toleratedCount,
                       std::vector<double>(compared.size(), 0.0),
                       std::vector<double>(compared.size(), 1.0)};
    if (hull.mesh.faces.empty()) return hull;
    parallelFor(options.threads, compared.size(), options.cancel,
                [&](std::size_t i, std::size_t /*thread*/) {
                    const SilhouetteField& view = *compared[i];
                    const Mask& mask = view.mask();
                    const Mask rendered = renderMask(hull.mesh.vertices, hull.mesh.faces, Pose{},
                                                     view.camera(), mask.width, mask.height);
                    hull.overlap[i] = maskOverlap(mask, rendered);
                    hull.uncovered[i] = uncoveredFraction(mask, rendered);
                });
    return hull;
}

}  // namespace

double CandidateHull::maxUncovered() const {
    return *std::max_element(uncovered.begin(), uncovered.end());
}

double CandidateHull::meanOverlap() const {
    return std::accumulate(overlap.begin(), overlap.end(), 0.0) / double(overlap.size());
}

CandidateHull carveHull(const Silhouettes& silhouettes, const Silhouettes& compared,
                        const CarvingOptions& options) {
    std::vector<Camera> cameras;
    for (const SilhouetteField* view : silhouettes) cameras.push_back(view->camera());
    HullField field(silhouettes, options.toleratedCount);
    const Hollows* const hollows = options.hollows;
    const DistanceField distance = [&](glm::dvec3 point, float maxDistance) {
        const float value = field.signedDistance(point, maxDistance);
        if (hollows == nullptr || value > maxDistance) return value;
        return std::max(value, hollows->depth(point, options.surfaceThickness));
    };
    Mesh mesh = fineSurface(distance, options);
    dropSmallComponents(mesh);
    std::optional<double> base = options.baseHeight;
    if (!base) base = baseHeight(mesh, cameras, options.threads, options.cancel);
    if (base) {
        field.cutBelow(*base);
        for (glm::vec3& vertex : mesh.vertices)
            vertex.y = std::max(vertex.y, static_cast<float>(*base));
    }
    CandidateHull hull =
        measuredHull(remeshIsotropically(std::move(mesh), options.vertexCount, distance,
                                         options.threads, options.cancel),
                     compared, options);
    hull.baseHeight = base;
    return hull;
}

}  // namespace threefold::hull
