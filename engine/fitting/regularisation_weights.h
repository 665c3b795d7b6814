#pragma once

#include <cstddef>

namespace threefold::fitting {

/// Weights of the regularisation terms. Each remark names the quantity whose square the term
/// penalises.
struct RegularisationWeights {
    float bending;              ///< Laplacian along the normal, less FitStart::restLaplacian
    float tangentialSmoothing;  ///< Laplacian along the surface: spreads the vertices
    float damping;              ///< movement in a step
    float anchor;               ///< offset from the start along the normal

    /// Weights for a number of views and of mesh vertices.
    static RegularisationWeights forCounts(std::size_t viewCount, std::size_t vertexCount);
};

}  // namespace threefold::fitting
