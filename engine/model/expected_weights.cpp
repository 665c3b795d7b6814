#include "engine/model/expected_weights.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <regex>

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
    if (hypothesisBlocks > 0) addCnn(shapes, "stage2.", kStage2Layers);
    for (std::size_t block = 0; block < hypothesisBlocks; ++block)
        for (std::size_t layer = 0; layer < kLocalConvolutions; ++layer)
            addGraphConvolution(shapes, localConvolutionName(block, layer),
                                layer > 0 ? kHiddenWidth : kStage2FeatureWidth,
                                layer + 1 < kLocalConvolutions ? kHiddenWidth : 1);
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

std::optional<PublishedName> parsePublishedName(std::string_view name) {
    if (name.ends_with(":0")) name.remove_suffix(2);
    static const std::regex convolution(
        R"((meshnet|meshnetmvp2m)/cnn/conv2d_([1-9]\d{0,8})/(W|b))");
    // "layer_N" counts layers over all blocks and is redundant.
    static const std::regex graphConvolution(
        R"(meshnetmvp2m/pixel2mesh/graph_conv_blk(\d)_([1-9]\d{0,8})_layer_\d{1,9}_vars/)"
        R"((?:weights_(\d)|bias))");
    // localgconv_N counts over both blocks.
    static const std::regex localConvolution(
        R"(meshnet/pixel2mesh/graph_drb_blk([1-9])_layer_\d{1,9}/localgconv_(\d{1,9})_vars/)"
        R"((?:weights_(\d)|bias))");
    std::match_results<std::string_view::const_iterator> parts;
    const auto is = [&](const std::regex& form) {
        return std::regex_match(name.begin(), name.end(), parts, form);
    };
    const auto number = [&](std::size_t part) { return std::stoul(parts[part].str()); };
    const auto tensor = [&] { return parts[3].matched ? ".weights." + parts[3].str() : ".bias"; };
    if (is(convolution)) {
        const bool kernel = parts[3] == "W";
        return PublishedName{parts[1] == "meshnet" ? NetworkStage::stage2 : NetworkStage::stage1,
                             fmt::format("cnn.conv{}.{}", number(2), kernel ? "weight" : "bias"),
                             kernel};
    }
    if (is(graphConvolution))
        return PublishedName{NetworkStage::stage1, fmt::format("gcn{}_layers.{}{}", parts[1].str(),
                                                               number(2) - 1, tensor())};
    if (!is(localConvolution)) return std::nullopt;
    const std::size_t first = (number(1) - 1) * kLocalConvolutions;
    const std::size_t layer = number(2);
    if (number(1) > kPublishedHypothesisBlocks || layer <= first ||
        layer > first + kLocalConvolutions)
        return std::nullopt;
    return PublishedName{NetworkStage::stage2, fmt::format("drb{}.local_conv{}{}", parts[1].str(),
                                                           layer - first, tensor())};
}

std::string_view withoutPrefixes(std::string_view name, NetworkStage stage) {
    constexpr std::array<std::string_view, 7> kPrefixes = {
        "state_dict.", "model_state_dict.", "model.", "module.", "network.", "net.", "_orig_mod."};
    const std::string_view stagePrefix = stage == NetworkStage::stage1 ? "stage1." : "stage2.";
    for (bool changed = true; changed;) {
        changed = false;
        const auto drop = [&](std::string_view wrapper) {
            if (!name.starts_with(wrapper)) return;
            name.remove_prefix(wrapper.size());
            changed = true;
        };
        for (const std::string_view wrapper : kPrefixes) drop(wrapper);
        drop(stagePrefix);
    }
    return name;
}

}  // namespace threefold
