#include "engine/model/complete_template.h"

#include <cmath>
#include <vector>

#include <fmt/core.h>

#include "engine/error.h"

namespace threefold {
namespace {

/// More hypotheses than any template has; all pairs of them are looked at.
constexpr std::size_t kMostHypotheses = 1000;

using Dense = std::vector<std::vector<double>>;

/// The largest eigenvalue of a symmetric matrix without negative ones, by repeated multiplication.
double largestEigenvalue(const Dense& matrix) {
    const std::size_t n = matrix.size();
    std::vector<double> vector(n), next(n);
    // Any start will do that is not orthogonal to the eigenvector: an uneven one.
    for (std::size_t i = 0; i < n; ++i) vector[i] = 1.0 + std::sin(static_cast<double>(i) * 1.7);
    double eigenvalue = 0;
    constexpr int kSteps = 20'000;
    for (int step = 0; step < kSteps; ++step) {
        double square = 0;
        for (std::size_t row = 0; row < n; ++row) {
            next[row] = 0;
            for (std::size_t column = 0; column < n; ++column)
                next[row] += matrix[row][column] * vector[column];
            square += next[row] * next[row];
        }
        const double before = eigenvalue;
        eigenvalue = std::sqrt(square);
        for (std::size_t i = 0; i < n; ++i) vector[i] = next[i] / eigenvalue;
        if (std::abs(eigenvalue - before) < 1e-15 * eigenvalue) break;
    }
    return eigenvalue;
}

}  // namespace

void addCentreHypothesis(TemplateMesh& mesh, const SparseMatrix& graph,
                         const std::string& subject) {
    const auto fail = [&](const std::string& problem) {
        throw ModelError({subject, "'sample_cheb'", problem,
                          "Give a template with the centre hypothesis (METHOD.md §7)."});
    };
    const std::size_t others = mesh.hypotheses.size();
    if (others == 0 || others > kMostHypotheses || graph.rows() != others)
        fail(fmt::format("is a graph of {} points, but there are {} hypotheses to complete",
                         graph.rows(), others));
    const std::size_t n = others + 1;
    Dense adjacency(n, std::vector<double>(n, 0));
    for (std::size_t i = 1; i < n; ++i) adjacency[0][i] = adjacency[i][0] = 1;
    for (std::size_t row = 0; row < others; ++row)
        for (std::uint32_t i = graph.rowStart[row]; i < graph.rowStart[row + 1]; ++i)
            if (graph.column[i] != row && graph.value[i] != 0.0f)
                adjacency[row + 1][graph.column[i] + 1] = 1;
    std::vector<double> degree(n, 0);
    for (std::size_t row = 0; row < n; ++row)
        for (std::size_t column = 0; column < n; ++column) {
            if (adjacency[row][column] != adjacency[column][row])
                fail(fmt::format("joins {} to {} in one direction only", row, column));
            degree[row] += adjacency[row][column];
        }

    Dense laplacian(n, std::vector<double>(n, 0));
    for (std::size_t row = 0; row < n; ++row)
        for (std::size_t column = 0; column < n; ++column)
            laplacian[row][column] =
                (row == column ? 1.0 : 0.0) -
                adjacency[row][column] / std::sqrt(degree[row] * degree[column]);
    const double scale = 2 / largestEigenvalue(laplacian);
    SparseMatrix& scaled = mesh.hypothesisLaplacian;
    scaled = {};
    scaled.rowStart.push_back(0);
    for (std::size_t row = 0; row < n; ++row) {
        for (std::size_t column = 0; column < n; ++column) {
            const double value = scale * laplacian[row][column] - (row == column ? 1.0 : 0.0);
            if (row != column && adjacency[row][column] == 0) continue;
            scaled.column.push_back(static_cast<std::uint32_t>(column));
            scaled.value.push_back(static_cast<float>(value));
        }
        scaled.rowStart.push_back(static_cast<std::uint32_t>(scaled.column.size()));
    }
    mesh.hypotheses.insert(mesh.hypotheses.begin(), glm::vec3(0.0f));
}

}  // namespace threefold
