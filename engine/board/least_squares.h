#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stop_token>
#include <utility>
#include <vector>

#include "engine/error.h"

namespace threefold::board {

/// Solves A x = b for a symmetric positive A by Cholesky's decomposition, in place: A becomes its
/// factor, b becomes x. False where A is not positive. What is 0 in front of a row's first number
/// stays so and takes no time: unknowns that have to do with all others belong at the end. Throws
/// Cancelled.
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

/// Squares about a state: A and b of the step that is best for them.
struct DenseNormalEquations {
    std::vector<double> matrix, right;
};

/// Lowers cost(state) by Gauss-Newton steps with Levenberg's and Marquardt's damping, until a step
/// gains less than `enough` of it. Throws Cancelled. `linearise(state)` gives the NormalEquations,
/// `apply(state, step)` takes a step.
template <class State, class Cost, class Linearise, class Apply>
void descend(State& state, int mostSteps, double enough, const Cost& costOf,
             const Linearise& linearise, const Apply& apply, const std::stop_token& cancel = {}) {
    constexpr double kFirstDamping = 1e-3, kMostDamping = 1e9;
    double damping = kFirstDamping;
    double cost = costOf(state);
    for (int i = 0; i < mostSteps && damping < kMostDamping; ++i) {
        const DenseNormalEquations& equations = linearise(state);
        bool better = false;
        while (!better && damping < kMostDamping) {
            std::vector<double> matrix = equations.matrix;
            std::vector<double> step = equations.right;
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
            const bool isEnough = cost - after < enough * cost;
            state = std::move(next);
            cost = after;
            if (isEnough) return;
        }
    }
}

}  // namespace threefold::board
