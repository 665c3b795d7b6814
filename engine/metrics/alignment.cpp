#include "engine/metrics/alignment.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include <Eigen/Eigenvalues>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/matrix.hpp>

#include "engine/error.h"
#include "engine/mesh.h"
#include "engine/metrics/nearest.h"

namespace threefold {
namespace {

Points someOf(std::span<const glm::vec3> points, std::size_t count) {
    Points some;
    const std::size_t kept = std::min(points.size(), count);
    // Far from each other: meshes number their vertices in rows.
    constexpr std::size_t kPrime = 2'654'435'761;
    for (std::size_t i = 0; i < kept; ++i) some.push_back(points[i * kPrime % points.size()]);
    return some;
}

glm::dvec3 middleOf(std::span<const glm::vec3> points) {
    glm::dvec3 sum(0.0);
    for (const glm::vec3 point : points) sum += glm::dvec3(point);
    return sum / static_cast<double>(points.size());
}

double spreadOf(std::span<const glm::vec3> points, glm::dvec3 middle) {
    double sum = 0;
    for (const glm::vec3 point : points) {
        const glm::dvec3 away = glm::dvec3(point) - middle;
        sum += glm::dot(away, away);
    }
    return std::sqrt(sum / static_cast<double>(points.size()));
}

Points mapped(std::span<const glm::vec3> points, const Alignment& by) {
    Points made;
    for (const glm::vec3 point : points) made.emplace_back(by(glm::dvec3(point)));
    return made;
}

struct Pairs {
    std::vector<glm::dvec3> from, to;
    double distance = 0;  // root mean square
};

/// Each point with the nearest of the other cloud, both ways; `moved` are the points by now.
Pairs pairsOf(const Points& points, const Points& moved, const Points& target,
              const NearestIndex& index) {
    Pairs pairs;
    double sum = 0;
    const Nearest there = index.find(moved);
    for (std::size_t i = 0; i < points.size(); ++i) {
        pairs.from.emplace_back(points[i]);
        pairs.to.emplace_back(target[there.index[i]]);
        sum += there.squaredDistance[i];
    }
    const Nearest back = nearestNeighbours(target, moved);
    for (std::size_t i = 0; i < target.size(); ++i) {
        pairs.from.emplace_back(points[back.index[i]]);
        pairs.to.emplace_back(target[i]);
        sum += back.squaredDistance[i];
    }
    pairs.distance = std::sqrt(sum / static_cast<double>(pairs.from.size()));
    return pairs;
}

/// The unit quaternion of the greatest eigenvalue of Horn's matrix. Where several rotations are as
/// good, as of points on a line, the one nearest to `before`.
glm::dquat rotationOf(const glm::dmat3& s, glm::dquat before) {
    const double xx = s[0][0], xy = s[1][0], xz = s[2][0], yx = s[0][1], yy = s[1][1], yz = s[2][1],
                 zx = s[0][2], zy = s[1][2], zz = s[2][2];
    const Eigen::Matrix4d horn{{xx + yy + zz, yz - zy, zx - xz, xy - yx},
                               {yz - zy, xx - yy - zz, xy + yx, zx + xz},
                               {zx - xz, xy + yx, yy - xx - zz, yz + zy},
                               {xy - yx, zx + xz, yz + zy, zz - xx - yy}};
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d> solver(horn);
    const Eigen::Vector4d& values = solver.eigenvalues();  // ascending
    const Eigen::Vector4d near(before.w, before.x, before.y, before.z);
    constexpr double kAsGood = 1e-9;
    Eigen::Vector4d q = Eigen::Vector4d::Zero();
    for (int i = 0; i < 4; ++i)
        if (values[3] - values[i] <= kAsGood * values.cwiseAbs().maxCoeff())
            q += solver.eigenvectors().col(i) * solver.eigenvectors().col(i).dot(near);
    if (!(q.norm() > kAsGood)) q = solver.eigenvectors().col(3);
    q.normalize();
    return {q[0], q[1], q[2], q[3]};
}

Alignment fitted(const Pairs& pairs, const Alignment& before) {
    Alignment made;
    const auto count = static_cast<double>(pairs.from.size());
    for (std::size_t i = 0; i < pairs.from.size(); ++i) {
        made.from += pairs.from[i] / count;
        made.to += pairs.to[i] / count;
    }
    glm::dmat3 products(0.0);  // column a, row b: Σ from[b] · to[a]
    double here = 0, there = 0;
    for (std::size_t i = 0; i < pairs.from.size(); ++i) {
        const glm::dvec3 a = pairs.from[i] - made.from, b = pairs.to[i] - made.to;
        products += glm::outerProduct(a, b);
        here += glm::dot(a, a);
        there += glm::dot(b, b);
    }
    made.rotation = glm::mat3_cast(rotationOf(products, glm::quat_cast(before.rotation)));
    made.scale = here > 0 ? std::sqrt(there / here) : before.scale;
    return made;
}

struct Tried {
    Alignment alignment;
    double distance = 0;
};

Tried improve(Alignment alignment, const Points& points, const Points& target, int most,
              const std::stop_token& cancel) {
    constexpr double kSettled = 1e-5;  // relative change of the distance
    const NearestIndex index(target);
    double before = INFINITY;
    for (int step = 0;; ++step) {
        if (cancel.stop_requested()) throw Cancelled();
        const Pairs pairs = pairsOf(points, mapped(points, alignment), target, index);
        if (step == most || pairs.distance > before * (1 - kSettled))
            return {alignment, pairs.distance};
        before = pairs.distance;
        alignment = fitted(pairs, alignment);
    }
}

/// The turns by right angles, first none.
std::vector<glm::dmat3> rightTurns() {
    std::vector<glm::dmat3> turns{glm::dmat3(1.0)};
    const glm::dvec3 axes[] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    for (const glm::dvec3 x : axes)
        for (const glm::dvec3 y : axes) {
            if (glm::dot(x, y) != 0) continue;
            const glm::dmat3 turn(x, y, glm::cross(x, y));
            if (turn != turns.front()) turns.push_back(turn);
        }
    return turns;
}

}  // namespace

double Alignment::degrees() const {
    const double trace = rotation[0][0] + rotation[1][1] + rotation[2][2];
    return std::acos(std::clamp((trace - 1) / 2, -1.0, 1.0)) * 180 / std::numbers::pi;
}

bool inPlace(std::span<const glm::vec3> points, std::span<const glm::vec3> target) {
    const Bounds here(points), there(target);
    const float size = glm::distance(here.low, here.high),
                wanted = glm::distance(there.low, there.high);
    const float apart = glm::distance(here.low + here.high, there.low + there.high) / 2;
    return size < wanted * 4 / 3 && wanted < size * 4 / 3 && apart < wanted / 4;
}

Alignment alignTo(std::span<const glm::vec3> points, std::span<const glm::vec3> target,
                  const std::stop_token& cancel) {
    constexpr std::size_t kFew = 300, kMany = 2000;
    const auto refuse = [](const char* problem) {
        throw InputError({"alignment", "", problem, "Align meshes of the same object."});
    };
    if (points.size() < 3 || target.size() < 3) refuse("fewer than three points");
    const glm::dvec3 here = middleOf(points), there = middleOf(target);
    const double size = spreadOf(points, here), wanted = spreadOf(target, there);
    if (!(size > 0 && wanted > 0) || !std::isfinite(size) || !std::isfinite(wanted))
        refuse("all points are in one place, or not finite");
    const Points few = someOf(points, kFew), fewThere = someOf(target, kFew);
    const Points many = someOf(points, kMany), manyThere = someOf(target, kMany);
    Tried best;
    for (const glm::dmat3& turn : rightTurns()) {
        constexpr double kClearly = 0.8;
        constexpr int kFirstSteps = 12, kSteps = 60;
        const Alignment start{turn, wanted / size, here, there};
        const Alignment found = improve(start, few, fewThere, kFirstSteps, cancel).alignment;
        const bool straight = turn == glm::dmat3(1.0);
        // Only a turn that may win is worth the many points.
        const auto distance = [&](const Alignment& alignment) {
            return improve(alignment, many, manyThere, 0, cancel).distance;
        };
        if (!straight && distance(found) > best.distance) continue;
        const Tried tried = improve(found, many, manyThere, kSteps, cancel);
        if (straight || tried.distance < kClearly * best.distance) best = tried;
    }
    return best.alignment;
}

}  // namespace threefold
