#include "engine/model/weights.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include <fmt/core.h>

#include "engine/model/architecture.h"

namespace threefold {
namespace {

void addCnn(WeightShapes& shapes, const std::string& prefix, std::size_t layers) {
    for (std::size_t i = 0; i < layers; ++i) {
        const ConvolutionSpec& spec = kCnnLayers[i];
        const auto in = static_cast<std::size_t>(spec.in);
        const auto out = static_cast<std::size_t>(spec.out);
        const auto side = static_cast<std::size_t>(spec.kernel);
        const std::string name = fmt::format("{}cnn.conv{}", prefix, i + 1);
        shapes[name + ".weight"] = {out, in, side, side};
        shapes[name + ".bias"] = {out};
    }
}

void addGraphConvolution(WeightShapes& shapes, const std::string& name, std::size_t in,
                         std::size_t out) {
    for (std::size_t support = 0; support < kSupports; ++support)
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

WeightShapes expectedWeights(const TemplateMesh& mesh) {
    WeightShapes shapes;
    addCnn(shapes, "stage1.", kCnnLayers.size());
    for (std::size_t block = 0; block < mesh.levels.size(); ++block) {
        const std::size_t length = kGraphBlockLengths.at(block);
        for (std::size_t layer = 0; layer < length; ++layer) {
            // From the second block on, the input also holds the unpooled hidden features.
            const std::size_t in =
                layer > 0 ? kHiddenWidth : kStage1Features + (block > 0 ? kHiddenWidth : 0);
            addGraphConvolution(shapes, fmt::format("stage1.gcn{}_layers.{}", block + 1, layer), in,
                                layer + 1 < length ? kHiddenWidth : 3);
        }
    }
    addCnn(shapes, "stage2.", kStage2Layers);
    for (std::size_t block = 1; block <= kHypothesisBlocks; ++block)
        for (std::size_t layer = 1; layer <= kLocalConvolutions; ++layer)
            addGraphConvolution(shapes, fmt::format("stage2.drb{}.local_conv{}", block, layer),
                                layer > 1 ? kHiddenWidth : kStage2Features,
                                layer < kLocalConvolutions ? kHiddenWidth : 1);
    return shapes;
}

std::vector<ConvertedTensor> compareWeights(const ArrayMap& found, const WeightShapes& expected) {
    using Outcome = ConvertedTensor::Outcome;
    std::vector<ConvertedTensor> lines;
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
    std::ranges::sort(lines, {}, &ConvertedTensor::name);
    return lines;
}

bool allFinite(const Array& array) {
    switch (array.dtype) {
        case DType::f16:
            return !anyExponentFull<std::uint16_t>(array, 0x7C00);
        case DType::bf16:
            return !anyExponentFull<std::uint16_t>(array, 0x7F80);
        case DType::f32:
            return !anyExponentFull<std::uint32_t>(array, 0x7F800000);
        case DType::f64:
            return !anyBeyondFloat(array);
        default:
            return true;
    }
}

}  // namespace threefold
