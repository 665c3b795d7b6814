#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/score/request.h"
#include "engine/formats/meshes/mesh_files.h"
#include "engine/measures/truth_distances.h"
#include "engine/sample/ground_truth.h"

namespace threefold {

/// Distances of the mesh's vertices from the truth.
struct VertexDistances {
    std::vector<float> all;                  ///< with sign if requested
    std::optional<DistanceSummary> summary;  ///< nullopt for a truth without faces
};

/// Measures the vertices in the truth's space. Measures nothing for a truth without faces unless
/// the request names an output. Throws InputError if a sign is requested and the truth has no
/// faces.
VertexDistances vertexDistances(const ScoreRequest& request, const LoadedMesh& mesh,
                                const GroundTruth& truth);

/// Warning with the defects that keep the truth's surface from telling inside from outside; empty
/// without such defects. The truth must have faces.
std::string signWarning(const GroundTruth& truth);

/// Statistics of the signed distances, in addition to surfaceMeasures().
struct SignedSummary {
    double mean = 0;
    double min = 0;
    double max = 0;
    double inside = 0;  ///< fraction of the vertices
};

/// Statistics of the signed distances; nullopt if the request is for unsigned distances.
std::optional<SignedSummary> signedSummary(const ScoreRequest& request,
                                           const VertexDistances& distances);

}  // namespace threefold
