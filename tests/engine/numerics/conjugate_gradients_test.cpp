#include "engine/numerics/conjugate_gradients.h"

#include <cstddef>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

namespace threefold::test {
namespace {

/// Multiplies by the tridiagonal matrix with 2.5 on the diagonal and −1 beside it.
void applyTridiagonal(const Points& v, Points& result) {
    result.resize(v.size());
    for (std::size_t i = 0; i < v.size(); ++i) {
        result[i] = 2.5F * v[i];
        if (i > 0) result[i] -= v[i - 1];
        if (i + 1 < v.size()) result[i] -= v[i + 1];
    }
}

Points someSolution() {
    Points solution;
    for (int i = 0; i < 20; ++i)
        solution.emplace_back(static_cast<float>(i % 7), static_cast<float>(-i), 1.0F);
    return solution;
}

TEST(ConjugateGradients, solvesASystem_whenPositiveDefinite) {
    const Points solution = someSolution();
    Points b;
    applyTridiagonal(solution, b);
    Points x(solution.size());
    conjugateGradients(applyTridiagonal, b, x, 100, 1e-12);
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_LT(glm::distance(x[i], solution[i]), 1e-3F);
}

TEST(ConjugateGradients, returnsTheSquaredResidual_afterTheLastIteration) {
    const Points b = someSolution();
    Points x(b.size());
    const double squared = conjugateGradients(applyTridiagonal, b, x, 2, 0);
    Points product;
    applyTridiagonal(x, product);
    double expected = 0;
    for (std::size_t i = 0; i < b.size(); ++i) {
        const glm::vec3 residual = b[i] - product[i];
        expected += glm::dot(residual, residual);
    }
    EXPECT_GT(expected, 0);
    EXPECT_NEAR(squared, expected, 1e-3 * expected);
}

TEST(ConjugateGradients, stops_whenTheMatrixIsNotPositiveDefinite) {
    const auto negate = [](const Points& v, Points& result) {
        result = v;
        for (auto& each : result) each = -each;
    };
    const Points b = someSolution();
    Points x(b.size());
    conjugateGradients(negate, b, x, 100, 1e-12);
    for (const auto& each : x) EXPECT_EQ(glm::length(each), 0.0F);
}

}  // namespace
}  // namespace threefold::test
