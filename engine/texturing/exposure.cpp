#include "engine/texturing/exposure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/exponential.hpp>

#include "engine/compute/parallel.h"
#include "engine/error.h"
#include "engine/numerics/least_squares.h"
#include "engine/order_statistics.h"
#include "engine/texturing/mesh_visibility.h"

// For each channel, view i shows a patch of colour x as a_i x + b_i; a, b and x are fitted by least
// squares with Huber's weights (gains between photographs: Brown & Lowe 2007, section 6; with
// offsets: Kim & Pollefeys 2008). The correction's gain is 1 / a_i, its offset −b_i / a_i; a is
// within 0.4 to 2.5, b within −40 to 40. Pixels near 0 and 255 do not count.
namespace threefold {
namespace texturing {
namespace {

/// Mean colour of a patch in one view.
struct PatchColour {
    std::uint32_t view;
    glm::vec3 colour;
};
using Patch = std::vector<PatchColour>;

/// A sample point on the surface, and its patch.
struct SurfacePoint {
    std::size_t face;
    glm::dvec3 point;
    std::uint64_t patch;
};

/// Patches are cells of space, separate for each octant of the surface normal. They are a few
/// pixels wide, so that texture that is shifted by a pixel, by errors of cameras or shape, does not
/// count as noise.
constexpr double kPatchSize = 0.02;  // object units

std::uint64_t patchOf(glm::dvec3 point, glm::vec3 normal) {
    constexpr std::int64_t kCentreCell = 1 << 19;
    std::uint64_t key = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const auto cell = static_cast<std::int64_t>(std::floor(point[axis] / kPatchSize));
        key = key << 20U | static_cast<std::uint64_t>(std::clamp<std::int64_t>(
                               cell + kCentreCell, 0, 2 * kCentreCell - 1));
    }
    for (int axis = 0; axis < 3; ++axis) key = key << 1U | (normal[axis] < 0 ? 1U : 0U);
    return key;
}

/// Samples points evenly over the faces, sorted by patch.
std::vector<SurfacePoint> samplePoints(const Mesh& mesh, std::size_t views) {
    constexpr std::size_t kMaxSamples = 3'000'000;
    constexpr std::size_t kMaxPoints = 20'000;
    constexpr std::size_t kMaxOnFace = 16;
    // The plastic number's powers spread points evenly over a square (Roberts 2018).
    constexpr double kAcross = 0.7548776662466927;
    constexpr double kUp = 0.5698402909980532;
    const std::size_t maxCount = std::min(kMaxPoints, kMaxSamples / views);
    const std::size_t step = mesh.faces.size() / maxCount + 1;
    const std::size_t onFace = std::clamp<std::size_t>(maxCount / mesh.faces.size(), 1, kMaxOnFace);
    std::vector<SurfacePoint> points;
    for (std::size_t face = 0; face < mesh.faces.size(); face += step) {
        const glm::u32vec3 corners = mesh.faces[face];
        const glm::vec3 normal = doubledAreaNormal(mesh.vertices, corners);
        for (std::size_t i = 0; i < onFace; ++i) {
            double u = std::fmod(1.0 / 3 + static_cast<double>(i) * kAcross, 1.0);
            double v = std::fmod(1.0 / 3 + static_cast<double>(i) * kUp, 1.0);
            if (u + v > 1) {
                u = 1 - u;
                v = 1 - v;
            }
            const glm::dvec3 point = (1 - u - v) * glm::dvec3(mesh.vertices[corners.x]) +
                                     u * glm::dvec3(mesh.vertices[corners.y]) +
                                     v * glm::dvec3(mesh.vertices[corners.z]);
            points.push_back({face, point, patchOf(point, normal)});
        }
    }
    std::ranges::stable_sort(points, {}, &SurfacePoint::patch);
    return points;
}

bool saturated(glm::vec3 colour) {
    constexpr float kDark = 2;
    constexpr float kBright = 253;
    return std::min({colour.x, colour.y, colour.z}) < kDark ||
           std::max({colour.x, colour.y, colour.z}) > kBright;
}

/// Colours of each point in each view, one row of views for each point; nullopt where a view does
/// not show the point well, or a channel is near 0 or 255.
std::vector<std::optional<glm::vec3>> coloursOf(std::span<const SurfacePoint> points,
                                                std::span<const MeshVisibility> views, int threads,
                                                const std::stop_token& cancel) {
    // Minimum fraction of a face's largest area in any view; below it, the view is too slanted.
    constexpr float kMinAreaFraction = 0.3F;
    std::vector<float> scales;
    for (const MeshVisibility& view : views)
        scales.push_back(static_cast<float>(1 / (view.pixelsPerUnit() * view.pixelsPerUnit())));
    std::vector<std::optional<glm::vec3>> colours(points.size() * views.size());
    parallelFor(threads, points.size(), cancel, [&](std::size_t index, std::size_t) {
        const std::size_t face = points[index].face;
        float largest = 0;
        for (std::size_t i = 0; i < views.size(); ++i)
            largest = std::max(largest, scales[i] * views[i].areas()[face]);
        for (std::size_t i = 0; i < views.size(); ++i) {
            const float area = scales[i] * views[i].areas()[face];
            if (area == 0 || area < kMinAreaFraction * largest) continue;
            glm::vec3 colour(0.0F);
            if (views[i].sampleColour(points[index].point, colour) == Visibility::visible &&
                !saturated(colour))
                colours[index * views.size() + i] = colour;
        }
    });
    return colours;
}

/// Patches that two views or more show nearly whole, with colours over their common points.
std::vector<Patch> sharedPatches(const Mesh& mesh, std::span<const MeshVisibility> views,
                                 int threads, const std::stop_token& cancel) {
    constexpr double kWhole = 0.8;
    constexpr double kCommon = 0.5;
    const std::vector<SurfacePoint> points = samplePoints(mesh, views.size());
    const auto colours = coloursOf(points, views, threads, cancel);
    std::vector<Patch> patches;
    for (std::size_t begin = 0, end = 0; begin < points.size(); begin = end) {
        while (end < points.size() && points[end].patch == points[begin].patch) ++end;
        const auto size = static_cast<double>(end - begin);
        Patch patch;
        for (std::uint32_t view = 0; view < views.size(); ++view) {
            std::size_t count = 0;
            for (std::size_t i = begin; i < end; ++i)
                count += colours[i * views.size() + view].has_value() ? 1 : 0;
            if (static_cast<double>(count) >= kWhole * size)
                patch.push_back({view, glm::vec3(0.0F)});
        }
        if (patch.size() < 2) continue;
        std::size_t common = 0;
        for (std::size_t i = begin; i < end; ++i) {
            const auto* row = &colours[i * views.size()];
            if (!std::ranges::all_of(
                    patch, [&](const PatchColour& own) { return row[own.view].has_value(); }))
                continue;
            for (PatchColour& own : patch) own.colour += *row[own.view];
            ++common;
        }
        if (common == 0 || static_cast<double>(common) < kCommon * size) continue;
        for (PatchColour& own : patch) own.colour /= static_cast<float>(common);
        patches.push_back(std::move(patch));
    }
    return patches;
}

/// Groups of views that share enough patches, directly or through others; single views are left
/// out.
std::vector<std::vector<std::uint32_t>> groupsOf(std::span<const Patch> patches,
                                                 std::size_t views) {
    constexpr int kMinShared = 12;
    std::vector<int> shared(views * views);
    for (const Patch& patch : patches)
        for (const PatchColour& one : patch)
            for (const PatchColour& other : patch) ++shared[one.view * views + other.view];
    std::vector<bool> grouped(views);
    std::vector<std::vector<std::uint32_t>> groups;
    for (std::uint32_t first = 0; first < views; ++first) {
        if (grouped[first]) continue;
        grouped[first] = true;
        std::vector<std::uint32_t> group = {first};
        for (std::size_t next = 0; next < group.size(); ++next)
            for (std::uint32_t other = 0; other < views; ++other) {
                if (grouped[other] || shared[group[next] * views + other] < kMinShared) continue;
                grouped[other] = true;
                group.push_back(other);
            }
        if (group.size() > 1) groups.push_back(std::move(group));
    }
    return groups;
}

/// One channel, in which view i shows patch p as gain[i] · x[p] + offset[i].
class ChannelExposure {
  public:
    struct Sample {
        std::uint32_t view;
        double value;
        double weight = 1;
    };

