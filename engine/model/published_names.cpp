#include "engine/model/published_names.h"

#include <array>
#include <cstddef>
#include <regex>

#include <fmt/core.h>

#include "engine/model/architecture.h"
#include "engine/model/run_step.h"

namespace threefold {

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
    const std::size_t first = (number(1) - 1) * kLocalConvolutionCount;
    const std::size_t layer = number(2);
    if (number(1) > kPublishedHypothesisBlocks || layer <= first ||
        layer > first + kLocalConvolutionCount)
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
