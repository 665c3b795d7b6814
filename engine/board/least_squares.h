#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stop_token>
#include <utility>
#include <vector>

#include "engine/error.h"

namespace threefold::board {

/// Solves A x = b by Cholesky decomposition for a symmetric positive definite A; false where A is
/// not. In place: A's lower triangle becomes the factor, b becomes x. Leading zeros of a row are
/// skipped (skyline), so put unknowns that couple with all others last. Throws Cancelled.
inline bool solveSymmetric(std::vector<double>& a, std::vector<double>& b,
                           const std::stop_token& cancel = {}) {
    const std::size_t n = b.size();
    std::vector<std::size_t> first(n, 0);
    for (std::size_t i = 0; i < n; ++i)
        while (first[i] < i && a[i * n + first[i]] == 0) ++first[i];
    for (std::size_t i = 0; i < n; ++i) {
        if (cancel.stop_requested()) throw Cancelled();
        for (std::size_t j = first[i]; j <= i; ++j) {
            double sum = a[i * n + j];
            for (std::size_t k = std::max(first[i], first[j]); k < j; ++k)
                sum -= a[i * n + k] * a[j * n + k];
            if (i == j && !(sum > 0)) return false;
            a[i * n + j] = i == j ? std::sqrt(sum) : sum / a[j * n + j];
        }
    }
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = first[i]; k < i; ++k) b[i] -= a[i * n + k] * b[k];
        b[i] /= a[i * n + i];
    }
    for (std::size_t i = n; i-- > 0;) {
        for (std::size_t k = i + 1; k < n; ++k) b[i] -= a[k * n + i] * b[k];
        b[i] /= a[i * n + i];
    }
    return true;
}

/// Normal equations of a linearised least-squares problem.
struct DenseNormalEquations {
    std::vector<double> matrix, rhs;
};

/// Minimises costOf(state) by Levenberg-Marquardt, until a step lowers the cost by less than the
/// share `minRelativeGain`. `linearise(state)` gives the DenseNormalEquations, `apply(state, step)`
/// takes a step. Throws Cancelled.
template <class State, class Cost, class Linearise, class Apply>
void levenbergMarquardt(State& state, int mostSteps, double minRelativeGain, const Cost& costOf,
                        const Linearise& linearise, const Apply& apply,
                        const std::stop_token& cancel = {}) {
    constexpr double kFirstDamping = 1e-3, kMostDamping = 1e9;
    double damping = kFirstDamping;
    double cost = costOf(state);
    for (int i = 0; i < mostSteps && damping < kMostDamping; ++i) {
        const DenseNormalEquations& equations = linearise(state);
        bool better = false;
        while (!better && damping < kMostDamping) {
            std::vector<double> matrix = equations.matrix;
            std::vector<double> step = equations.rhs;
            for (std::size_t k = 0; k < step.size(); ++k)
                matrix[k * step.size() + k] *= 1 + damping;
            if (!solveSymmetric(matrix, step, cancel)) {
                damping *= 10;
                continue;
            }
            State next = state;
            apply(next, step);
            const double after = costOf(next);
            better = after < cost;
            damping = better ? std::max(damping / 10, 1e-12) : damping * 10;
            if (!better) continue;
            const bool isEnough = cost - after < minRelativeGain * cost;
            state = std::move(next);
            cost = after;
            if (isEnough) return;
        }
    }
}

}  // namespace threefold::board
