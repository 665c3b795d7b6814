#include "engine/stereo/view_dependence.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <glm/geometric.hpp>

#include "engine/numerics/least_squares.h"
#include "engine/order_statistics.h"

namespace threefold::stereo {
namespace {

constexpr std::size_t kMaxPoints = 4000;
constexpr std::size_t kMinObservations = 500;

/// Number of spherical harmonics of degrees 1 and 2; constant factors are omitted.
constexpr std::size_t kHarmonics = 8;
/// Number of an observation's values: the logarithmic grey value, then harmonics of the normal and
/// of the mirrored direction.
constexpr std::size_t kColumns = 1 + 2 * kHarmonics;

/// One point of the surface in one photograph.
struct Observation {
    std::uint32_t point;
    std::uint32_t view;
    std::array<double, kColumns> values;
};

std::array<double, kHarmonics> harmonics(glm::dvec3 d) {
    return {
        d.x, d.y, d.z, d.x * d.y, d.x * d.z, d.y * d.z, d.x * d.x - d.y * d.y, 3 * d.z * d.z - 1};
}

/// Mean of 3×3 pixels; −1 if one of these pixels lies outside the object or the picture.
double greyAround(const StereoView& view, const ViewPixel& at) {
    if (at.column < 1 || at.row < 1 || at.column + 1 >= view.side || at.row + 1 >= view.side)
        return -1;
    double sum = 0;
    for (int y = at.row - 1; y <= at.row + 1; ++y)
        for (int x = at.column - 1; x <= at.column + 1; ++x) {
            if (view.mask[view.pixelIndex(x, y)] == 0) return -1;
            sum += view.grey[view.pixelIndex(x, y)];
        }
    return sum / 9;
}

std::vector<Observation> observationsOf(std::span<const StereoView> views,
                                        std::span<const DepthMap> maps, const Mesh& surface) {
    // Minimum cosine between normal and viewing direction.
    constexpr double kFacing = 0.35;
    // Fraction of the object's diagonal: a point whose depth differs by more from the searched
    // surface is hidden.
    constexpr double kMaxDifference = 0.01;
    // Grey levels added before the logarithm, so that noise in dark pixels does not count as
    // change.
    constexpr double kDark = 8;
    const Box3f bounds = boundsOf(surface.vertices);
    const double maxDifference = kMaxDifference * glm::length(glm::dvec3(bounds.max - bounds.min));
    std::vector<glm::dvec3> normals(surface.vertices.size());
    for (const glm::u32vec3& face : surface.faces) {
        const glm::dvec3 normal = doubledAreaNormal(surface.vertices, face);
        for (int corner = 0; corner < 3; ++corner) normals[face[corner]] += normal;
    }
    std::vector<Observation> observations;
    const std::size_t stride = 1 + (surface.vertices.size() - 1) / kMaxPoints;
    for (std::size_t i = 0; i < surface.vertices.size(); i += stride) {
        const double length = glm::length(normals[i]);
        if (!(length > 0)) continue;
        const glm::dvec3 normal = normals[i] / length;
        const glm::dvec3 point(surface.vertices[i]);
        for (std::size_t j = 0; j < views.size(); ++j) {
            const StereoView& view = views[j];
            const glm::dvec3 toCamera = glm::normalize(view.camera.centre - point);
            const double facing = glm::dot(toCamera, normal);
            if (facing < kFacing) continue;
            const std::optional<ViewPixel> pixel = view.pixelAt(point);
            if (!pixel) continue;
            const double grey = greyAround(view, *pixel);
            if (grey < 0 || std::abs(maps[j].searchDepth[view.pixelIndex(*pixel)] - pixel->depth) >
                                maxDifference)
                continue;
            const glm::dvec3 mirrored = 2 * facing * normal - toCamera;
            Observation observation{
                static_cast<std::uint32_t>(i / stride), static_cast<std::uint32_t>(j), {}};
            observation.values[0] = std::log(grey + kDark);
            std::ranges::copy(harmonics(view.camera.rotation * normal), &observation.values[1]);
            std::ranges::copy(harmonics(view.camera.rotation * mirrored),
                              &observation.values[1 + kHarmonics]);
            observations.push_back(observation);
        }
    }
    return observations;
}

/// Subtracts the means of each point and of each view from the columns, alternating.
void subtractMeans(std::vector<Observation>& observations, std::size_t views) {
    constexpr int kIterations = 15;
    struct Mean {
        std::array<double, kColumns> sum{};
        double count = 0;
    };
    std::vector<Mean> means;
    const auto subtractMeansOf = [&](std::uint32_t Observation::*group, std::size_t groups) {
        means.assign(groups, {});
        for (const Observation& observation : observations) {
            Mean& mean = means[observation.*group];
            ++mean.count;
            for (std::size_t k = 0; k < kColumns; ++k) mean.sum[k] += observation.values[k];
        }
        for (Observation& observation : observations) {
            const Mean& mean = means[observation.*group];
            for (std::size_t k = 0; k < kColumns; ++k)
                observation.values[k] -= mean.sum[k] / mean.count;
        }
    };
    const std::size_t points = observations.back().point + 1;
    for (int iteration = 0; iteration < kIterations; ++iteration) {
        subtractMeansOf(&Observation::point, points);
        subtractMeansOf(&Observation::view, views);
    }
}

/// Clamps changes of brightness to 3.75 deviations: larger ones come from wrong shape and hidden
/// points.
void clampOutliers(std::vector<Observation>& observations) {
    constexpr double kMaxDeviations = 3.75;
    // Standard deviation of a normal distribution ÷ median of its absolute values.
    constexpr double kDeviation = 1.4826;
    std::vector<double> sizes;
    sizes.reserve(observations.size());
    for (const Observation& observation : observations)
        sizes.push_back(std::abs(observation.values[0]));
    const double limit = kMaxDeviations * kDeviation * upperMedian(std::move(sizes));
    for (Observation& observation : observations)
        observation.values[0] = std::clamp(observation.values[0], -limit, limit);
}

/// Fraction of column 0's squares that the other columns explain.
double explainedFraction(std::span<const Observation> observations) {
    constexpr int n = int{kColumns} - 1;
    constexpr double kRidge = 1e-6;
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(n, n);
    Eigen::VectorXd rightSide = Eigen::VectorXd::Zero(n);
    double total = 0;
    for (const Observation& observation : observations) {
        const Eigen::Map<const Eigen::Vector<double, n>> x(&observation.values[1]);
        const double y = observation.values[0];
        total += y * y;
        rightSide += x * y;
        matrix += x * x.transpose();
    }
    matrix.diagonal().array() += kRidge * static_cast<double>(observations.size());
    const std::optional<Eigen::VectorXd> factors = solvePositiveDefinite(matrix, rightSide);
    if (!(total > 0) || !factors) return 1;
    return std::clamp(factors->dot(rightSide) / total, 0.0, 1.0);
}

}  // namespace

double viewDependence(std::span<const StereoView> views, std::span<const DepthMap> maps,
                      const Mesh& surface) {
    if (surface.vertices.empty()) return 1;
    std::vector<Observation> observations = observationsOf(views, maps, surface);
    if (observations.size() < kMinObservations) return 1;
    subtractMeans(observations, views.size());
    clampOutliers(observations);
    subtractMeans(observations, views.size());
    return explainedFraction(observations);
}

}  // namespace threefold::stereo
