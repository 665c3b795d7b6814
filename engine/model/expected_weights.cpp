#include "engine/model/expected_weights.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>

#include <fmt/core.h>

#include "engine/model/architecture.h"

namespace threefold {
namespace {

void addCnn(WeightShapes& shapes, const std::string& prefix, std::size_t layers) {
    for (std::size_t i = 0; i < layers; ++i) {
        const ConvolutionSpec& spec = kCnnLayers[i];
        const auto in = static_cast<std::size_t>(spec.inChannels);
        const auto out = static_cast<std::size_t>(spec.outChannels);
        const auto side = static_cast<std::size_t>(spec.kernelSize);
        const std::string name = fmt::format("{}cnn.conv{}", prefix, i + 1);
        shapes[name + ".weight"] = {out, in, side, side};
        shapes[name + ".bias"] = {out};
    }
}

void addGraphConvolution(WeightShapes& shapes, const std::string& name, std::size_t in,
                         std::size_t out) {
    for (std::size_t support = 0; support < kSupportCount; ++support)
        shapes[fmt::format("{}.weights.{}", name, support)] = {in, out};
    shapes[name + ".bias"] = {out};
}

/// Whether any value has all exponent bits set (infinite or NaN). No early exit, so that the loop
/// can be vectorised.
template <typename Bits>
bool anyExponentFull(const Array& array, Bits exponent) {
    const std::size_t count = array.data.size() / sizeof(Bits);
    bool full = false;
    for (std::size_t i = 0; i < count; ++i) {
        Bits bits;
        std::memcpy(&bits, array.data.data() + i * sizeof(Bits), sizeof(Bits));
        full |= static_cast<Bits>(bits & exponent) == exponent;
    }
    return full;
}

bool anyBeyondFloat(const Array& array) {
    const std::size_t count = array.data.size() / sizeof(double);
    for (std::size_t i = 0; i < count; ++i) {
        double value;
        std::memcpy(&value, array.data.data() + i * sizeof(double), sizeof(double));
        if (!(std::abs(value) <= static_cast<double>(std::numeric_limits<float>::max())))
            return true;
    }
    return false;
}

bool isFloatingPoint(DType type) {
    return type == DType::f16 || type == DType::bf16 || type == DType::f32 || type == DType::f64;
}

std::string describe(const Array& array) {
    return fmt::format("{} {}", dtypeName(array.dtype), shapeText(array.shape));
}

}  // namespace

WeightShapes expectedWeights(const TemplateMesh& mesh, std::size_t hypothesisBlocks) {
    WeightShapes shapes;
    addCnn(shapes, "stage1.", kCnnLayers.size());
    for (std::size_t level = 0; level < mesh.levels.size(); ++level) {
        const std::size_t length = kGraphBlockLayerCounts.at(level);
        for (std::size_t layer = 0; layer < length; ++layer)
            addGraphConvolution(shapes, graphLayerName(level, layer),
                                layer > 0 ? kHiddenWidth : graphInputWidth(level),
                                layer + 1 < length ? kHiddenWidth : 3);
    }
    if (hypothesisBlocks > 0) addCnn(shapes, "stage2.", kStage2LayerCount);
    for (std::size_t block = 0; block < hypothesisBlocks; ++block)
        for (std::size_t layer = 0; layer < kLocalConvolutionCount; ++layer)
            addGraphConvolution(shapes, localConvolutionName(block, layer),
                                layer > 0 ? kHiddenWidth : kStage2FeatureWidth,
                                layer + 1 < kLocalConvolutionCount ? kHiddenWidth : 1);
    return shapes;
}

std::size_t hypothesisBlocksIn(const ArrayMap& weights) {
    constexpr std::string_view kStage2 = "stage2.";
    constexpr std::string_view kBlock = "stage2.drb";
    std::size_t blocks = 0;
    bool hasStage2 = false;
    for (auto it = weights.lower_bound(std::string(kStage2));
         it != weights.end() && it->first.starts_with(kStage2); ++it) {
        hasStage2 = true;
        if (!it->first.starts_with(kBlock)) continue;
        std::size_t block = 0;
        const char* const end = it->first.data() + it->first.size();
        const auto read = std::from_chars(it->first.data() + kBlock.size(), end, block);
        if (read.ec == std::errc() && read.ptr != end && *read.ptr == '.')
            blocks = std::max(blocks, block);
    }
    return hasStage2 && blocks == 0 ? kPublishedHypothesisBlocks : blocks;
}

std::string graphLayerName(std::size_t level, std::size_t layer) {
    return fmt::format("stage1.gcn{}_layers.{}", level + 1, layer);
}

std::string localConvolutionName(std::size_t block, std::size_t convolution) {
    return fmt::format("stage2.drb{}.local_conv{}", block + 1, convolution + 1);
}

std::vector<TensorComparison> compareWeights(const ArrayMap& found, const WeightShapes& expected) {
    using Outcome = TensorComparison::Outcome;
    std::vector<TensorComparison> lines;
    for (const auto& [name, shape] : expected) {
        const auto it = found.find(name);
        if (it == found.end()) {
            lines.push_back({name, "", shapeText(shape), Outcome::missing});
            continue;
        }
        const Array& array = it->second;
        Outcome outcome = Outcome::matched;
        if (array.shape != shape || !isFloatingPoint(array.dtype))
            outcome = Outcome::wrongShape;
        else if (!allFinite(array))
            outcome = Outcome::notFinite;
        lines.push_back({name, describe(array), shapeText(shape), outcome});
    }
    for (const auto& [name, array] : found)
        if (!expected.contains(name))
            lines.push_back({name, describe(array), "", Outcome::leftOver});
    std::ranges::sort(lines, {}, &TensorComparison::name);
    return lines;
}

bool allFinite(const Array& array) {
    if (array.dtype == DType::f16) return !anyExponentFull<std::uint16_t>(array, 0x7C00);
    if (array.dtype == DType::bf16) return !anyExponentFull<std::uint16_t>(array, 0x7F80);
    if (array.dtype == DType::f32) return !anyExponentFull<std::uint32_t>(array, 0x7F800000);
    return array.dtype != DType::f64 || !anyBeyondFloat(array);
}

}  // namespace threefold
