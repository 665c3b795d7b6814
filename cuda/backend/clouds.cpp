#include "cuda/backend/clouds.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include <fmt/format.h>

#include "cuda/kernels/approxmatch.h"
#include "cuda/kernels/nn_distance.h"
#include "cuda/library/timing.h"
#include "cuda/runtime/check.h"
#include "cuda/runtime/partition.h"
#include "engine/error.h"

namespace threefold::cuda {
namespace {

/// The clouds of one side of all pairs, one behind the other.
struct Packed {
    std::vector<glm::vec3> points;
    std::vector<std::uint32_t> start = {0};
    std::uint32_t largest = 0;

    void add(std::span<const glm::vec3> cloud) {
        points.insert(points.end(), cloud.begin(), cloud.end());
        if (points.size() > std::numeric_limits<int>::max() / 3) {
            throw InputError({"clouds", "", fmt::format("more than {} points", points.size()),
                              "Give fewer pairs at once."});
        }
        start.push_back(static_cast<std::uint32_t>(points.size()));
        largest = std::max(largest, static_cast<std::uint32_t>(cloud.size()));
    }
};

template <class T>
void toDevice(std::byte* to, const std::vector<T>& from, cudaStream_t stream) {
    if (from.empty()) return;
    CUDA_CHECK(
        cudaMemcpyAsync(to, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice, stream));
}

template <class T>
std::vector<T> toHost(const std::byte* from, std::size_t count, cudaStream_t stream) {
    std::vector<T> values(count);
    if (count > 0) {
        CUDA_CHECK(cudaMemcpyAsync(values.data(), from, count * sizeof(T), cudaMemcpyDeviceToHost,
                                   stream));
    }
    return values;
}

/// Both sides of a batch in device memory, with room for what a service works in and gives.
class DeviceClouds {
  public:
    explicit DeviceClouds(std::span<const CloudPair> pairs) {
        for (const CloudPair& pair : pairs) {
            first_.add(pair.first);
            second_.add(pair.second);
        }
        batch_.pairs = static_cast<int>(pairs.size());
        batch_.firstPoints = first_.start.back();
        batch_.secondPoints = second_.start.back();
        batch_.largestFirst = first_.largest;
        batch_.largestSecond = second_.largest;
        places_ = {plan_.reserve(first_.points.size() * sizeof(glm::vec3)),
                   plan_.reserve(second_.points.size() * sizeof(glm::vec3)),
                   plan_.reserve(first_.start.size() * sizeof(std::uint32_t)),
                   plan_.reserve(second_.start.size() * sizeof(std::uint32_t))};
    }

    std::size_t reserve(std::size_t bytes) { return plan_.reserve(bytes); }

    void upload(MemoryPool& pool, cudaStream_t stream) {
        memory_ = pool.allocate(plan_.bytes(), stream);
        toDevice(at(places_[0]), first_.points, stream);
        toDevice(at(places_[1]), second_.points, stream);
        toDevice(at(places_[2]), first_.start, stream);
        toDevice(at(places_[3]), second_.start, stream);
        batch_.first = at<float>(places_[0]);
        batch_.second = at<float>(places_[1]);
        batch_.firstStart = at<std::uint32_t>(places_[2]);
        batch_.secondStart = at<std::uint32_t>(places_[3]);
    }

    template <class T = std::byte>
    T* at(std::size_t offset) const {
        return reinterpret_cast<T*>(memory_.data() + offset);
    }
    const CloudBatch& batch() const { return batch_; }
    const Packed& first() const { return first_; }
    const Packed& second() const { return second_; }

  private:
    Packed first_;
    Packed second_;
    CloudBatch batch_;
    Partition plan_;
    std::array<std::size_t, 4> places_{};
    PooledMemory memory_;
};

void requireComparable(const CloudPair& pair) {
    if (pair.first.empty() != pair.second.empty()) {
        throw InputError({"nearest neighbours", "", "one of two clouds is empty",
                          "Give two clouds with at least one point each."});
    }
    for (const std::span<const glm::vec3> cloud : {pair.first, pair.second}) {
        for (std::size_t i = 0; i < cloud.size(); ++i) {
            const glm::vec3 p = cloud[i];
            if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z)) {
                throw InputError({"nearest neighbours", fmt::format("point {}", i),
                                  "a coordinate is not finite", ""});
            }
        }
    }
}

