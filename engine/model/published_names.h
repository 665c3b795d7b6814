#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace threefold {

/// Part of the network that a weight file belongs to: stage 1 or 2 of METHOD.md.
enum class NetworkStage { stage1, stage2 };

/// Threefold's name of a published tensor.
struct PublishedName {
    NetworkStage stage = NetworkStage::stage1;
    std::string name;  ///< without the stage: "cnn.conv1.weight", "drb2.local_conv1.weights.0"
    /// Whether the kernel is in [height, width, in, out]; Threefold's kernels are in
    /// [out, in, height, width].
    bool isHwio = false;
};

/// Parses names of the published TensorFlow code (METHOD.md §10), with or without ":0":
/// "meshnetmvp2m/cnn/conv2d_1/W:0", "meshnet/pixel2mesh/graph_drb_blk2_layer_5/localgconv_7_vars/
/// bias". nullopt for any other name, including an optimiser's tensors.
std::optional<PublishedName> parsePublishedName(std::string_view name);

/// Removes prefixes of training programs ("state_dict.", "model.", "module." and similar, in any
/// order and number) and the stage's "stage1." or "stage2.".
std::string_view withoutPrefixes(std::string_view name, NetworkStage stage);

}  // namespace threefold
