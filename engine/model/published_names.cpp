#include "engine/model/published_names.h"

#include <array>
#include <charconv>
#include <cstddef>

#include <fmt/core.h>

#include "engine/model/architecture.h"

namespace threefold {
namespace {

/// Parses a name from the front, part by part.
class Parts {
  public:
    explicit Parts(std::string_view text) : rest_(text) {}

    bool take(std::string_view expected) {
        if (!rest_.starts_with(expected)) return false;
        rest_.remove_prefix(expected.size());
        return true;
    }
    /// Decimal digits without a leading zero, except 0 itself.
    std::optional<std::size_t> takeNumber() {
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
    if (!parts.take("conv2d_")) return std::nullopt;
    const auto number = parts.takeNumber();
    if (!number || *number == 0) return std::nullopt;
    const bool kernel = parts.take("/W");
    if ((!kernel && !parts.take("/b")) || !parts.done()) return std::nullopt;
    return PublishedName{stage, fmt::format("cnn.conv{}.{}", *number, kernel ? "weight" : "bias"),
                         kernel};
}

/// "weights_0", "weights_1", "bias", behind the layer's own name
std::optional<PublishedName> parseSupport(Parts parts, ModelStage stage, const std::string& layer) {
    if (parts.take("weights_")) {
        const auto support = parts.takeNumber();
        if (!support || !parts.done()) return std::nullopt;
        return PublishedName{stage, fmt::format("{}.weights.{}", layer, *support)};
    }
    if (!parts.take("bias") || !parts.done()) return std::nullopt;
    return PublishedName{stage, layer + ".bias"};
}

/// "graph_conv_blkB_I_layer_L_vars/…": L counts over all blocks and is redundant.
std::optional<PublishedName> parseGraphConvolution(Parts parts) {
    if (!parts.take("graph_conv_blk")) return std::nullopt;
    const auto block = parts.takeNumber();
    if (!block || !parts.take("_")) return std::nullopt;
    const auto layer = parts.takeNumber();
    if (!layer || *layer == 0 || !parts.take("_layer_") || !parts.takeNumber() ||
        !parts.take("_vars/"))
        return std::nullopt;
    return parseSupport(parts, ModelStage::one, fmt::format("gcn{}_layers.{}", *block, *layer - 1));
}

/// "graph_drb_blkB_layer_L/localgconv_N_vars/…": N counts over both blocks.
std::optional<PublishedName> parseLocalConvolution(Parts parts) {
    if (!parts.take("graph_drb_blk")) return std::nullopt;
    const auto block = parts.takeNumber();
    if (!block || *block == 0 || *block > kHypothesisBlocks || !parts.take("_layer_") ||
        !parts.takeNumber() || !parts.take("/localgconv_"))
        return std::nullopt;
    const auto number = parts.takeNumber();
    const std::size_t before = (*block - 1) * kLocalConvolutions;
    if (!number || *number <= before || *number > before + kLocalConvolutions ||
        !parts.take("_vars/"))
        return std::nullopt;
    return parseSupport(parts, ModelStage::two,
                        fmt::format("drb{}.local_conv{}", *block, *number - before));
}

}  // namespace

std::optional<PublishedName> parsePublishedName(std::string_view name) {
    if (name.ends_with(":0")) name.remove_suffix(2);
    Parts parts(name);
    ModelStage stage = ModelStage::one;
    if (!parts.take("meshnetmvp2m/")) {
        if (!parts.take("meshnet/")) return std::nullopt;
        stage = ModelStage::two;
    }
    if (parts.take("cnn/")) return parseConvolution(parts, stage);
    if (!parts.take("pixel2mesh/")) return std::nullopt;
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
