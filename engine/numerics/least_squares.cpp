#include "engine/numerics/least_squares.h"

#include <Eigen/SparseCholesky>

namespace threefold {

std::optional<Eigen::VectorXd> solvePositiveDefinite(const Eigen::MatrixXd& a,
                                                     const Eigen::VectorXd& b) {
    const Eigen::SparseMatrix<double> sparse = a.sparseView();
    const Eigen::SimplicialLLT<Eigen::SparseMatrix<double>> factor(sparse);
    if (factor.info() != Eigen::Success) return std::nullopt;
    Eigen::VectorXd x = factor.solve(b);
    if (!x.allFinite()) return std::nullopt;  // the factorisation lets NaN pass
    return x;
}

}  // namespace threefold
