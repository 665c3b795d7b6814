#include "engine/board/adjustment.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "engine/board/board_layout.h"
#include "engine/compute/least_squares.h"

namespace threefold::board {
namespace {

constexpr std::size_t kOfLens = 5;
constexpr std::size_t kOfPose = 6;

/// The rotation by |turn| radians about `turn` (Rodrigues).
glm::dmat3 rotationBy(glm::dvec3 turn) {
    const double angle = glm::length(turn);
    const glm::dmat3 skew(glm::dvec3(0, turn.z, -turn.y), glm::dvec3(-turn.z, 0, turn.x),
                          glm::dvec3(turn.y, -turn.x, 0));
    constexpr double kTiny = 1e-8;
    const double first = angle < kTiny ? 1 : std::sin(angle) / angle;
    const double second = angle < kTiny ? 0.5 : (1 - std::cos(angle)) / (angle * angle);
    return glm::dmat3(1.0) + first * skew + second * (skew * skew);
}

void move(Rigid& pose, std::span<const double> step) {
    pose.rotation = rotationBy({step[0], step[1], step[2]}) * pose.rotation;
    pose.translation += glm::dvec3(step[3], step[4], step[5]);
}

std::array<double*, kOfLens> valuesOf(AdjustedLens& lens) {
    return {&lens.focal, &lens.centreX, &lens.centreY, &lens.k1, &lens.k2};
}

/// One round with a fixed scale of outliers.
class Round {
  public:
    Round(Adjustment& all, double scale, const std::stop_token& cancel)
        : all_(all), scale_(scale), cancel_(cancel) {
        placeAt_ = all.poses.size() * kOfPose;
        lensAt_ = placeAt_ + (all.markerPosesKnown ? 0 : (all.markerPoses.size() - 1) * kOfPose);
        size_ = lensAt_ + all.lenses.size() * kOfLens;
    }

    void solve() {
        constexpr int kMostSteps = 60;
        constexpr double kEnough = 1e-7;
        levenbergMarquardt(
            all_, kMostSteps, kEnough, [&](Adjustment& at) { return costOf(at); },
            [&](const Adjustment&) -> const DenseNormalEquations& {
                linearise();
                return equations_;
            },
            [&](Adjustment& to, std::span<const double> step) { apply(to, step); }, cancel_);
    }

  private:
    double costOf(Adjustment& at) const {
        double sum = 0;
        for (const MarkerSeen& each : at.seen)
            for (std::size_t k = 0; k < 4; ++k) {
                const glm::dvec2 residual = at.residual(each, k) / scale_;
                sum += std::log1p(glm::dot(residual, residual));
            }
        for (std::size_t i = 0; i < at.lenses.size(); ++i)
            for (std::size_t k = 0; k < kOfLens; ++k) {
                const double off = offMean(at, i, k);
                sum += off * off;
            }
        return sum;
    }

    static double offMean(Adjustment& at, std::size_t lens, std::size_t k) {
        return (*valuesOf(at.lenses[lens])[k] - *valuesOf(at.mean[lens])[k]) /
               *valuesOf(at.sigma[lens])[k];
    }

    void apply(Adjustment& to, std::span<const double> step) const {
        for (std::size_t i = 0; i < to.lenses.size(); ++i)
            for (std::size_t k = 0; k < kOfLens; ++k)
                *valuesOf(to.lenses[i])[k] += step[lensAt_ + i * kOfLens + k];
        for (std::size_t i = 0; i < to.poses.size(); ++i)
            move(to.poses[i], step.subspan(i * kOfPose, kOfPose));
        for (std::size_t at = placeAt_, i = 1; at < lensAt_; at += kOfPose, ++i)
            move(to.markerPoses[i], step.subspan(at, kOfPose));
    }

    /// Steps in which a corner moves by about a pixel's thousandth.
    static std::array<double, kOfPose> differences(const Rigid& pose) {
        const double translation = 1e-6 * std::max(1e-3, glm::length(pose.translation));
        return {1e-6, 1e-6, 1e-6, translation, translation, translation};
    }

