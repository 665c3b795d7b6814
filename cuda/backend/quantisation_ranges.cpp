#include "cuda/backend/quantisation_ranges.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <string>

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include "cuda/backend/device_network.h"
#include "cuda/kernels/graph_block.h"
#include "cuda/runtime/check.h"
#include "engine/error.h"

namespace threefold::cuda {
namespace {

constexpr std::size_t kRangesPerBlock = std::size(QuantisationRanges{}.input);

/// Key of a block's ranges in TuningPlan::ranges.
std::string rangesKey(std::size_t block) {
    return fmt::format("hypothesis block {}", block + 1);
}

}  // namespace

BlockQuantisationRanges measureRanges(const std::shared_ptr<const Model>& model,
                                      const DeviceLimits& limits, const NetworkResources& resources,
                                      std::span<const NetworkInput> samples) {
    if (samples.empty())
        throw InputError({"quantisation samples", "", "there is none to measure 8-bit ranges on",
                          "Name samples, or use float16 (`precision=float16`)."});
    const KernelChoice choice{graphBlockFits(limits, Precision::float16), true};
    cudaStream_t stream = resources.contexts.main;
    const DeviceModel weights(model, {limits, Precision::float16, choice}, {},
                              resources.deviceMemory, stream);
    const PooledMemory ranges = resources.deviceMemory.allocate(
        kPublishedHypothesisBlocks * kRangesPerBlock * sizeof(float), stream);
    CUDA_CHECK(cudaMemsetAsync(ranges.data(), 0, ranges.size(), stream));
    NetworkHooks hooks;
    for (std::size_t block = 0; block < kPublishedHypothesisBlocks; ++block)
        hooks.quantisationRanges[block] = ranges.as<float>() + block * kRangesPerBlock;

    std::unique_ptr<DeviceNetwork> network;
    for (const NetworkInput& sample : samples) {
        requireValidInput(sample);
        const NetworkShape shape{
            .batch = 1, .views = sample.images.size(), .maxImagePixels = slotPixels({&sample, 1})};
        const bool reusable = network && network->shape().views == shape.views &&
                              network->shape().maxImagePixels >= shape.maxImagePixels;
        if (!reusable) {
            network.reset();
            network = std::make_unique<DeviceNetwork>(weights, shape, resources);
        }
        network->run({&sample, 1}, hooks);
    }

    std::array<float, kPublishedHypothesisBlocks * kRangesPerBlock> values{};
    CUDA_CHECK(cudaMemcpyAsync(values.data(), ranges.data(), sizeof values, cudaMemcpyDeviceToHost,
                               stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));
    BlockQuantisationRanges result;
    for (std::size_t block = 0; block < kPublishedHypothesisBlocks; ++block)
        std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(block * kRangesPerBlock),
                    kRangesPerBlock, result[block].input);
    return result;
}

void storeRanges(const BlockQuantisationRanges& ranges, TuningPlan& plan) {
    for (std::size_t block = 0; block < kPublishedHypothesisBlocks; ++block)
        plan.ranges[rangesKey(block)] = {std::begin(ranges[block].input),
                                         std::end(ranges[block].input)};
}

std::optional<BlockQuantisationRanges> storedRanges(const TuningPlan& plan) {
    BlockQuantisationRanges ranges;
    for (std::size_t block = 0; block < kPublishedHypothesisBlocks; ++block) {
        const auto match = plan.ranges.find(rangesKey(block));
        if (match == plan.ranges.end() || match->second.size() != kRangesPerBlock)
            return std::nullopt;
        std::copy(match->second.begin(), match->second.end(), ranges[block].input);
    }
    return ranges;
}

}  // namespace threefold::cuda
