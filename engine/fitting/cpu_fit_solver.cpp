#include "engine/fitting/cpu_fit_solver.h"

#include <utility>

#include <glm/geometric.hpp>

#include "engine/compute/parallel.h"
#include "engine/fitting/term_weights.h"
#include "engine/geometry/vertex_normals.h"
#include "engine/numerics/conjugate_gradients.h"

namespace threefold::fitting {
namespace {

float anchorFactor(glm::vec3 displacement) {
    constexpr double kScale = kAnchorScaleUnits * kAnchorScaleUnits;
    const double factor = 1 / (1 + glm::dot(displacement, displacement) / kScale);
    return static_cast<float>(factor * factor);
}

}  // namespace

CpuFitSolver::CpuFitSolver(int threads, std::stop_token cancel)
    : threads_(threads), cancel_(std::move(cancel)) {}

void CpuFitSolver::begin(const MeshLevels& levels, const FitStart& start, const FitTerms& terms,
                         const Points& vertices) {
    levels_ = &levels;
    start_ = &start;
    terms_ = terms;
    weights_ = RegularisationWeights::forCounts(terms.outlines.size(), levels.vertexCount());
    vertices_ = vertices;
    equations_.resize(terms.outlines.size());
}

/// Sums the terms in the order of the views, so that the number of threads does not change the
/// result.
VertexEquations CpuFitSolver::sumOfTerms(const FitScale& scale, const Points& normals) {
    const OutlineTermSet termSet = usesOutlinePoints(*levels_, scale.level)
                                       ? OutlineTermSet::outsideVerticesAndOutlinePoints
                                       : OutlineTermSet::outsideVertices;
    parallelFor(
        threads_, terms_.outlines.size(), cancel_, [&](std::size_t i, std::size_t /*thread*/) {
            evaluateOutlineTerms(*terms_.outlines[i], vertices_, normals, termSet, equations_[i]);
        });
    VertexEquations sum{std::vector<SymmetricMatrix3f>(vertices_.size()),
                        Points(vertices_.size(), glm::vec3(0)), 0};
    for (const VertexEquations& ofView : equations_) sum += ofView;
    for (VertexTerm* term : terms_.vertexTerms) term->addTo(vertices_, normals, scale, sum);
    return sum;
}

/// Adds the regularisation terms: anchor and damping to the matrices, all gradients to the
/// right-hand sides. solve() applies the matrix of the smoothness, which couples the vertices.
void CpuFitSolver::addRegularisation(const Points& normals, VertexEquations& equations) const {
    Points curved;
    Points gradient;
    weighLaplacian(vertices_, normals, curved);
    for (std::size_t v = 0; v < vertices_.size(); ++v)
        curved[v] -= weights_.bending * start_->restLaplacian[v] * normals[v];
    levels_->laplacianTransposed(curved, gradient);
    for (std::size_t v = 0; v < vertices_.size(); ++v) {
        const glm::vec3 displacement = vertices_[v] - start_->anchorPositions[v];
        const float weight = weights_.anchor * anchorFactor(displacement);
        SymmetricMatrix3f& matrix = equations.matrices[v];
        matrix.addOuter(normals[v], weight);
        matrix.xx += weights_.damping;
        matrix.yy += weights_.damping;
        matrix.zz += weights_.damping;
        equations.rhs[v] -= gradient[v] + weight * glm::dot(normals[v], displacement) * normals[v];
    }
}

/// Solves the equations for the movements of the vertices of `level`; returns the movements of all
/// vertices.
Points CpuFitSolver::solve(std::size_t level, const VertexEquations& equations,
                           const Points& normals) const {
    Points full;
    Points curved;
    Points product;
    const auto apply = [&](const Points& x, Points& result) {
        full = x;
        levels_->interpolate(level, full);
        weighLaplacian(full, normals, curved);
        levels_->laplacianTransposed(curved, product);
        for (std::size_t v = 0; v < full.size(); ++v) product[v] += equations.matrices[v] * full[v];
        result = product;
        levels_->interpolateTransposed(level, result);
    };
    Points rightSide = equations.rhs;
    levels_->interpolateTransposed(level, rightSide);
    Points step(rightSide.size(), glm::vec3(0));
    conjugateGradients(apply, rightSide, step, kMaxSolverIterations, kSolverTolerance);
    levels_->interpolate(level, step);
    return step;
}

FitStep CpuFitSolver::step(const FitScale& scale) {
    const Points normals = vertexNormals(vertices_, levels_->faces());
    VertexEquations equations = sumOfTerms(scale, normals);
    addRegularisation(normals, equations);
    const Points displacement = solve(scale.level, equations, normals);
    double movement = 0;
    for (std::size_t v = 0; v < vertices_.size(); ++v) {
        vertices_[v] += displacement[v];
        movement += glm::length(displacement[v]);
    }
    const auto count = static_cast<double>(vertices_.size());
    return {scale.level, equations.energy / count / static_cast<double>(terms_.outlines.size()),
            movement / count};
}

/// Computes the Laplacian and weights its components along the normal and along the surface.
void CpuFitSolver::weighLaplacian(const Points& x, const Points& normals, Points& result) const {
    levels_->laplacian(x, result);
    for (std::size_t v = 0; v < x.size(); ++v) {
        const float along = glm::dot(normals[v], result[v]);
        result[v] = weights_.tangentialSmoothing * result[v] +
                    (weights_.bending - weights_.tangentialSmoothing) * along * normals[v];
    }
}

}  // namespace threefold::fitting