    void linearise() {
        const auto size = static_cast<Eigen::Index>(size_);
        equations_.matrix.setZero(size, size);
        equations_.rhs.setZero(size);
        Adjustment at = all_;
        for (const MarkerSeen& each : all_.seen) {
            if (cancel_.stop_requested()) throw Cancelled();
            addMarker(at, each);
        }
        for (std::size_t i = 0; i < all_.lenses.size(); ++i)
            for (std::size_t k = 0; k < kOfLens; ++k) {
                const auto row = static_cast<Eigen::Index>(lensAt_ + i * kOfLens + k);
                const double weight = 1 / *valuesOf(at.sigma[i])[k];
                equations_.matrix(row, row) += weight * weight;
                equations_.rhs[row] -= offMean(at, i, k) * weight;
            }
    }

    /// `at` is all_, and is so again afterwards.
    void addMarker(Adjustment& at, const MarkerSeen& each) {
        struct Column {
            Eigen::Index index;
            std::array<glm::dvec2, 4> slope;
        };
        std::vector<Column> columns;
        const auto slopes = [&](std::size_t index, double step, const auto& moveBy) {
            Column& column = columns.emplace_back();
            column.index = static_cast<Eigen::Index>(index);
            moveBy(step);
            for (std::size_t k = 0; k < 4; ++k) column.slope[k] = at.residual(each, k);
            moveBy(-step);
            moveBy(-step);
            for (std::size_t k = 0; k < 4; ++k)
                column.slope[k] = (column.slope[k] - at.residual(each, k)) / (2 * step);
            moveBy(step);
        };
        const std::size_t lens = at.lensOf[each.photo];
        for (std::size_t k = 0; k < kOfLens; ++k) {
            double& value = *valuesOf(at.lenses[lens])[k];
            const double kept = value;
            double by = 0;
            slopes(lensAt_ + lens * kOfLens + k, 1e-6 * std::max(1.0, std::abs(kept)),
                   [&](double step) {
                       by += step;
                       value = kept + by;
                   });
            value = kept;
        }
        const auto ofPose = [&](Rigid& pose, std::size_t first) {
            const Rigid kept = pose;
            const std::array<double, kOfPose> steps = differences(kept);
            for (std::size_t k = 0; k < kOfPose; ++k) {
                std::array<double, kOfPose> by{};
                slopes(first + k, steps[k], [&](double step) {
                    by[k] += step;
                    pose = kept;
                    move(pose, by);
                });
                pose = kept;
            }
        };
        ofPose(at.poses[each.photo], each.photo * kOfPose);
        if (!all_.markerPosesKnown && each.marker > 0)
            ofPose(at.markerPoses[each.marker], placeAt_ + (each.marker - 1) * kOfPose);
        for (std::size_t k = 0; k < 4; ++k) {
            const glm::dvec2 residual = at.residual(each, k) / scale_;
            const double weight = 1 / (1 + glm::dot(residual, residual)) / scale_;
            for (const Column& one : columns) {
                equations_.rhs[one.index] -= weight * glm::dot(one.slope[k], residual);
                for (const Column& other : columns)
                    equations_.matrix(one.index, other.index) +=
                        weight / scale_ * glm::dot(one.slope[k], other.slope[k]);
            }
        }
    }

