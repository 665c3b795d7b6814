#include "engine/network/backend.h"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "engine/error.h"

namespace threefold {
namespace {

struct PrecisionNames {
    std::string_view name;
    std::string_view shortName;
};

/// In the order of Precision.
constexpr std::array<PrecisionNames, std::size(kAllPrecisions)> kNames = {{{"float32", "fp32"},
                                                                           {"tfloat32", "tf32"},
                                                                           {"float16", "fp16"},
                                                                           {"bfloat16", "bf16"},
                                                                           {"int8", "int8"}}};

}  // namespace

InputError nothingBegun() {
    return InputError({"batch", "", "none is begun", "Begin one before."});
}

std::vector<Reconstruction> Backend::reconstructBatch(std::span<const NetworkInput> inputs,
                                                      const RunOptions& options) {
    begin(inputs, options);
    return finish();
}

Reconstruction Backend::reconstruct(const NetworkInput& input, const RunOptions& options) {
    return std::move(reconstructBatch({&input, 1}, options).front());
}

void SerialBackend::begin(std::span<const NetworkInput> inputs, const RunOptions& options) {
    if (begun_) throw InputError({"batch", "", "one is begun already", "Finish it first."});
    inputs_ = inputs;
    options_ = options;
    begun_ = true;
}

std::vector<Reconstruction> SerialBackend::finish() {
    if (!std::exchange(begun_, false)) throw nothingBegun();
    const RunOptions options = std::exchange(options_, {});
    std::vector<Reconstruction> results;
    results.reserve(inputs_.size());
    for (const NetworkInput& input : inputs_) results.push_back(compute(input, options));
    return results;
}

std::string poolUseText(const DevicePoolUse& use) {
    return fmt::format("{} blocks reused, {} given back, {} allocated after the warm-up", use.hits,
                       use.frees, use.lateAllocations);
}

std::string_view precisionName(Precision precision) {
    return kNames[static_cast<std::size_t>(precision)].name;
}

Precision precisionFromName(std::string_view name) {
    for (std::size_t i = 0; i < kNames.size(); ++i)
        if (name == kNames[i].name || name == kNames[i].shortName) return kAllPrecisions[i];
    throw UsageError({"`precision`", std::string(name), "there is no such precision",
                      "Use float32, tfloat32, float16, bfloat16 or int8."});
}

}  // namespace threefold
