#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/formats/tensors/array.h"
#include "engine/model/template_mesh.h"
#include "engine/run_step.h"

namespace threefold {

/// Shapes of tensors by name.
using WeightShapes = std::map<std::string, std::vector<std::size_t>>;

/// Required tensors of a model with this template and number of hypothesis blocks (METHOD.md §4,
/// §6, §7). Without blocks there is no stage 2.
WeightShapes expectedWeights(const TemplateMesh& mesh,
                             std::size_t hypothesisBlocks = kPublishedHypothesisBlocks);

/// Number of hypothesis blocks of weights: the highest k of "stage2.drb{k}."; two if stage 2 has
/// only other tensors; 0 without stage 2.
std::size_t hypothesisBlocksIn(const ArrayMap& weights);

/// Names of layers, with indices from 0: "stage1.gcn1_layers.0", "stage2.drb1.local_conv1".
std::string graphLayerName(std::size_t level, std::size_t layer);
std::string localConvolutionName(std::size_t block, std::size_t convolution);

/// Comparison of a found tensor with the expected one.
struct TensorComparison {
    enum class Outcome { matched, missing, leftOver, wrongShape, notFinite };
    std::string name;
    std::string found;     ///< shape and type in the source, empty if missing
    std::string expected;  ///< empty if left over
    Outcome outcome;
};

/// Compares found with expected tensors: one line per tensor, sorted by name. A type other than
/// floating-point counts as wrong shape.
std::vector<TensorComparison> compareWeights(const ArrayMap& found, const WeightShapes& expected);

/// Whether every element is finite as a float32; always true for integers.
bool allFinite(const Array& array);

/// Part of the network that a weight file belongs to: stage 1 or 2 of METHOD.md.
enum class NetworkStage { stage1, stage2 };

/// Threefold's name of a published tensor.
struct PublishedName {
    NetworkStage stage = NetworkStage::stage1;
    std::string name;  ///< without the stage: "cnn.conv1.weight", "drb2.local_conv1.weights.0"
    bool isHwio =
        false;  ///< kernel in [height, width, in, out]; Threefold's are [out, in, height, width]
};

/// Parses names of the published TensorFlow code (METHOD.md §10), with or without ":0":
/// "meshnetmvp2m/cnn/conv2d_1/W:0", "meshnet/pixel2mesh/graph_drb_blk2_layer_5/localgconv_7_vars/
/// bias". nullopt for any other name, including an optimiser's tensors.
std::optional<PublishedName> parsePublishedName(std::string_view name);

/// Removes prefixes of training programs ("state_dict.", "model.", "module." and similar, in any
/// order and number) and the stage's "stage1." or "stage2.".
std::string_view withoutPrefixes(std::string_view name, NetworkStage stage);

}  // namespace threefold
