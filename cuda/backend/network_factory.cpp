#include "cuda/backend/network_factory.h"

#include <optional>
#include <vector>

#include <fmt/format.h>

#include "cuda/backend/quantisation_ranges.h"
#include "engine/network/cuda_plugin.h"
#include "engine/sample/bundled_samples.h"
#include "engine/sample/sample.h"

namespace threefold::cuda {

NetworkFactory::NetworkFactory(DeviceResources& resources)
    : resources_(resources),
      store_(resources.options.tuning.planFolder.empty() ? defaultPlanFolder()
                                                         : resources.options.tuning.planFolder,
             resources.options.log),
      weights_(resources.model, resources.configuration(), rangesForPrecision(),
               resources.deviceMemory, resources.contexts.main) {}

TuningPlanKey NetworkFactory::keyOf(std::size_t batch, std::size_t views,
                                    Precision precision) const {
    const DeviceInfo& device = resources_.device;
    return {.gpu = device.description.name,
            .computeCapability = device.description.computeCapability,
            .driver = device.description.driver,
            .cuda = device.versions.cuda,
            .cublasLt = device.versions.cublasLt,
            .cudnn = device.versions.cudnn,
            .modelHash = resources_.model->hash,
            .precision = precision,
            .batch = static_cast<int>(batch),
            .views = static_cast<int>(views),
            .version = cudaPluginVersion()};
}

/// Calls `makeValue` with the algorithms that an earlier process stored for this shape, and stores
/// newly chosen ones. 8 bit shares the algorithms of float16.
template <class Make>
auto NetworkFactory::withStoredAlgorithms(const NetworkShape& shape, const Make& makeValue) {
    const TuningPlanKey key = keyOf(shape.batch, shape.views,
                                    precisionOutsideHypothesisBlocks(resources_.options.precision));
    TuningPlan plan = store_.load(key).value_or(TuningPlan{});
    auto& algorithms = resources_.contexts.algorithms;
    algorithms = plan.algorithms;
    auto result = makeValue();
    if (algorithms != plan.algorithms) {
        plan.algorithms = algorithms;
        store_.save(key, plan);
        // Free the memory that timing used.
        resources_.deviceMemory.trim();
        resources_.api.trim();
    }
    return result;
}

/// 8-bit ranges: measured on the given samples, else from a stored plan, else measured on the
/// bundled samples. Measured ranges are stored in the plan of batch 1 with the published views.
/// Returns zeros unless the fused hypothesis blocks run in 8 bit.
BlockQuantisationRanges NetworkFactory::rangesForPrecision() {
    const CudaOptions& options = resources_.options;
    if (!isEightBit(options.precision) || !resources_.choice.fusedHypotheses) return {};
    const TuningPlanKey key = keyOf(1, kPublishedViews.size(), options.precision);
    TuningPlan plan = store_.load(key).value_or(TuningPlan{});
    if (options.quantisationSamples.empty())
        if (const auto stored = storedRanges(plan)) return *stored;
    const std::vector<NetworkInput> samples = options.quantisationSamples.empty()
                                                  ? bundledQuantisationSamples()
                                                  : options.quantisationSamples;
    resources_.log(LogLevel::info, fmt::format("measuring {} ranges on {} samples",
                                               precisionName(options.precision), samples.size()));
    const BlockQuantisationRanges ranges =
        withStoredAlgorithms({.batch = 1, .views = kPublishedViews.size()}, [&] {
            return measureRanges(resources_.model, resources_.device.limits,
                                 resources_.forNetwork(), samples);
        });
    storeRanges(ranges, plan);
    store_.save(key, plan);
    return ranges;
}

std::unique_ptr<DeviceNetwork> NetworkFactory::make(const NetworkShape& shape) {
    return withStoredAlgorithms(shape, [&] {
        return std::make_unique<DeviceNetwork>(weights_, shape, resources_.forNetwork());
    });
}

}  // namespace threefold::cuda
