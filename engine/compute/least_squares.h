#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <stop_token>
#include <utility>

#include <Eigen/Core>

#include "engine/error.h"

/// Least squares on Eigen's matrices. Include this header in sources only: Eigen is large.
namespace threefold {

/// Solves A x = b for a symmetric positive definite A, given by its lower triangle. None where A is
/// not positive definite, or a number is not finite. Eigen's sparse Cholesky decomposition skips
/// zeros of A, in an order of its own. Deterministic, thread-safe.
std::optional<Eigen::VectorXd> solveSymmetric(const Eigen::MatrixXd& a, const Eigen::VectorXd& b);

/// Normal equations of a linearised least-squares problem.
struct DenseNormalEquations {
    Eigen::MatrixXd matrix;  ///< both triangles
    Eigen::VectorXd rhs;
};

/// Minimises costOf(state) by Levenberg-Marquardt, until a step lowers the cost by less than the
/// share `minRelativeGain`. `linearise(state)` gives the DenseNormalEquations, `apply(state, step)`
/// takes a step, a std::span<const double>. Throws Cancelled, between two solutions.
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
            if (cancel.stop_requested()) throw Cancelled();
            Eigen::MatrixXd matrix = equations.matrix;
            matrix.diagonal() *= 1 + damping;
            const std::optional<Eigen::VectorXd> step = solveSymmetric(matrix, equations.rhs);
            if (!step) {
                damping *= 10;
                continue;
            }
            State next = state;
            apply(next,
                  std::span<const double>(step->data(), static_cast<std::size_t>(step->size())));
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

}  // namespace threefold