    ChannelExposure(std::vector<std::vector<Sample>> patches, std::size_t views)
        : patches_(std::move(patches)),
          colours_(patches_.size()),
          gains_(views, 1.0),
          offsets_(views),
          counts_(views) {
        for (const auto& patch : patches_)
            for (const Sample& sample : patch) ++counts_[sample.view];
        findColours();
    }

    /// Fits gains and offsets by Gauss-Newton steps with the patches' colours eliminated. Throws
    /// Cancelled.
    void fit(const std::stop_token& cancel) {
        constexpr int kSteps = 20;
        constexpr double kTolerance = 1e-5;
        for (int step = 0; step < kSteps; ++step) {
            if (cancel.stop_requested()) throw Cancelled();
            const double scale = updateWeights();
            findColours();
            if (takeStep(scale) < kTolerance) break;
        }
        findColours();
    }

    /// Sum of absolute residuals.
    double absoluteResiduals() const {
        double sum = 0;
        for (std::size_t p = 0; p < patches_.size(); ++p)
            for (const Sample& sample : patches_[p]) sum += std::abs(residual(p, sample));
        return sum;
    }

    double gain(std::size_t view) const { return gains_[view]; }
    double offset(std::size_t view) const { return offsets_[view]; }

  private:
    double residual(std::size_t patch, const Sample& sample) const {
        return sample.value - gains_[sample.view] * colours_[patch] - offsets_[sample.view];
    }

