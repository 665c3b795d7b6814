#pragma once

#include <cstddef>

#include <glm/geometric.hpp>

#include "engine/mesh.h"

namespace threefold {

inline double dotProduct(const Points& a, const Points& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += glm::dot(a[i], b[i]);
    return sum;
}

/// Solves Ax = b for a symmetric positive A, from the x given (Hestenes and Stiefel 1952), until
/// the residual's square is `enough` of the first one's or by `most` steps. `apply(v, Av)`
/// multiplies; Av is another vector, of any size before.
template <class Apply>
void conjugateGradients(const Apply& apply, const Points& b, Points& x, int most, double enough) {
    Points product;
    apply(x, product);
    Points residual(b.size());
    for (std::size_t i = 0; i < b.size(); ++i) residual[i] = b[i] - product[i];
    Points direction = residual;
    double left = dotProduct(residual, residual);
    const double least = enough * left;
    for (int step = 0; step < most && left > least; ++step) {
        apply(direction, product);
        const double curvature = dotProduct(direction, product);
        if (!(curvature > 0)) return;
        const auto length = static_cast<float>(left / curvature);
        for (std::size_t i = 0; i < x.size(); ++i) {
            x[i] += length * direction[i];
            residual[i] -= length * product[i];
        }
        const double next = dotProduct(residual, residual);
        const auto keep = static_cast<float>(next / left);
        for (std::size_t i = 0; i < x.size(); ++i) direction[i] = residual[i] + keep * direction[i];
        left = next;
    }
}

}  // namespace threefold
