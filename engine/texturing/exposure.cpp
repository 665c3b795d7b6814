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

#include "engine/compute/least_squares.h"
#include "engine/compute/parallel.h"
#include "engine/error.h"
#include "engine/texturing/texture_view.h"

namespace threefold {
namespace texturing {
namespace {

// A view's mean colour of a patch.
struct Shown {
    std::uint32_t view;
    glm::vec3 colour;
};
using Patch = std::vector<Shown>;

// A place on the surface, and the patch that it belongs to.
struct Probe {
    std::size_t face;
    glm::dvec3 point;
    std::uint64_t patch;
};

// Patches are a few pixels wide, so that texture which cameras or shape shift by a pixel does not
// count as noise: cells of space, apart by the octant that the surface looks into.
constexpr double kPatch = 0.02;  // object units

std::uint64_t patchOf(glm::dvec3 point, glm::vec3 normal) {
    constexpr std::int64_t kMiddle = 1 << 19;
    std::uint64_t key = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const auto cell = static_cast<std::int64_t>(std::floor(point[axis] / kPatch));
        key = key << 20U | static_cast<std::uint64_t>(
                               std::clamp<std::int64_t>(cell + kMiddle, 0, 2 * kMiddle - 1));
    }
    for (int axis = 0; axis < 3; ++axis) key = key << 1U | (normal[axis] < 0 ? 1U : 0U);
    return key;
}

// Evenly over the faces, in the order of their patches.
std::vector<Probe> probesOn(const Mesh& mesh, std::size_t views) {
    constexpr std::size_t kMostLooks = 3'000'000;
    constexpr std::size_t kMostProbes = 20'000;
    constexpr std::size_t kMostOnFace = 16;
    // The plastic number's powers spread points evenly over a square (Roberts 2018).
    constexpr double kAcross = 0.7548776662466927;
    constexpr double kUp = 0.5698402909980532;
    const std::size_t most = std::min(kMostProbes, kMostLooks / views);
    const std::size_t step = mesh.faces.size() / most + 1;
    const std::size_t onFace = std::clamp<std::size_t>(most / mesh.faces.size(), 1, kMostOnFace);
    std::vector<Probe> probes;
    for (std::size_t face = 0; face < mesh.faces.size(); face += step) {
        const glm::u32vec3 corners = mesh.faces[face];
        const glm::vec3 normal = areaNormal(mesh.vertices, corners);
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
            probes.push_back({face, point, patchOf(point, normal)});
        }
    }
    std::ranges::stable_sort(probes, {}, &Probe::patch);
    return probes;
}

bool saturated(glm::vec3 colour) {
    constexpr float kDark = 2;
    constexpr float kBright = 253;
    return std::min({colour.x, colour.y, colour.z}) < kDark ||
           std::max({colour.x, colour.y, colour.z}) > kBright;
}

// What the views show of each probe, one probe after another.
std::vector<std::optional<glm::vec3>> lookAt(std::span<const Probe> probes,
                                             std::span<const SeenMesh> views, int threads,
                                             const std::stop_token& cancel) {
    constexpr float kLeast = 0.3F;  // of a face's largest area, where the view is too slanted
    std::vector<float> scales;
    for (const SeenMesh& view : views)
        scales.push_back(static_cast<float>(1 / (view.pixels() * view.pixels())));
    std::vector<std::optional<glm::vec3>> shown(probes.size() * views.size());
    parallelFor(threads, probes.size(), cancel, [&](std::size_t probe, std::size_t) {
        const std::size_t face = probes[probe].face;
        float largest = 0;
        for (std::size_t i = 0; i < views.size(); ++i)
            largest = std::max(largest, scales[i] * views[i].areas()[face]);
        for (std::size_t i = 0; i < views.size(); ++i) {
            const float area = scales[i] * views[i].areas()[face];
            if (area == 0 || area < kLeast * largest) continue;
            glm::vec3 colour(0.0F);
            if (views[i].look(probes[probe].point, colour) == Sight::clear && !saturated(colour))
                shown[probe * views.size() + i] = colour;
        }
    });
    return shown;
}

// Patches that two views or more show nearly whole, each view by the same probes.
std::vector<Patch> sharedPatches(const Mesh& mesh, std::span<const SeenMesh> views, int threads,
                                 const std::stop_token& cancel) {
    constexpr double kWhole = 0.8;
    constexpr double kCommon = 0.5;
    const std::vector<Probe> probes = probesOn(mesh, views.size());
    const auto shown = lookAt(probes, views, threads, cancel);
    std::vector<Patch> patches;
    for (std::size_t begin = 0, end = 0; begin < probes.size(); begin = end) {
        while (end < probes.size() && probes[end].patch == probes[begin].patch) ++end;
        const auto size = static_cast<double>(end - begin);
        Patch patch;
        for (std::uint32_t view = 0; view < views.size(); ++view) {
            std::size_t count = 0;
            for (std::size_t i = begin; i < end; ++i)
                count += shown[i * views.size() + view].has_value() ? 1 : 0;
            if (static_cast<double>(count) >= kWhole * size)
                patch.push_back({view, glm::vec3(0.0F)});
        }
        if (patch.size() < 2) continue;
        std::size_t common = 0;
        for (std::size_t i = begin; i < end; ++i) {
            const auto* row = &shown[i * views.size()];
            if (!std::ranges::all_of(patch,
                                     [&](const Shown& each) { return row[each.view].has_value(); }))
                continue;
            for (Shown& each : patch) each.colour += *row[each.view];
            ++common;
        }
        if (common == 0 || static_cast<double>(common) < kCommon * size) continue;
        for (Shown& each : patch) each.colour /= static_cast<float>(common);
        patches.push_back(std::move(patch));
    }
    return patches;
}

// Views that share enough patches, directly or by others; views alone are left out.
std::vector<std::vector<std::uint32_t>> groupsOf(std::span<const Patch> patches,
                                                 std::size_t views) {
    constexpr int kFewestShared = 12;
    std::vector<int> shared(views * views);
    for (const Patch& patch : patches)
        for (const Shown& one : patch)
            for (const Shown& other : patch) ++shared[one.view * views + other.view];
    std::vector<bool> taken(views);
    std::vector<std::vector<std::uint32_t>> groups;
    for (std::uint32_t first = 0; first < views; ++first) {
        if (taken[first]) continue;
        taken[first] = true;
        std::vector<std::uint32_t> group = {first};
        for (std::size_t next = 0; next < group.size(); ++next)
            for (std::uint32_t other = 0; other < views; ++other) {
                if (taken[other] || shared[group[next] * views + other] < kFewestShared) continue;
                taken[other] = true;
                group.push_back(other);
            }
        if (group.size() > 1) groups.push_back(std::move(group));
    }
    return groups;
}

// One channel: view i shows patch p as gain[i] · x[p] + offset[i].
class Channel {
  public:
    struct Sample {
        std::uint32_t view;
        double value;
        double weight = 1;
    };

