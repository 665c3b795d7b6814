#include "engine/stereo/view_dependence.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <glm/geometric.hpp>

#include "engine/compute/least_squares.h"

namespace threefold::stereo {
namespace {

constexpr std::size_t kMostPoints = 4000;
constexpr std::size_t kFewestSamples = 500;

/// Harmonics of degrees 1 and 2, but for their factors.
constexpr std::size_t kHarmonics = 8;
/// The logarithmic grey value, then harmonics of the normal and of the mirrored direction.
constexpr std::size_t kColumns = 1 + 2 * kHarmonics;

/// One point of the surface in one photograph.
struct Sample {
    std::uint32_t point;
    std::uint32_t view;
    std::array<double, kColumns> values;
};

std::array<double, kHarmonics> harmonics(glm::dvec3 d) {
    return {
        d.x, d.y, d.z, d.x * d.y, d.x * d.z, d.y * d.z, d.x * d.x - d.y * d.y, 3 * d.z * d.z - 1};
}

/// The mean of 3×3 pixels, all in the object; below 0 where one is not.
double greyAround(const StereoView& view, int column, int row) {
    if (column < 1 || row < 1 || column + 1 >= view.side || row + 1 >= view.side) return -1;
    double sum = 0;
    for (int y = row - 1; y <= row + 1; ++y)
        for (int x = column - 1; x <= column + 1; ++x) {
            if (view.mask[view.pixel(x, y)] == 0) return -1;
            sum += view.grey[view.pixel(x, y)];
        }
    return sum / 9;
}

std::vector<Sample> samplesOf(std::span<const StereoView> views, std::span<const DepthMap> maps,
                              const Mesh& surface) {
    /// Cosine from which a surface is seen well.
    constexpr double kFacing = 0.35;
    /// Of the object's diagonal: a point this far behind the depth map is hidden.
    constexpr double kHidden = 0.01;
    /// Keeps noise in the dark from counting as change, in grey levels.
    constexpr double kDark = 8;
    const Bounds bounds(surface.vertices);
    const double hidden = kHidden * glm::length(glm::dvec3(bounds.high - bounds.low));
    std::vector<glm::dvec3> normals(surface.vertices.size());
    for (const glm::u32vec3& face : surface.faces) {
        const glm::dvec3 normal = areaNormal(surface.vertices, face);
        for (int corner = 0; corner < 3; ++corner) normals[face[corner]] += normal;
    }
    std::vector<Sample> samples;
    const std::size_t every = 1 + (surface.vertices.size() - 1) / kMostPoints;
    for (std::size_t i = 0; i < surface.vertices.size(); i += every) {
        const double length = glm::length(normals[i]);
        if (!(length > 0)) continue;
        const glm::dvec3 normal = normals[i] / length;
        const glm::dvec3 point(surface.vertices[i]);
        for (std::size_t j = 0; j < views.size(); ++j) {
            const StereoView& view = views[j];
            const glm::dvec3 toCamera = glm::normalize(view.camera.origin - point);
            const double facing = glm::dot(toCamera, normal);
            if (facing < kFacing) continue;
            const glm::dvec3 seen = view.projection.project(point);
            const auto column = static_cast<int>(std::lrint(seen.x));
            const auto row = static_cast<int>(std::lrint(seen.y));
            const double grey = greyAround(view, column, row);
            if (grey < 0 || std::abs(maps[j].base[view.pixel(column, row)] - seen.z) > hidden)
                continue;
            const glm::dvec3 mirrored = 2 * facing * normal - toCamera;
            Sample sample{static_cast<std::uint32_t>(i / every), static_cast<std::uint32_t>(j), {}};
            sample.values[0] = std::log(grey + kDark);
            std::ranges::copy(harmonics(view.camera.rotation * normal), &sample.values[1]);
            std::ranges::copy(harmonics(view.camera.rotation * mirrored),
                              &sample.values[1 + kHarmonics]);
            samples.push_back(sample);
        }
    }
    return samples;
}

/// Takes the means of each point and of each view out of the columns, by turns.
void centre(std::vector<Sample>& samples, std::size_t views) {
    constexpr int kTurns = 15;
    struct Mean {
        std::array<double, kColumns> sum{};
        double count = 0;
    };
    std::vector<Mean> means;
    const auto takeOut = [&](std::uint32_t Sample::*group, std::size_t groups) {
        means.assign(groups, {});
        for (const Sample& sample : samples) {
            Mean& mean = means[sample.*group];
            ++mean.count;
            for (std::size_t k = 0; k < kColumns; ++k) mean.sum[k] += sample.values[k];
        }
        for (Sample& sample : samples) {
            const Mean& mean = means[sample.*group];
            for (std::size_t k = 0; k < kColumns; ++k) sample.values[k] -= mean.sum[k] / mean.count;
        }
    };
    const std::size_t points = samples.back().point + 1;
    for (int turn = 0; turn < kTurns; ++turn) {
        takeOut(&Sample::point, points);
        takeOut(&Sample::view, views);
    }
}

/// Cuts changes of brightness beyond 3.75 deviations, which are wrong shape and hidden points.
void cutOutliers(std::vector<Sample>& samples) {
    constexpr double kCut = 3.75;
    constexpr double kDeviation = 1.4826;  // of a normal distribution, by its median
    std::vector<double> sizes;
    sizes.reserve(samples.size());
    for (const Sample& sample : samples) sizes.push_back(std::abs(sample.values[0]));
    const auto middle = sizes.begin() + std::ssize(sizes) / 2;
    std::ranges::nth_element(sizes, middle);
    const double most = kCut * kDeviation * *middle;
    for (Sample& sample : samples) sample.values[0] = std::clamp(sample.values[0], -most, most);
}

/// The share of column 0's squares that the other columns explain.
double explained(std::span<const Sample> samples) {
    constexpr int n = int{kColumns} - 1;
    constexpr double kRidge = 1e-6;
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(n, n);
    Eigen::VectorXd right = Eigen::VectorXd::Zero(n);
    double all = 0;
    for (const Sample& sample : samples) {
        const Eigen::Map<const Eigen::Vector<double, n>> x(&sample.values[1]);
        const double y = sample.values[0];
        all += y * y;
        right += x * y;
        matrix += x * x.transpose();
    }
    matrix.diagonal().array() += kRidge * static_cast<double>(samples.size());
    const std::optional<Eigen::VectorXd> factors = solveSymmetric(matrix, right);
    if (!(all > 0) || !factors) return 1;
    return std::clamp(factors->dot(right) / all, 0.0, 1.0);
}

}  // namespace

double viewDependence(std::span<const StereoView> views, std::span<const DepthMap> maps,
                      const Mesh& surface) {
    if (surface.vertices.empty()) return 1;
    std::vector<Sample> samples = samplesOf(views, maps, surface);
    if (samples.size() < kFewestSamples) return 1;
    centre(samples, views.size());
    cutOutliers(samples);
    centre(samples, views.size());
    return explained(samples);
}

}  // namespace threefold::stereo
