#include "engine/model/weights.h"

#include <algorithm>
#include <array>
#include <charconv>
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

/// Parses a name from the front, part by part.
class Parts {
  public:
    explicit Parts(std::string_view text) : rest_(text) {}

    bool skip(std::string_view expected) {
        if (!rest_.starts_with(expected)) return false;
        rest_.remove_prefix(expected.size());
        return true;
    }
    /// Decimal digits without a leading zero, except 0 itself.
    std::optional<std::size_t> parseNumber() {
        std::size_t value = 0;
        const auto result = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
        const auto length = static_cast<std::size_t>(result.ptr - rest_.data());
        if (result.ec != std::errc{} || (length > 1 && rest_.front() == '0')) return std::nullopt;
        rest_.remove_prefix(length);
        return value;
    }
    bool done() const { return rest_.empty(); }

  private:
    std::string_view rest_;
};

/// "conv2d_N/W", "conv2d_N/b"
std::optional<PublishedName> parseConvolution(Parts parts, ModelStage stage) {
    if (!parts.skip("conv2d_")) return std::nullopt;
    const auto number = parts.parseNumber();
    if (!number || *number == 0) return std::nullopt;
    const bool kernel = parts.skip("/W");
    if ((!kernel && !parts.skip("/b")) || !parts.done()) return std::nullopt;
    return PublishedName{stage, fmt::format("cnn.conv{}.{}", *number, kernel ? "weight" : "bias"),
                         kernel};
}

/// "weights_0", "weights_1", "bias", behind the layer's own name
std::optional<PublishedName> parseSupport(Parts parts, ModelStage stage, const std::string& layer) {
    if (parts.skip("weights_")) {
        const auto support = parts.parseNumber();
        if (!support || !parts.done()) return std::nullopt;
        return PublishedName{stage, fmt::format("{}.weights.{}", layer, *support)};
    }
    if (!parts.skip("bias") || !parts.done()) return std::nullopt;
    return PublishedName{stage, layer + ".bias"};
}

/// "graph_conv_blkB_I_layer_L_vars/…": L counts over all blocks and is redundant.
std::optional<PublishedName> parseGraphConvolution(Parts parts) {
    if (!parts.skip("graph_conv_blk")) return std::nullopt;
    const auto block = parts.parseNumber();
    if (!block || !parts.skip("_")) return std::nullopt;
    const auto layer = parts.parseNumber();
    if (!layer || *layer == 0 || !parts.skip("_layer_") || !parts.parseNumber() ||
        !parts.skip("_vars/"))
        return std::nullopt;
    return parseSupport(parts, ModelStage::one, fmt::format("gcn{}_layers.{}", *block, *layer - 1));
}

/// "graph_drb_blkB_layer_L/localgconv_N_vars/…": N counts over both blocks.
std::optional<PublishedName> parseLocalConvolution(Parts parts) {
    if (!parts.skip("graph_drb_blk")) return std::nullopt;
    const auto block = parts.parseNumber();
    if (!block || *block == 0 || *block > kHypothesisBlocks || !parts.skip("_layer_") ||
        !parts.parseNumber() || !parts.skip("/localgconv_"))
        return std::nullopt;
    const auto number = parts.parseNumber();
    const std::size_t before = (*block - 1) * kLocalConvolutions;
    if (!number || *number <= before || *number > before + kLocalConvolutions ||
        !parts.skip("_vars/"))
        return std::nullopt;
    return parseSupport(parts, ModelStage::two,
                        fmt::format("drb{}.local_conv{}", *block, *number - before));
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

std::optional<PublishedName> parsePublishedName(std::string_view name) {
    if (name.ends_with(":0")) name.remove_suffix(2);
    Parts parts(name);
    ModelStage stage = ModelStage::one;
    if (!parts.skip("meshnetmvp2m/")) {
        if (!parts.skip("meshnet/")) return std::nullopt;
        stage = ModelStage::two;
    }
    if (parts.skip("cnn/")) return parseConvolution(parts, stage);
    if (!parts.skip("pixel2mesh/")) return std::nullopt;
    return stage == ModelStage::one ? parseGraphConvolution(parts) : parseLocalConvolution(parts);
}

std::string_view withoutWrappers(std::string_view name, ModelStage stage) {
    constexpr std::array<std::string_view, 7> kWrappers = {
        "state_dict.", "model_state_dict.", "model.", "module.", "network.", "net.", "_orig_mod."};
    const std::string_view own = stage == ModelStage::one ? "stage1." : "stage2.";
    for (bool again = true; again;) {
        again = false;
        const auto drop = [&](std::string_view wrapper) {
            if (!name.starts_with(wrapper)) return;
            name.remove_prefix(wrapper.size());
            again = true;
        };
        for (const std::string_view wrapper : kWrappers) drop(wrapper);
        drop(own);
    }
    return name;
}

}  // namespace threefold
