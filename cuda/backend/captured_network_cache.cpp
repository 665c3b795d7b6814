#include "cuda/backend/captured_network_cache.h"

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
/// Batches between two readings of memory use: a query to the driver after every batch would be too
/// slow.
constexpr std::size_t kBatchesBetweenReadings = 64;

/// Input of warm-up runs: the published number of views, of the published image size.
NetworkInput blankInput() {
    constexpr int kSide = 137;
    NetworkInput input;
    for (const double azimuth : {0.0, 120.0, 240.0}) {
        Image image{kSide, kSide, {}};
        image.rgba.assign(std::size_t{4} * kSide * kSide, UINT8_MAX);
        input.images.push_back(std::move(image));
        input.cameras.push_back(Camera::fromRow({azimuth, 30.0, 0.0, kDefaultDistance}));
    }
    return input;
}

}  // namespace

CapturedNetworkCache::CapturedNetworkCache(DeviceResources& resources, NetworkFactory& networks)
    : resources_(resources),
      networks_(networks),
      cache_(resources.options.tuning.maxCudaGraphBytes) {}

const std::shared_ptr<CapturedNetwork>& CapturedNetworkCache::networkFor(
    std::span<const NetworkInput> inputs, TimedSteps steps) {
    // Slots only ever grow, so that images of changing sizes share a network.
    maxSlotPixels_ = std::max(maxSlotPixels_, slotPixels(inputs));
    const bool scored = resources_.options.tuning.entropy && inputs.size() == 1;
    const NetworkShape shape{.batch = inputs.size(),
                             .views = inputs.front().images.size(),
                             .maxImagePixels = maxSlotPixels_,
                             .extraTensors = scored ? ExtraTensors::scores : ExtraTensors::none,
                             .batchSlots = kMaxUnfinishedBatches};
    if (!current_ || current_->shape() != shape) {
        std::shared_ptr<CapturedNetwork> network = cache_.find(shape);
        if (!network) network = capture(shape, inputs, steps);
        current_ = std::move(network);
    }
    const std::size_t bytesBefore = current_->bytes();
    current_->prepare(steps);
    if (current_->bytes() != bytesBefore) insert(current_);
    return current_;
}

std::vector<Reconstruction> CapturedNetworkCache::run(std::span<const NetworkInput> inputs,
                                                      TimedSteps steps) {
    const std::shared_ptr<CapturedNetwork>& network = networkFor(inputs, steps);
    return network->finish(network->begin(inputs, steps));
}

void CapturedNetworkCache::warmUp(int runs) {
    if (runs <= 0) return;
    const NetworkInput input = blankInput();
    const Stopwatch watch;
    for (int i = 0; i < runs; ++i) run({&input, 1}, TimedSteps::all);
    resources_.monitor.read();
    resources_.deviceMemory.setSealed(true);
    resources_.pinnedMemory.setSealed(true);
    resources_.log(LogLevel::debug,
                   fmt::format("{} runs to warm up took {:.0f} ms", runs, watch.milliseconds()));
}

void CapturedNetworkCache::clear() {
    current_.reset();
    cache_.clear();
}

void CapturedNetworkCache::countBatch() {
    if (++batchesSinceReading_ >= kBatchesBetweenReadings) readMemory();
}

/// Reads memory use; also estimates the largest batch that fits in free memory.
MemoryReading CapturedNetworkCache::readMemory() {
    batchesSinceReading_ = 0;
    const PoolCounters pool = resources_.deviceMemory.counters();
    const std::size_t free = resources_.api.freeBytes() + pool.bytesHeld - pool.bytesInUse;
    const auto usable = static_cast<std::size_t>(kUsableFraction * static_cast<double>(free));
    if (capturedBatch_ > 0)
        estimatedBatch_ = std::max(capturedBatch_, usable / (capturedBytes_ / capturedBatch_));
    return resources_.monitor.read();
}

std::shared_ptr<CapturedNetwork> CapturedNetworkCache::capture(const NetworkShape& shape,
                                                               std::span<const NetworkInput> inputs,
                                                               TimedSteps steps) {
    // Frees the memory of the current network first, unless the cache keeps the network.
    current_.reset();
    const UnsealScope unsealed(resources_);
    const Stopwatch watch;
    auto network = std::make_shared<CapturedNetwork>(networks_.make(shape), inputs,
                                                     resources_.options.tuning, steps);
    insert(network);
    const MemoryReading memory = readMemory();
    resources_.log(
        LogLevel::debug,
        fmt::format("graph of {} nodes for batch {}, {} views: {:.0f} ms, {:.0f} MiB; GPU "
                    "memory {:.0f} MiB here, {:.0f} MiB in all",
                    network->nodes(), shape.batch, shape.views, watch.milliseconds(),
                    static_cast<double>(network->bytes()) / kBytesPerMebibyte,
                    static_cast<double>(memory.poolHeld) / kBytesPerMebibyte,
                    static_cast<double>(memory.used) / kBytesPerMebibyte));
    return network;
}

void CapturedNetworkCache::insert(const std::shared_ptr<CapturedNetwork>& network) {
    cache_.insert(network->shape(), network, network->bytes());
    capturedBatch_ = network->shape().batch;
    capturedBytes_ = network->bytes();
}

}  // namespace threefold::cuda