    Adjustment& all_;
    double scale_;
    const std::stop_token& cancel_;
    std::size_t placeAt_ = 0, lensAt_ = 0, size_ = 0;
    DenseNormalEquations equations_;
};

}  // namespace

glm::dvec2 AdjustedLens::pixelOf(glm::dvec3 inCamera) const {
    constexpr double kNear = 1e-3;  // behind the camera: far outside
    const glm::dvec2 flat = glm::dvec2(inCamera) / std::max(inCamera.z, kNear);
    const double square = glm::dot(flat, flat);
    return flat * (focal * (1 + square * (k1 + square * k2))) + glm::dvec2(centreX, centreY);
}

glm::dvec2 Adjustment::residual(const MarkerSeen& each, std::size_t corner) const {
    const glm::dvec3 point(kCorners[corner] * (side / 2), 0);
    const glm::dvec3 inCamera = poses[each.photo](markerPoses[each.marker](point));
    return lenses[lensOf[each.photo]].pixelOf(inCamera) - each.corners[corner];
}

double Adjustment::error(const MarkerSeen& each) const {
    double sum = 0;
    for (std::size_t k = 0; k < 4; ++k) sum += glm::dot(residual(each, k), residual(each, k));
    return std::sqrt(sum / 4);
}

void Adjustment::solve(const std::stop_token& cancel) {
    constexpr int kRounds = 4;
    constexpr double kLeastScale = 0.1, kOfMedian = 2;
    for (int i = 0; i < kRounds; ++i) {
        std::vector<double> errors;
        for (const MarkerSeen& each : seen) errors.push_back(error(each));
        const auto middle = errors.begin() + static_cast<std::ptrdiff_t>(errors.size() / 2);
        std::ranges::nth_element(errors, middle);
        Round(*this, std::max(kLeastScale, kOfMedian * *middle), cancel).solve();
    }
}

bool findHomography(const std::vector<glm::dvec2>& from, const std::vector<glm::dvec2>& to,
                    glm::dmat3& homography) {
    // Both about their middles and of size 1: squares of pixels would drown the rest.
    const auto normaliser = [](const std::vector<glm::dvec2>& points) {
        glm::dvec2 centre(0.0);
        for (const glm::dvec2& point : points) centre += point / static_cast<double>(points.size());
        double size = 1e-12;
        for (const glm::dvec2& point : points) size = std::max(size, glm::length(point - centre));
        return glm::dmat3(1 / size, 0, 0, 0, 1 / size, 0, -centre.x / size, -centre.y / size, 1);
    };
    const glm::dmat3 ofFrom = normaliser(from);
    const glm::dmat3 ofTo = normaliser(to);
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(8, 8);
    Eigen::VectorXd right = Eigen::VectorXd::Zero(8);
    const auto add = [&](const std::array<double, 8>& factors, double value) {
        const Eigen::Map<const Eigen::Vector<double, 8>> row(factors.data());
        right += row * value;
        matrix += row * row.transpose();
    };
    for (std::size_t i = 0; i < from.size(); ++i) {
        const glm::dvec3 p = ofFrom * glm::dvec3(from[i], 1);
        const glm::dvec3 q = ofTo * glm::dvec3(to[i], 1);
        add({p.x, p.y, 1, 0, 0, 0, -q.x * p.x, -q.x * p.y}, q.x);
        add({0, 0, 0, p.x, p.y, 1, -q.y * p.x, -q.y * p.y}, q.y);
    }
    const std::optional<Eigen::VectorXd> solved = solveSymmetric(matrix, right);
    if (!solved) return false;
    const Eigen::VectorXd& h = *solved;
    homography =
        glm::inverse(ofTo) * glm::dmat3(h[0], h[3], h[6], h[1], h[4], h[7], h[2], h[5], 1) * ofFrom;
    return true;
}

Rigid poseOfHomography(const glm::dmat3& homography, const AdjustedLens& lens) {
    const auto inCamera = [&](glm::dvec3 column) {
        return glm::dvec3((column.x - lens.centreX * column.z) / lens.focal,
                          (column.y - lens.centreY * column.z) / lens.focal, column.z);
    };
    glm::dvec3 x = inCamera(homography[0]);
    glm::dvec3 y = inCamera(homography[1]);
    const glm::dvec3 translation = inCamera(homography[2]);
    const double scale = (translation.z < 0 ? -1 : 1) * std::sqrt(glm::length(x) * glm::length(y));
    x = glm::normalize(x * (scale < 0 ? -1.0 : 1.0));
    y = y * (scale < 0 ? -1.0 : 1.0);
    const glm::dvec3 z = glm::normalize(glm::cross(x, y));
    return {glm::dmat3(x, glm::cross(z, x), z), translation / scale};
}

}  // namespace threefold::board
