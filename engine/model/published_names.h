#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace threefold {

/// Which of the method's two networks a weight file is for.
enum class ModelStage { one, two };

/// A published tensor's name in our scheme.
struct PublishedName {
    ModelStage stage = ModelStage::one;
    std::string name;  ///< within its stage: "cnn.conv1.weight", "drb2.local_conv1.weights.0"
    bool hwio = false;  ///< a convolution's kernel, [height, width, in, out]; ours are [out, in, …]
};

/// Reads the names of the published TensorFlow code (METHOD.md §10), with or without ":0":
/// "meshnetmvp2m/cnn/conv2d_1/W:0", "meshnet/pixel2mesh/graph_drb_blk2_layer_5/localgconv_7_vars/
/// bias". std::nullopt for any other name, including the names that an optimiser adds to these.
std::optional<PublishedName> parsePublishedName(std::string_view name);

/// The name without the prefixes of training programs ("state_dict.", "model.", "module." and
/// similar, in any order and number) and without the stage's own "stage1." or "stage2.".
std::string_view withoutWrappers(std::string_view name, ModelStage stage);

}  // namespace threefold
