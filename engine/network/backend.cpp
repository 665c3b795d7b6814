#include "engine/network/backend.h"

#include <array>
#include <utility>

#include "engine/error.h"

namespace threefold {
namespace {

struct PrecisionNames {
    Precision precision;
    std::string_view name;
    std::string_view shortName;
};

constexpr std::array<PrecisionNames, std::size(kAllPrecisions)> kNames = {{
    {Precision::float32, "float32", "fp32"},
    {Precision::tfloat32, "tfloat32", "tf32"},
    {Precision::float16, "float16", "fp16"},
    {Precision::bfloat16, "bfloat16", "bf16"},
    {Precision::int8, "int8", "int8"},
}};

}  // namespace

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
    begun_ = false;
    const RunOptions options = std::exchange(options_, {});
    std::vector<Reconstruction> results;
    results.reserve(inputs_.size());
    for (const NetworkInput& input : inputs_) results.push_back(compute(input, options));
    return results;
}

std::string_view precisionName(Precision precision) {
    for (const PrecisionNames& names : kNames) {
        if (names.precision == precision) return names.name;
    }
    return "unknown";
}

Precision precisionFromName(std::string_view name) {
    for (const PrecisionNames& names : kNames) {
        if (name == names.name || name == names.shortName) return names.precision;
    }
    throw UsageError({"--precision", std::string(name), "there is no such precision",
                      "Use float32, tfloat32, float16, bfloat16 or int8."});
}

FitResult Backend::fit(const Points& start, const fitting::MeshLevels& levels, const Camera& space,
                       std::span<const FitView> views, const FitOptions& options) {
    return fitMesh(start, levels, space, views, options);
}

NearestBatch Backend::nearest(std::span<const CloudPair> pairs) {
    return nearestBothWays(pairs);
}

MatchingBatch Backend::match(std::span<const CloudPair> pairs, const MatchingSchedule& schedule) {
    return approximateMatchings(pairs, schedule);
}

}  // namespace threefold