    Channel(std::vector<std::vector<Sample>> patches, std::size_t views)
        : patches_(std::move(patches)),
          colours_(patches_.size()),
          gains_(views, 1.0),
          offsets_(views),
          counts_(views) {
        for (const auto& patch : patches_)
            for (const Sample& sample : patch) ++counts_[sample.view];
        findColours();
    }

    /// Gauss and Newton's steps over gains and offsets, patches' colours eliminated. Throws
    /// Cancelled.
    void fit(const std::stop_token& cancel) {
        constexpr int kSteps = 20;
        constexpr double kEnough = 1e-5;
        for (int step = 0; step < kSteps; ++step) {
            if (cancel.stop_requested()) throw Cancelled();
            const double scale = weigh();
            findColours();
            if (improve(scale) < kEnough) break;
        }
        findColours();
    }

    /// Sum of absolute differences between what views show and what is expected.
    double error() const {
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

    // Huber's weights; gives the residuals' deviation, by their median.
    double weigh() {
        constexpr double kHuber = 1.345;  // 95 % efficient where noise is normal
        constexpr double kLeastDeviation = 1;
        std::vector<double> sizes;
        for (std::size_t p = 0; p < patches_.size(); ++p)
            for (const Sample& sample : patches_[p]) sizes.push_back(std::abs(residual(p, sample)));
        const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
        std::ranges::nth_element(sizes, middle);
        const double deviation = std::max(kLeastDeviation, 1.4826 * *middle);
        for (std::size_t p = 0; p < patches_.size(); ++p)
            for (Sample& sample : patches_[p])
                sample.weight = std::min(
                    1.0, kHuber * deviation / std::max(1e-9, std::abs(residual(p, sample))));
        return deviation;
    }

    // One step; gives the largest change of a gain, of an offset as a share of 255.
    double improve(double deviation) {
        // What a camera may differ by, against patches' noise, which is not independent: all of a
        // view's patches count as these. Decides where gain and offset cannot be told apart.
        constexpr double kIndependent = 50;
        constexpr double kGainDeviation = 0.5;
        constexpr double kOffsetDeviation = 5;
        const auto size = static_cast<Eigen::Index>(2 * gains_.size());
        Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(size, size);
        Eigen::VectorXd right = Eigen::VectorXd::Zero(size);
        for (std::size_t i = 0; i < gains_.size(); ++i) {
            const double all = deviation * deviation * std::max(1.0, counts_[i] / kIndependent);
            const double gain = all / (kGainDeviation * kGainDeviation);
            const double offset = all / (kOffsetDeviation * kOffsetDeviation);
            const auto row = static_cast<Eigen::Index>(2 * i);
            matrix(row, row) = gain;
            matrix(row + 1, row + 1) = offset;
            right[row] = gain * (1 - gains_[i]);
            right[row + 1] = -offset * offsets_[i];
        }
        for (std::size_t p = 0; p < patches_.size(); ++p) addPatch(p, matrix, right);
        const std::optional<Eigen::VectorXd> step = solveSymmetric(matrix, right);
        if (!step) return 0;
        constexpr double kMostGain = 2.5;
        constexpr double kMostOffset = 40;
        double change = 0;
        for (std::size_t i = 0; i < gains_.size(); ++i) {
            const auto row = static_cast<Eigen::Index>(2 * i);
            const double gain = std::clamp(gains_[i] + (*step)[row], 1 / kMostGain, kMostGain);
            const double offset =
                std::clamp(offsets_[i] + (*step)[row + 1], -kMostOffset, kMostOffset);
            change = std::max(
                {change, std::abs(gain - gains_[i]), std::abs(offset - offsets_[i]) / 255});
            gains_[i] = gain;
            offsets_[i] = offset;
        }
        return change;
    }

    void addPatch(std::size_t p, Eigen::MatrixXd& matrix, Eigen::VectorXd& right) const {
        const double x = colours_[p];
        double middle = 0;  // the second derivative by the patch's colour
        for (const Sample& sample : patches_[p])
            middle += sample.weight * gains_[sample.view] * gains_[sample.view];
        for (const Sample& one : patches_[p]) {
            const auto row = static_cast<Eigen::Index>(2 * one.view);
            const double pull = one.weight * residual(p, one);
            right[row] += pull * x;
            right[row + 1] += pull;
            for (const Sample& other : patches_[p]) {
                const auto column = static_cast<Eigen::Index>(2 * other.view);
                double factor =
                    -one.weight * gains_[one.view] * other.weight * gains_[other.view] / middle;
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
    std::vector<double> counts_;  // each view's patches
};

Channel channelOf(std::span<const Patch> patches, std::span<const std::uint32_t> group,
                  std::size_t views, int channel) {
    std::vector<std::uint32_t> place(views, UINT32_MAX);
    for (std::uint32_t i = 0; i < group.size(); ++i) place[group[i]] = i;
    std::vector<std::vector<Channel::Sample>> samples;
    for (const Patch& patch : patches) {
        std::vector<Channel::Sample> own;
        for (const Shown& each : patch)
            if (place[each.view] != UINT32_MAX)
                own.push_back({place[each.view], double{each.colour[channel]}});
        if (own.size() > 1) samples.push_back(std::move(own));
    }
    return {std::move(samples), group.size()};
}

// Gains of geometric mean 1, offsets of mean 0.
void anchor(std::span<Exposure> exposures) {
    const auto count = static_cast<float>(exposures.size());
    glm::vec3 gain(0.0F);
    for (const Exposure& each : exposures) gain += glm::log(each.gain) / count;
    glm::vec3 offset(0.0F);
    for (Exposure& each : exposures) {
        each.gain *= glm::exp(-gain);
        each.offset *= glm::exp(-gain);
        offset += each.offset / count;
    }
    for (Exposure& each : exposures) each.offset -= offset;
}

}  // namespace

std::vector<Exposure> evenExposures(const Mesh& mesh, std::span<const SeenMesh> views, int threads,
                                    const std::stop_token& cancel) {
    // Less is what light and noise leave between photographs of the same exposure.
    constexpr double kWorthwhile = 0.8;
    std::vector<Exposure> exposures(views.size());
    if (views.size() < 2) return exposures;
    const std::vector<Patch> patches = sharedPatches(mesh, views, threads, cancel);
    for (const std::vector<std::uint32_t>& group : groupsOf(patches, views.size())) {
        std::vector<Exposure> found(group.size());
        double before = 0;
        double after = 0;
        for (int channel = 0; channel < 3; ++channel) {
            Channel one = channelOf(patches, group, views.size(), channel);
            before += one.error();
            one.fit(cancel);
            after += one.error();
            for (std::size_t i = 0; i < group.size(); ++i) {
                found[i].gain[channel] = static_cast<float>(1 / one.gain(i));
                found[i].offset[channel] = static_cast<float>(-one.offset(i) / one.gain(i));
            }
        }
        if (after > kWorthwhile * before) continue;
        anchor(found);
        for (std::size_t i = 0; i < group.size(); ++i) exposures[group[i]] = found[i];
    }
    return exposures;
}

}  // namespace texturing

std::string exposureNote(std::span<const Exposure> exposures) {
    constexpr float kReported = 0.02F;
    float least = 1;
    float most = 1;
    for (const Exposure& each : exposures) {
        least = std::min({least, each.gain.x, each.gain.y, each.gain.z});
        most = std::max({most, each.gain.x, each.gain.y, each.gain.z});
    }
    if (least > 1 - kReported && most < 1 + kReported) return {};
    return fmt::format("exposure evened: gains {:.2f} to {:.2f}", least, most);
}

}  // namespace threefold