    void findColours() {
        for (std::size_t p = 0; p < patches_.size(); ++p) {
            double sum = 0;
            double weights = 0;
            for (const Sample& sample : patches_[p]) {
                const double gain = gains_[sample.view];
                sum += sample.weight * gain * (sample.value - offsets_[sample.view]);
                weights += sample.weight * gain * gain;
            }
            colours_[p] = sum / weights;
        }
    }

    /// Updates Huber's weights; returns the deviation of the residuals, estimated by their median.
    double updateWeights() {
        constexpr double kHuber = 1.345;  // 95 % efficient where noise is normal
        constexpr double kMinDeviation = 1;
        std::vector<double> sizes;
        for (std::size_t p = 0; p < patches_.size(); ++p)
            for (const Sample& sample : patches_[p]) sizes.push_back(std::abs(residual(p, sample)));
        const double deviation = std::max(kMinDeviation, 1.4826 * upperMedian(std::move(sizes)));
        for (std::size_t p = 0; p < patches_.size(); ++p)
            for (Sample& sample : patches_[p])
                sample.weight = std::min(
                    1.0, kHuber * deviation / std::max(1e-9, std::abs(residual(p, sample))));
        return deviation;
    }

    /// Takes one step; returns the largest change of a gain, or of an offset as a fraction of 255.
    double takeStep(double deviation) {
        // Prior deviations of a camera's gain and offset, which decide where the two cannot be told
        // apart. As the noise of patches is correlated, all patches of a view together weigh as
        // much as kIndependent patches with independent noise.
        constexpr double kIndependent = 50;
        constexpr double kGainDeviation = 0.5;
        constexpr double kOffsetDeviation = 5;
        const auto size = static_cast<Eigen::Index>(2 * gains_.size());
        Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(size, size);
        Eigen::VectorXd rightSide = Eigen::VectorXd::Zero(size);
        for (std::size_t i = 0; i < gains_.size(); ++i) {
            const double variance =
                deviation * deviation * std::max(1.0, counts_[i] / kIndependent);
            const double gain = variance / (kGainDeviation * kGainDeviation);
            const double offset = variance / (kOffsetDeviation * kOffsetDeviation);
            const auto row = static_cast<Eigen::Index>(2 * i);
            matrix(row, row) = gain;
            matrix(row + 1, row + 1) = offset;
            rightSide[row] = gain * (1 - gains_[i]);
            rightSide[row + 1] = -offset * offsets_[i];
        }
        for (std::size_t p = 0; p < patches_.size(); ++p) addPatch(p, matrix, rightSide);
        const std::optional<Eigen::VectorXd> step = solvePositiveDefinite(matrix, rightSide);
        if (!step) return 0;
        constexpr double kMaxGain = 2.5;
        constexpr double kMaxOffset = 40;
        double change = 0;
        for (std::size_t i = 0; i < gains_.size(); ++i) {
            const auto row = static_cast<Eigen::Index>(2 * i);
            const double gain = std::clamp(gains_[i] + (*step)[row], 1 / kMaxGain, kMaxGain);
            const double offset =
                std::clamp(offsets_[i] + (*step)[row + 1], -kMaxOffset, kMaxOffset);
            change = std::max(
                {change, std::abs(gain - gains_[i]), std::abs(offset - offsets_[i]) / 255});
            gains_[i] = gain;
            offsets_[i] = offset;
        }
        return change;
    }

    void addPatch(std::size_t p, Eigen::MatrixXd& matrix, Eigen::VectorXd& rightSide) const {
        const double x = colours_[p];
        double curvature = 0;  // second derivative with respect to the patch's colour
        for (const Sample& sample : patches_[p])
            curvature += sample.weight * gains_[sample.view] * gains_[sample.view];
        for (const Sample& one : patches_[p]) {
            const auto row = static_cast<Eigen::Index>(2 * one.view);
            const double pull = one.weight * residual(p, one);
            rightSide[row] += pull * x;
            rightSide[row + 1] += pull;
            for (const Sample& other : patches_[p]) {
                const auto column = static_cast<Eigen::Index>(2 * other.view);
                double factor =
                    -one.weight * gains_[one.view] * other.weight * gains_[other.view] / curvature;
                if (one.view == other.view) factor += one.weight;
                matrix(row, column) += factor * x * x;
                matrix(row, column + 1) += factor * x;
                matrix(row + 1, column) += factor * x;
                matrix(row + 1, column + 1) += factor;
            }
        }
    }