Nearest slice(const std::vector<float>& distance, const std::vector<std::uint32_t>& index,
              std::uint32_t begin, std::uint32_t end) {
    Nearest nearest;
    nearest.squaredDistance.assign(distance.begin() + begin, distance.begin() + end);
    nearest.index.assign(index.begin() + begin, index.begin() + end);
    return nearest;
}

void requireFound(const std::vector<std::uint32_t>& index) {
    if (std::find(index.begin(), index.end(), kNoPoint) != index.end()) {
        throw InputError({"nearest neighbours", "", "a squared distance exceeds float32",
                          "Scale the clouds down, or use --backend cpu."});
    }
}

}  // namespace

NearestBatch CloudServices::nearest(std::span<const CloudPair> pairs) {
    for (const CloudPair& pair : pairs) requireComparable(pair);
    NearestBatch result;
    DeviceClouds clouds(pairs);
    const std::size_t n = clouds.first().points.size();
    const std::size_t m = clouds.second().points.size();
    if (n == 0) {
        result.pairs.resize(pairs.size());
        return result;
    }
    const std::size_t workspaceBytes = nearestWorkspace(clouds.batch());
    const std::size_t workspace = clouds.reserve(workspaceBytes);
    const std::size_t firstDistance = clouds.reserve(n * sizeof(float));
    const std::size_t firstIndex = clouds.reserve(n * sizeof(std::uint32_t));
    const std::size_t secondDistance = clouds.reserve(m * sizeof(float));
    const std::size_t secondIndex = clouds.reserve(m * sizeof(std::uint32_t));
    clouds.upload(*memory_, stream_);
    if (workspaceBytes > 0) {
        CUDA_CHECK(cudaMemsetAsync(clouds.at(workspace), 0xFF, workspaceBytes, stream_));
    }

    const NearestOutput output{
        clouds.at<float>(firstDistance), clouds.at<std::uint32_t>(firstIndex),
        clouds.at<float>(secondDistance), clouds.at<std::uint32_t>(secondIndex)};
    result.milliseconds = library::elapsed(stream_, [&] {
        launchNearest(stream_, limits_, clouds.batch(), output, clouds.at(workspace));
    });
    const auto distance1 = toHost<float>(clouds.at(firstDistance), n, stream_);
    const auto index1 = toHost<std::uint32_t>(clouds.at(firstIndex), n, stream_);
    const auto distance2 = toHost<float>(clouds.at(secondDistance), m, stream_);
    const auto index2 = toHost<std::uint32_t>(clouds.at(secondIndex), m, stream_);
    CUDA_CHECK(cudaStreamSynchronize(stream_));

    requireFound(index1);
    requireFound(index2);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const auto& a = clouds.first().start;
        const auto& b = clouds.second().start;
        result.pairs.push_back(
            {slice(distance1, index1, a[i], a[i + 1]), slice(distance2, index2, b[i], b[i + 1])});
    }
    return result;
}

MatchingBatch CloudServices::match(std::span<const CloudPair> pairs,
                                   const MatchingSchedule& schedule) {
    requireMatchable(schedule);
    for (const CloudPair& pair : pairs) requireMatchable(pair);
    MatchingBatch result;
    if (pairs.empty()) return result;
    result.pairs = settledMatchings(
        pairs, schedule, [&](std::span<const CloudPair> some, const MatchingSchedule& with) {
            return matchOnce(some, with, result.milliseconds);
        });
    return result;
}

std::vector<Matching> CloudServices::matchOnce(std::span<const CloudPair> pairs,
                                               const MatchingSchedule& schedule,
                                               double& milliseconds) {
    DeviceClouds clouds(pairs);
    const std::size_t workspace = clouds.reserve(matchingWorkspace(clouds.batch()));
    const std::size_t matchings = clouds.reserve(pairs.size() * sizeof(Matching));
    clouds.upload(*memory_, stream_);

    milliseconds += library::elapsed(stream_, [&] {
        launchMatching(stream_, clouds.batch(), schedule, clouds.at<Matching>(matchings),
                       clouds.at(workspace));
    });
    std::vector<Matching> found = toHost<Matching>(clouds.at(matchings), pairs.size(), stream_);
    CUDA_CHECK(cudaStreamSynchronize(stream_));
    return found;
}

}  // namespace threefold::cuda
