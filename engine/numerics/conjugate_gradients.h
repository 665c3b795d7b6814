#pragma once

#include <cstddef>

#include <glm/geometric.hpp>

#include "engine/mesh.h"

namespace threefold {

/// Sum of the vectors' dot products, added in double, as float32 would lose the last digits of a
/// long sum; each product is a float.
inline double dotProduct(const Points& a, const Points& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += glm::dot(a[i], b[i]);
    return sum;
}

/// Solves Ax = b for a symmetric positive definite A, starting from the given x (Hestenes and
/// Stiefel 1952). Stops when the squared residual falls to `squaredTolerance` times its initial
/// value, after `maxIterations` iterations, or at a direction without positive curvature (A is not
/// positive definite to float32's precision, or a value is NaN). Returns the squared residual.
/// `apply(v, result)` sets `result`, another vector than v, to A · v.
template <class Apply>
double conjugateGradients(const Apply& apply, const Points& b, Points& x, int maxIterations,
                          double squaredTolerance) {
    Points product;
    apply(x, product);
    Points residual(b.size());
    for (std::size_t i = 0; i < b.size(); ++i) residual[i] = b[i] - product[i];
    Points direction = residual;
    double residualSquare = dotProduct(residual, residual);
    const double target = squaredTolerance * residualSquare;
    for (int step = 0; step < maxIterations && residualSquare > target; ++step) {
        apply(direction, product);
        const double curvature = dotProduct(direction, product);
        if (!(curvature > 0)) break;
        const auto stepLength = static_cast<float>(residualSquare / curvature);
        for (std::size_t i = 0; i < x.size(); ++i) {
            x[i] += stepLength * direction[i];
            residual[i] -= stepLength * product[i];
        }
        const double nextSquare = dotProduct(residual, residual);
        const auto beta = static_cast<float>(nextSquare / residualSquare);
        for (std::size_t i = 0; i < x.size(); ++i) direction[i] = residual[i] + beta * direction[i];
        residualSquare = nextSquare;
    }
    return residualSquare;
}

}  // namespace threefold
