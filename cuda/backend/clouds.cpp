#include "cuda/backend/clouds.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cuda/backend/arena.h"
#include "cuda/kernels/approxmatch.h"
#include "cuda/kernels/nn_distance.h"
#include "cuda/runtime/check.h"
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
        places_ = {plan_.add(first_.points.size() * sizeof(glm::vec3)),
                   plan_.add(second_.points.size() * sizeof(glm::vec3)),
                   plan_.add(first_.start.size() * sizeof(std::uint32_t)),
                   plan_.add(second_.start.size() * sizeof(std::uint32_t))};
    }

    std::size_t reserve(std::size_t bytes) { return plan_.add(bytes); }

    void upload(MemoryPool& pool, cudaStream_t stream) {
        memory_ = pool.allocate(plan_.bytes(), stream);
        toDevice(at(places_[0]), first_.points, stream);
        toDevice(at(places_[1]), second_.points, stream);
        toDevice(at(places_[2]), first_.start, stream);
        toDevice(at(places_[3]), second_.start, stream);
        batch_.first = reinterpret_cast<const float*>(at(places_[0]));
        batch_.second = reinterpret_cast<const float*>(at(places_[1]));
        batch_.firstStart = reinterpret_cast<const std::uint32_t*>(at(places_[2]));
        batch_.secondStart = reinterpret_cast<const std::uint32_t*>(at(places_[3]));
    }

    std::byte* at(std::size_t offset) const { return memory_.data() + offset; }
    const CloudBatch& batch() const { return batch_; }
    const Packed& first() const { return first_; }
    const Packed& second() const { return second_; }

  private:
    Packed first_;
    Packed second_;
    CloudBatch batch_;
    ArenaPlan plan_;
    std::array<std::size_t, 4> places_{};
    PooledMemory memory_;
};

void requireComparable(const CloudPair& pair) {
    if (pair.first.empty() != pair.second.empty()) {
        throw InputError({"nearest neighbours", "", "there is no point to be near to",
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

CloudServices::CloudServices(const DeviceLimits& limits, MemoryPool& memory, cudaStream_t stream)
    : limits_(limits),
      memory_(&memory),
      stream_(stream),
      begin_(makeEvent(true)),
      end_(makeEvent(true)) {}

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

    CUDA_CHECK(cudaEventRecord(begin_.get(), stream_));
    launchNearest(stream_, limits_, clouds.batch(),
                  {reinterpret_cast<float*>(clouds.at(firstDistance)),
                   reinterpret_cast<std::uint32_t*>(clouds.at(firstIndex)),
                   reinterpret_cast<float*>(clouds.at(secondDistance)),
                   reinterpret_cast<std::uint32_t*>(clouds.at(secondIndex))},
                  clouds.at(workspace));
    CUDA_CHECK(cudaEventRecord(end_.get(), stream_));
    const auto distance1 = toHost<float>(clouds.at(firstDistance), n, stream_);
    const auto index1 = toHost<std::uint32_t>(clouds.at(firstIndex), n, stream_);
    const auto distance2 = toHost<float>(clouds.at(secondDistance), m, stream_);
    const auto index2 = toHost<std::uint32_t>(clouds.at(secondIndex), m, stream_);
    CUDA_CHECK(cudaStreamSynchronize(stream_));

    float milliseconds = 0;
    CUDA_CHECK(cudaEventElapsedTime(&milliseconds, begin_.get(), end_.get()));
    result.milliseconds = milliseconds;
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

    CUDA_CHECK(cudaEventRecord(begin_.get(), stream_));
    launchMatching(stream_, clouds.batch(), schedule,
                   reinterpret_cast<Matching*>(clouds.at(matchings)), clouds.at(workspace));
    CUDA_CHECK(cudaEventRecord(end_.get(), stream_));
    std::vector<Matching> found = toHost<Matching>(clouds.at(matchings), pairs.size(), stream_);
    CUDA_CHECK(cudaStreamSynchronize(stream_));
    float elapsed = 0;
    CUDA_CHECK(cudaEventElapsedTime(&elapsed, begin_.get(), end_.get()));
    milliseconds += elapsed;
    return found;
}

}  // namespace threefold::cuda
