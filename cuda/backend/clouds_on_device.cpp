#include "cuda/backend/clouds_on_device.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdint>
#include <limits>

#include <fmt/format.h>

#include "cuda/kernels/nearest.h"
#include "cuda/kernels/sinkhorn.h"
#include "cuda/library/timing.h"
#include "cuda/runtime/check.h"
#include "cuda/runtime/memory_layout.h"
#include "engine/error.h"

namespace threefold::cuda {
namespace {

/// First or second clouds of all pairs, packed one after another.
struct PackedClouds {
    std::vector<glm::vec3> points;
    std::vector<std::uint32_t> start = {0};
    std::uint32_t largest = 0;

    void add(std::span<const glm::vec3> cloud) {
        points.insert(points.end(), cloud.begin(), cloud.end());
        constexpr std::size_t kMaxPoints = std::numeric_limits<int>::max() / 3;
        if (points.size() > kMaxPoints)
            throw InputError(
                {"clouds", "",
                 fmt::format("{} points, at most {} are possible", points.size(), kMaxPoints),
                 "Give fewer pairs at once."});
        start.push_back(static_cast<std::uint32_t>(points.size()));
        largest = std::max(largest, static_cast<std::uint32_t>(cloud.size()));
    }
};

template <class T>
std::vector<T> toHost(const T* source, std::size_t count, cudaStream_t stream) {
    std::vector<T> values(count);
    if (count > 0)
        CUDA_CHECK(cudaMemcpyAsync(values.data(), source, count * sizeof(T), cudaMemcpyDeviceToHost,
                                   stream));
    return values;
}

/// Both clouds of every pair of a batch.
struct Clouds {
    PackedClouds first;
    PackedClouds second;
    PackedCloudPairs batch;

    explicit Clouds(std::span<const CloudPair> pairs) {
        for (const CloudPair& pair : pairs) {
            first.add(pair.first);
            second.add(pair.second);
        }
        batch.pairs = static_cast<int>(pairs.size());
        batch.firstPointCount = first.start.back();
        batch.secondPointCount = second.start.back();
        batch.maxFirstCount = first.largest;
        batch.maxSecondCount = second.largest;
    }

    /// Takes device memory for the clouds and enqueues their upload.
    void layOut(MemoryLayout& parts, cudaStream_t stream) {
        const auto uploadArray = [&]<class T>(const std::vector<T>& values) {
            T* target = parts.add<T>(values.size());
            if (target != nullptr && !values.empty())
                CUDA_CHECK(cudaMemcpyAsync(target, values.data(), values.size() * sizeof(T),
                                           cudaMemcpyHostToDevice, stream));
            return target;
        };
        batch.first = reinterpret_cast<const float*>(uploadArray(first.points));
        batch.second = reinterpret_cast<const float*>(uploadArray(second.points));
        batch.firstOffsets = uploadArray(first.start);
        batch.secondOffsets = uploadArray(second.start);
    }
};

Neighbours slice(const std::vector<float>& distance, const std::vector<std::uint32_t>& index,
                 std::uint32_t begin, std::uint32_t end) {
    Neighbours nearest;
    nearest.squaredDistances.assign(distance.begin() + begin, distance.begin() + end);
    nearest.indices.assign(index.begin() + begin, index.begin() + end);
    return nearest;
}

void requireNeighbours(const std::vector<std::uint32_t>& index) {
    if (std::find(index.begin(), index.end(), kNoPoint) != index.end())
        throw InputError({"nearest neighbours", "", "a squared distance exceeds float32",
                          "Scale the clouds down, or use the processor (`backend=cpu`)."});
}

/// Runs steps 1 to 4 of METHOD.md §9; adds their device time to `milliseconds`.
std::vector<EarthMoversDistance> matchOnce(MemoryPool& pool, Stream stream,
                                           std::span<const CloudPair> pairs,
                                           const SinkhornSchedule& schedule, double& milliseconds) {
    Clouds clouds(pairs);
    std::byte* workspace = nullptr;
    EarthMoversDistance* matchings = nullptr;
    const PooledMemory memory = pool.allocateParts(stream, [&](MemoryLayout& parts) {
        clouds.layOut(parts, stream);
        workspace = parts.add<std::byte>(matchingWorkspaceBytes(clouds.batch));
        matchings = parts.add<EarthMoversDistance>(pairs.size());
    });
    milliseconds += library::elapsedMilliseconds(
        stream, [&] { launchMatching(stream, clouds.batch, schedule, matchings, workspace); });
    std::vector<EarthMoversDistance> results = toHost(matchings, pairs.size(), stream);
    CUDA_CHECK(cudaStreamSynchronize(stream));
    return results;
}

}  // namespace

NeighbourResults nearestOnDevice(const DeviceLimits& limits, MemoryPool& pool, Stream stream,
                                 std::span<const CloudPair> pairs) {
    for (const CloudPair& pair : pairs) requireComparable(pair);
    NeighbourResults result;
    Clouds clouds(pairs);
    const std::size_t n = clouds.first.points.size();
    const std::size_t m = clouds.second.points.size();
    if (n == 0) {
        result.pairs.resize(pairs.size());
        return result;
    }
    const std::size_t workspaceBytes = nearestWorkspaceBytes(clouds.batch);
    std::byte* workspace = nullptr;
    NearestOutput output;
    const PooledMemory memory = pool.allocateParts(stream, [&](MemoryLayout& parts) {
        clouds.layOut(parts, stream);
        workspace = parts.add<std::byte>(workspaceBytes);
        output = {parts.add<float>(n), parts.add<std::uint32_t>(n), parts.add<float>(m),
                  parts.add<std::uint32_t>(m)};
    });
    if (workspaceBytes > 0) CUDA_CHECK(cudaMemsetAsync(workspace, 0xFF, workspaceBytes, stream));

    result.milliseconds = library::elapsedMilliseconds(
        stream, [&] { launchNearest(stream, limits, clouds.batch, output, workspace); });
    const auto distance1 = toHost(output.firstDistance, n, stream);
    const auto index1 = toHost(output.firstIndex, n, stream);
    const auto distance2 = toHost(output.secondDistance, m, stream);
    const auto index2 = toHost(output.secondIndex, m, stream);
    CUDA_CHECK(cudaStreamSynchronize(stream));

    requireNeighbours(index1);
    requireNeighbours(index2);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const auto& a = clouds.first.start;
        const auto& b = clouds.second.start;
        result.pairs.push_back(
            {slice(distance1, index1, a[i], a[i + 1]), slice(distance2, index2, b[i], b[i + 1])});
    }
    return result;
}

TransportResults matchOnDevice(MemoryPool& pool, Stream stream, std::span<const CloudPair> pairs,
                               const SinkhornSchedule& schedule) {
    requireValidSchedule(schedule);
    for (const CloudPair& pair : pairs) requireTransportable(pair);
    TransportResults result;
    if (pairs.empty()) return result;
    result.pairs = convergedDistances(
        pairs, schedule, [&](std::span<const CloudPair> batch, const SinkhornSchedule& settings) {
            return matchOnce(pool, stream, batch, settings, result.milliseconds);
        });
    return result;
}

}  // namespace threefold::cuda
