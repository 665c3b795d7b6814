#include "engine/geometry/alignment.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include <Eigen/Eigenvalues>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/matrix.hpp>

#include "engine/error.h"
#include "engine/geometry/nearest.h"
#include "engine/mesh.h"

namespace threefold {
namespace {

Points subsampled(std::span<const glm::vec3> points, std::size_t count) {
    Points samples;
    const std::size_t size = std::min(points.size(), count);
    // The stride is a large prime, because neighbouring indices are often neighbouring vertices.
    constexpr std::size_t kPrime = 2'654'435'761;
    for (std::size_t i = 0; i < size; ++i) samples.push_back(points[i * kPrime % points.size()]);
    return samples;
}

glm::dvec3 centroidOf(std::span<const glm::vec3> points) {
    glm::dvec3 sum(0.0);
    for (const glm::vec3 point : points) sum += glm::dvec3(point);
    return sum / static_cast<double>(points.size());
}

double rmsRadiusOf(std::span<const glm::vec3> points, glm::dvec3 centre) {
    double sum = 0;
    for (const glm::vec3 point : points) {
        const glm::dvec3 offset = glm::dvec3(point) - centre;
        sum += glm::dot(offset, offset);
    }
    return std::sqrt(sum / static_cast<double>(points.size()));
}

Points transformed(std::span<const glm::vec3> points, const SimilarityTransform& alignment) {
    Points result;
    for (const glm::vec3 point : points) result.emplace_back(alignment.apply(glm::dvec3(point)));
    return result;
}

struct Pairs {
    std::vector<glm::dvec3> from, to;
    double distance = 0;  // root mean square
};

/// Pairs of nearest points in both directions. `moved`: `points` under the current alignment.
Pairs pairsOf(const Points& points, const Points& moved, const Points& target,
              const NearestIndex& index) {
    Pairs pairs;
    double sum = 0;
    const Neighbours toTarget = index.find(moved);
    for (std::size_t i = 0; i < points.size(); ++i) {
        pairs.from.emplace_back(points[i]);
        pairs.to.emplace_back(target[toTarget.indices[i]]);
        sum += toTarget.squaredDistances[i];
    }
    const Neighbours fromTarget = nearestNeighbours(target, moved);
    for (std::size_t i = 0; i < target.size(); ++i) {
        pairs.from.emplace_back(points[fromTarget.indices[i]]);
        pairs.to.emplace_back(target[i]);
        sum += fromTarget.squaredDistances[i];
    }
    pairs.distance = std::sqrt(sum / static_cast<double>(pairs.from.size()));
    return pairs;
}

/// Unit quaternion of the greatest eigenvalue of Horn's matrix. Of several equally good rotations,
/// as for points on a line, returns the one nearest to `previous`.
glm::dquat rotationOf(const glm::dmat3& s, glm::dquat previous) {
    const double xx = s[0][0], xy = s[1][0], xz = s[2][0], yx = s[0][1], yy = s[1][1], yz = s[2][1],
                 zx = s[0][2], zy = s[1][2], zz = s[2][2];
    const Eigen::Matrix4d horn{{xx + yy + zz, yz - zy, zx - xz, xy - yx},
                               {yz - zy, xx - yy - zz, xy + yx, zx + xz},
                               {zx - xz, xy + yx, yy - xx - zz, yz + zy},
                               {xy - yx, zx + xz, yz + zy, zz - xx - yy}};
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d> solver(horn);
    const Eigen::Vector4d& values = solver.eigenvalues();  // ascending
    const Eigen::Vector4d near(previous.w, previous.x, previous.y, previous.z);
    constexpr double kEqualTolerance = 1e-9;
    Eigen::Vector4d q = Eigen::Vector4d::Zero();
    for (int i = 0; i < 4; ++i)
        if (values[3] - values[i] <= kEqualTolerance * values.cwiseAbs().maxCoeff())
            q += solver.eigenvectors().col(i) * solver.eigenvectors().col(i).dot(near);
    if (!(q.norm() > kEqualTolerance)) q = solver.eigenvectors().col(3);
    q.normalize();
    return {q[0], q[1], q[2], q[3]};
}

SimilarityTransform bestSimilarity(const Pairs& pairs, const SimilarityTransform& previous) {
    SimilarityTransform alignment;
    const auto count = static_cast<double>(pairs.from.size());
    for (std::size_t i = 0; i < pairs.from.size(); ++i) {
        alignment.sourceOrigin += pairs.from[i] / count;
        alignment.targetOrigin += pairs.to[i] / count;
    }
    glm::dmat3 products(0.0);  // column c, row r: Σ from[r] · to[c]
    double fromSpread = 0, toSpread = 0;
    for (std::size_t i = 0; i < pairs.from.size(); ++i) {
        const glm::dvec3 a = pairs.from[i] - alignment.sourceOrigin,
                         b = pairs.to[i] - alignment.targetOrigin;
        products += glm::outerProduct(a, b);
        fromSpread += glm::dot(a, a);
        toSpread += glm::dot(b, b);
    }
    alignment.rotation = glm::mat3_cast(rotationOf(products, glm::quat_cast(previous.rotation)));
    alignment.scale = fromSpread > 0 ? std::sqrt(toSpread / fromSpread) : previous.scale;
    return alignment;
}

struct Candidate {
    SimilarityTransform alignment;
    double distance = 0;
};

Candidate iterateClosestPoints(SimilarityTransform alignment, const Points& points,
                               const Points& target, int maxSteps, const std::stop_token& cancel) {
    constexpr double kTolerance = 1e-5;  // relative change of the distance
    const NearestIndex index(target);
    Candidate best{alignment, INFINITY};
    for (int step = 0;; ++step) {
        if (cancel.stop_requested()) throw Cancelled();
        const Pairs pairs = pairsOf(points, transformed(points, alignment), target, index);
        const bool converged = pairs.distance >= best.distance * (1 - kTolerance);
        // A step may increase the distance: its scale is the ratio of the clouds' spreads, not the
        // least-squares scale.
        if (pairs.distance < best.distance) best = {alignment, pairs.distance};
        if (step == maxSteps || converged) return best;
        alignment = bestSimilarity(pairs, alignment);
    }
}

/// The 24 rotations by right angles, the identity first.
std::vector<glm::dmat3> rightAngleRotations() {
    std::vector<glm::dmat3> rotations{glm::dmat3(1.0)};
    const glm::dvec3 axes[] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    for (const glm::dvec3 x : axes)
        for (const glm::dvec3 y : axes) {
            if (glm::dot(x, y) != 0) continue;
            const glm::dmat3 rotation(x, y, glm::cross(x, y));
            if (rotation != rotations.front()) rotations.push_back(rotation);
        }
    return rotations;
}

}  // namespace

bool areAligned(std::span<const glm::vec3> points, std::span<const glm::vec3> target) {
    const Box3f box = boundsOf(points), targetBox = boundsOf(target);
    const float size = glm::distance(box.min, box.max),
                targetSize = glm::distance(targetBox.min, targetBox.max);
    const float offset = glm::distance(box.min + box.max, targetBox.min + targetBox.max) / 2;
    return size < targetSize * 4 / 3 && targetSize < size * 4 / 3 && offset < targetSize / 4;
}

SimilarityTransform alignByIcp(std::span<const glm::vec3> points, std::span<const glm::vec3> target,
                               const std::stop_token& cancel) {
    constexpr std::size_t kCoarsePoints = 300, kFinePoints = 2000;
    const auto refuse = [](const char* problem) {
        throw InputError({"alignment", "", problem, "Align meshes of the same object."});
    };
    if (points.size() < 3 || target.size() < 3) refuse("fewer than three points");
    const glm::dvec3 centre = centroidOf(points), targetCentre = centroidOf(target);
    const double size = rmsRadiusOf(points, centre), targetSize = rmsRadiusOf(target, targetCentre);
    if (!(size > 0 && targetSize > 0) || !std::isfinite(size) || !std::isfinite(targetSize))
        refuse("all points are in one place, or not finite");
    const Points few = subsampled(points, kCoarsePoints),
                 fewTarget = subsampled(target, kCoarsePoints);
    const Points many = subsampled(points, kFinePoints),
                 manyTarget = subsampled(target, kFinePoints);
    Candidate best;
    for (const glm::dmat3& rotation : rightAngleRotations()) {
        constexpr double kMaxRatio = 0.8;
        constexpr int kFirstSteps = 12, kSteps = 60;
        const SimilarityTransform start{rotation, targetSize / size, centre, targetCentre};
        const SimilarityTransform coarse =
            iterateClosestPoints(start, few, fewTarget, kFirstSteps, cancel).alignment;
        const bool isIdentity = rotation == glm::dmat3(1.0);
        // Only promising rotations are refined with many points.
        const auto distance = [&](const SimilarityTransform& alignment) {
            return iterateClosestPoints(alignment, many, manyTarget, 0, cancel).distance;
        };
        if (!isIdentity && distance(coarse) > best.distance) continue;
        const Candidate candidate = iterateClosestPoints(coarse, many, manyTarget, kSteps, cancel);
        if (isIdentity || candidate.distance < kMaxRatio * best.distance) best = candidate;
    }
    return best.alignment;
}

}  // namespace threefold
