#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <stop_token>
#include <utility>

#include <Eigen/Core>

#include "engine/error.h"

/// Least squares with Eigen. Include this header in sources only: Eigen is large.
namespace threefold {

/// Solves A x = b for a symmetric positive definite A, given by its lower triangle. Returns nullopt
/// if A is not positive definite or the solution is not finite. Uses Eigen's sparse Cholesky
/// decomposition, with a fill-reducing order, to skip zeros of A. Deterministic, thread-safe.
std::optional<Eigen::VectorXd> solvePositiveDefinite(const Eigen::MatrixXd& a,
                                                     const Eigen::VectorXd& b);

/// Normal equations of a linearised least-squares problem with residuals r and their Jacobian J.
struct DenseNormalEquations {
    Eigen::MatrixXd matrix;  ///< Jᵀ J, both triangles
    Eigen::VectorXd rhs;     ///< −Jᵀ r
};

/// Minimises costOf(state) by Levenberg-Marquardt: ends after `maxSteps` steps that lower the cost,
/// or when a step lowers the cost by less than the fraction `functionTolerance`, or when no damping
/// up to 1e9 gives a better step, as with a matrix whose diagonal has a zero. linearise(state)
/// returns DenseNormalEquations, or a reference that is valid and unchanged until the next call;
/// apply(state, step) applies a step, a std::span<const double>, to a copy of the state. Throws
/// InputError if the cost of the first state is not a number, Cancelled before a linear solve.
template <class State, class Cost, class Linearise, class Apply>
void levenbergMarquardt(State& state, int maxSteps, double functionTolerance, const Cost& costOf,
                        const Linearise& linearise, const Apply& apply,
                        const std::stop_token& cancel = {}) {
    constexpr double kFirstDamping = 1e-3, kMinDamping = 1e-12, kMaxDamping = 1e9;
    double damping = kFirstDamping;
    double cost = costOf(state);
    if (std::isnan(cost))
        throw InputError({"least squares", "", "the cost at the start is not a number",
                          "Give finite start values."});
    for (int i = 0; i < maxSteps && damping < kMaxDamping; ++i) {
        const DenseNormalEquations& equations = linearise(state);
        bool hasImproved = false;
        while (!hasImproved && damping < kMaxDamping) {
            if (cancel.stop_requested()) throw Cancelled();
            Eigen::MatrixXd matrix = equations.matrix;
            matrix.diagonal() *= 1 + damping;
            const std::optional<Eigen::VectorXd> step =
                solvePositiveDefinite(matrix, equations.rhs);
            if (!step) {
                damping *= 10;
                continue;
            }
            State next = state;
            apply(next,
                  std::span<const double>(step->data(), static_cast<std::size_t>(step->size())));
            const double nextCost = costOf(next);
            hasImproved = nextCost < cost;
            damping = hasImproved ? std::max(damping / 10, kMinDamping) : damping * 10;
            if (!hasImproved) continue;
            const bool converged = cost - nextCost < functionTolerance * cost;
            state = std::move(next);
            cost = nextCost;
            if (converged) return;
        }
    }
}

}  // namespace threefold