    std::vector<std::vector<Sample>> patches_;
    std::vector<double> colours_;
    std::vector<double> gains_;
    std::vector<double> offsets_;
    std::vector<double> counts_;  // number of patches of each view
};

ChannelExposure channelOf(std::span<const Patch> patches, std::span<const std::uint32_t> group,
                          std::size_t views, int channel) {
    std::vector<std::uint32_t> index(views, UINT32_MAX);
    for (std::uint32_t i = 0; i < group.size(); ++i) index[group[i]] = i;
    std::vector<std::vector<ChannelExposure::Sample>> samples;
    for (const Patch& patch : patches) {
        std::vector<ChannelExposure::Sample> patchSamples;
        for (const PatchColour& shown : patch)
            if (index[shown.view] != UINT32_MAX)
                patchSamples.push_back({index[shown.view], double{shown.colour[channel]}});
        if (patchSamples.size() > 1) samples.push_back(std::move(patchSamples));
    }
    return {std::move(samples), group.size()};
}

/// Normalises gains to the geometric mean 1 and offsets to the mean 0.
void normalise(std::span<ExposureCorrection> exposures) {
    const auto count = static_cast<float>(exposures.size());
    glm::vec3 meanLogGain(0.0F);
    for (const ExposureCorrection& exposure : exposures)
        meanLogGain += glm::log(exposure.gain) / count;
    glm::vec3 meanOffset(0.0F);
    for (ExposureCorrection& exposure : exposures) {
        exposure.gain *= glm::exp(-meanLogGain);
        exposure.offset *= glm::exp(-meanLogGain);
        meanOffset += exposure.offset / count;
    }
    for (ExposureCorrection& exposure : exposures) exposure.offset -= meanOffset;
}

}  // namespace

std::vector<ExposureCorrection> estimateExposures(const Mesh& mesh,
                                                  std::span<const MeshVisibility> views,
                                                  int threads, const std::stop_token& cancel) {
    // Fraction of the residuals that remains after the correction. Above it, differences come from
    // light and noise, not from exposure.
    constexpr double kMaxResidualFraction = 0.8;
    std::vector<ExposureCorrection> exposures(views.size());
    if (views.size() < 2) return exposures;
    const std::vector<Patch> patches = sharedPatches(mesh, views, threads, cancel);
    for (const std::vector<std::uint32_t>& group : groupsOf(patches, views.size())) {
        std::vector<ExposureCorrection> corrections(group.size());
        double before = 0;
        double after = 0;
        for (int channel = 0; channel < 3; ++channel) {
            ChannelExposure fitted = channelOf(patches, group, views.size(), channel);
            before += fitted.absoluteResiduals();
            fitted.fit(cancel);
            after += fitted.absoluteResiduals();
            for (std::size_t i = 0; i < group.size(); ++i) {
                corrections[i].gain[channel] = static_cast<float>(1 / fitted.gain(i));
                corrections[i].offset[channel] =
                    static_cast<float>(-fitted.offset(i) / fitted.gain(i));
            }
        }
        if (after > kMaxResidualFraction * before) continue;
        normalise(corrections);
        for (std::size_t i = 0; i < group.size(); ++i) exposures[group[i]] = corrections[i];
    }
    return exposures;
}

}  // namespace texturing

std::string exposureNote(std::span<const ExposureCorrection> exposures) {
    constexpr float kReported = 0.02F;
    struct Range {
        float min, max;
        void add(const glm::vec3& values) {
            min = std::min({min, values.x, values.y, values.z});
            max = std::max({max, values.x, values.y, values.z});
        }
        bool isNear(float value, float distance) const {
            return min > value - distance && max < value + distance;
        }
    };
    Range gains{1, 1};
    Range offsets{0, 0};
    for (const ExposureCorrection& exposure : exposures) {
        gains.add(exposure.gain);
        offsets.add(exposure.offset);
    }
    const bool sameOffsets = offsets.isNear(0, kReported * 255);
    if (gains.isNear(1, kReported) && sameOffsets) return {};
    std::string text = fmt::format("exposure evened: gains {:.2f} to {:.2f}", gains.min, gains.max);
    if (!sameOffsets) text += fmt::format(", offsets {:.0f} to {:.0f}", offsets.min, offsets.max);
    return text;
}

}  // namespace threefold
