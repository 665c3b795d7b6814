#include "cuda/backend/graph_runner.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "engine/profile/stopwatch.h"
#include "engine/units.h"

namespace threefold::cuda {
namespace {

/// Fraction of free memory to use; the rest is for the libraries and other programs.
constexpr double kUsableFraction = 0.9;
/// Batches between two readings: a query to the driver is too slow to make before every batch.
constexpr std::size_t kBatchesBetweenReadings = 64;

/// Input of warm-up runs: the published number of views, of the published image size.
NetworkInput blankInput() {
    constexpr int kSide = 137;
    NetworkInput input;
    for (const double azimuth : {0.0, 120.0, 240.0}) {
        Image image{kSide, kSide, {}};
        image.rgba.assign(std::size_t{4} * kSide * kSide, UINT8_MAX);
        input.images.push_back(std::move(image));
        input.cameras.push_back(Camera::fromRow({azimuth, 30.0, 0.0, 1.5}));
    }
    return input;
}

}  // namespace

GraphRunner::GraphRunner(DeviceResources& resources, PlannedNetworks& networks)
    : resources_(resources), networks_(networks), cache_(resources.options.graphBytes) {}

const std::shared_ptr<MeshGraph>& GraphRunner::graphFor(std::span<const NetworkInput> inputs,
                                                        bool wantTimings) {
    // Slots only ever grow, so that images of changing sizes share a graph.
    maxSlotPixels_ = std::max(maxSlotPixels_, slotPixels(inputs));
    const NetworkShape shape{inputs.size(),      inputs.front().images.size(),
                             maxSlotPixels_,     false,
                             kMaxPendingBatches, resources_.options.entropy && inputs.size() == 1};
    if (!current_ || current_->shape() != shape) {
        std::shared_ptr<MeshGraph> graph = cache_.find(shape);
        if (!graph) graph = capture(shape, inputs, wantTimings);
        current_ = std::move(graph);
    }
    return current_;
}

std::vector<Reconstruction> GraphRunner::run(std::span<const NetworkInput> inputs,
                                             bool wantTimings) {
    const std::shared_ptr<MeshGraph>& graph = graphFor(inputs, wantTimings);
    return graph->finish(graph->begin(inputs, wantTimings));
}

void GraphRunner::warmUp(int runs) {
    if (runs <= 0) return;
    const NetworkInput input = blankInput();
    const Stopwatch watch;
    for (int i = 0; i < runs; ++i) run({&input, 1}, true);
    resources_.monitor.read();
    resources_.deviceMemory.seal();
    resources_.pinnedMemory.seal();
    resources_.log(LogLevel::debug,
                   fmt::format("{} runs to warm up took {:.0f} ms", runs, watch.milliseconds()));
}

void GraphRunner::clear() {
    current_.reset();
    cache_.clear();
}

void GraphRunner::countBatch() {
    if (++batchesSinceReading_ >= kBatchesBetweenReadings) readMemory();
}

/// Reads memory use; also estimates the largest batch that fits in free memory.
MemoryReading GraphRunner::readMemory() {
    batchesSinceReading_ = 0;
    const PoolCounters pool = resources_.deviceMemory.counters();
    const std::size_t free = resources_.api.freeBytes() + pool.bytesHeld - pool.bytesInUse;
    const auto usable = static_cast<std::size_t>(kUsableFraction * static_cast<double>(free));
    if (capturedBatch_ > 0)
        estimatedBatch_ = std::max(capturedBatch_, usable / (capturedBytes_ / capturedBatch_));
    return resources_.monitor.read();
}

std::shared_ptr<MeshGraph> GraphRunner::capture(const NetworkShape& shape,
                                                std::span<const NetworkInput> inputs,
                                                bool wantTimings) {
    // A graph too large for the cache lives only as long as it is current.
    current_.reset();
    const UnsealScope unsealed(resources_);
    const Stopwatch watch;
    auto graph = std::make_shared<MeshGraph>(networks_.make(shape), resources_.lanes, inputs,
                                             resources_.options.stepTimes, wantTimings,
                                             resources_.options.graphs);
    cache_.insert(shape, graph, graph->bytes());
    capturedBatch_ = inputs.size();
    capturedBytes_ = graph->bytes();
    const MemoryReading memory = readMemory();
    resources_.log(
        LogLevel::debug,
        fmt::format("graph of {} nodes for batch {}, {} views: {:.0f} ms, {:.0f} MiB; GPU "
                    "memory {:.0f} MiB here, {:.0f} MiB in all",
                    graph->nodes(), shape.batch, shape.views, watch.milliseconds(),
                    static_cast<double>(graph->bytes()) / kMebibyte,
                    static_cast<double>(memory.poolHeld) / kMebibyte,
                    static_cast<double>(memory.used) / kMebibyte));
    return graph;
}

}  // namespace threefold::cuda
