#include "engine/numerics/least_squares.h"

#include <cmath>
#include <limits>
#include <random>
#include <span>
#include <stop_token>

#include <gtest/gtest.h>

#include "engine/error.h"

namespace threefold {
namespace {

TEST(SolvePositiveDefinite, solvesASystem_whenPositiveDefinite) {
    std::mt19937 random(1);
    std::normal_distribution<double> normal;
    for (const int size : {1, 2, 7, 60}) {
        Eigen::MatrixXd root(size, size);
        Eigen::VectorXd x(size);
        for (int i = 0; i < size; ++i) {
            x[i] = normal(random);
            for (int k = 0; k < size; ++k) root(i, k) = (i + k) % 3 == 0 ? normal(random) : 0;
        }
        const Eigen::MatrixXd matrix =
            root * root.transpose() + Eigen::MatrixXd::Identity(size, size);
        const auto solved = solvePositiveDefinite(matrix, matrix * x);
        ASSERT_TRUE(solved) << size;
        EXPECT_LT((*solved - x).norm(), 1e-9 * (1 + x.norm())) << size;
    }
}

TEST(SolvePositiveDefinite, refusesASystem_whenNotPositiveDefinite) {
    const Eigen::VectorXd b = Eigen::VectorXd::Ones(2);
    EXPECT_FALSE(solvePositiveDefinite(Eigen::MatrixXd{{1, 2}, {2, 1}}, b));
    EXPECT_FALSE(solvePositiveDefinite(Eigen::MatrixXd{{1, 0}, {0, 0}}, b));
    EXPECT_FALSE(solvePositiveDefinite(Eigen::MatrixXd{{-1, 0}, {0, 1}}, b));
    const double none = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(solvePositiveDefinite(Eigen::MatrixXd{{none, 0}, {0, 1}}, b));
    EXPECT_FALSE(
        solvePositiveDefinite(Eigen::MatrixXd{{1, 0}, {0, INFINITY}}, Eigen::VectorXd{{1, none}}));
}

/// Rosenbrock's function as a least-squares problem: residuals 1 − x and 10 (y − x²).
TEST(LevenbergMarquardt, findsTheMinimum_throughACurvedValley) {
    Eigen::Vector2d state(-1.2, 1);
    DenseNormalEquations equations;
    const auto residuals = [](const Eigen::Vector2d& at) {
        return Eigen::Vector2d(1 - at.x(), 10 * (at.y() - at.x() * at.x()));
    };
    levenbergMarquardt(
        state, 100, 1e-12, [&](const Eigen::Vector2d& at) { return residuals(at).squaredNorm(); },
        [&](const Eigen::Vector2d& at) -> const DenseNormalEquations& {
            const Eigen::Matrix2d jacobian{{-1, 0}, {-20 * at.x(), 10}};
            equations.matrix = jacobian.transpose() * jacobian;
            equations.rhs = -jacobian.transpose() * residuals(at);
            return equations;
        },
        [](Eigen::Vector2d& to, std::span<const double> step) {
            to += Eigen::Vector2d(step[0], step[1]);
        });
    EXPECT_LT((state - Eigen::Vector2d(1, 1)).norm(), 1e-6);
}

TEST(LevenbergMarquardt, throwsInputError_whenTheInitialCostIsNotANumber) {
    double state = 1;
    const DenseNormalEquations none{Eigen::MatrixXd::Identity(1, 1), Eigen::VectorXd::Zero(1)};
    const auto minimise = [&] {
        levenbergMarquardt(
            state, 10, 1e-6, [](double) { return std::numeric_limits<double>::quiet_NaN(); },
            [&](double) -> const DenseNormalEquations& { return none; },
            [](double&, std::span<const double>) {});
    };
    EXPECT_THROW(minimise(), InputError);
}

/// Minimises x² + y² from (1, 1), with `matrix` in the normal equations.
Eigen::Vector2d minimisedSquares(const Eigen::Matrix2d& matrix, const std::stop_token& cancel) {
    Eigen::Vector2d state(1, 1);
    levenbergMarquardt(
        state, 10, 0, [](const Eigen::Vector2d& at) { return at.squaredNorm(); },
        [&](const Eigen::Vector2d& at) {
            return DenseNormalEquations{matrix, -at};
        },
        [](Eigen::Vector2d& to, std::span<const double> step) {
            to += Eigen::Vector2d(step[0], step[1]);
        },
        cancel);
    return state;
}

TEST(LevenbergMarquardt, keepsTheStart_whenTheDiagonalHasAZero) {
    EXPECT_LT(minimisedSquares(Eigen::Matrix2d::Identity(), {}).norm(), 1e-6);
    const Eigen::Matrix2d singular{{1, 0}, {0, 0}};
    EXPECT_EQ(minimisedSquares(singular, {}), Eigen::Vector2d(1, 1));
}

TEST(LevenbergMarquardt, throwsCancelled_whenCancelled) {
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(minimisedSquares(Eigen::Matrix2d::Identity(), stop.get_token()), Cancelled);
}

}  // namespace
}  // namespace threefold
