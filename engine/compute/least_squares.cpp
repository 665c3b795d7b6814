#include "engine/compute/least_squares.h"

#include <Eigen/SparseCholesky>

namespace threefold {

std::optional<Eigen::VectorXd> solveSymmetric(const Eigen::MatrixXd& a, const Eigen::VectorXd& b) {
    const Eigen::SparseMatrix<double> sparse = a.sparseView();
    const Eigen::SimplicialLLT<Eigen::SparseMatrix<double>> factor(sparse);
    if (factor.info() != Eigen::Success) return std::nullopt;
    return factor.solve(b);
}

}  // namespace threefold
