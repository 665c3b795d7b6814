#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/formats/tensors/array.h"
#include "engine/model/template_mesh.h"
#include "engine/stage.h"

namespace threefold {

/// Name → shape.
using WeightShapes = std::map<std::string, std::vector<std::size_t>>;

/// The tensors that a model with this template and so many hypothesis blocks must have, with their
/// shapes (METHOD.md §4, §6, §7). Without blocks there is no stage 2.
WeightShapes expectedWeights(const TemplateMesh& mesh,
                             std::size_t hypothesisBlocks = kPublishedHypothesisBlocks);

/// The number of hypothesis blocks that weights have: the highest k of "stage2.drb{k}."; two where
/// other tensors of stage 2 are there, none where nothing of stage 2 is.
std::size_t hypothesisBlocksIn(const ArrayMap& weights);

/// "stage1.gcn1_layers.0", "stage2.drb1.local_conv1": a block's layer, both counted from 0.
std::string graphLayerName(std::size_t level, std::size_t layer);
std::string localConvolutionName(std::size_t block, std::size_t convolution);

/// One line of the table that a conversion prints: a tensor as found, against what is expected.
struct ConvertedTensor {
    enum class Outcome { matched, missing, leftOver, wrongShape, notFinite };
    std::string name;
    std::string found;     ///< shape and type in the source, empty if missing
    std::string expected;  ///< empty if left over
    Outcome outcome;
};

/// Every expected and every found tensor once, sorted by name. A tensor whose type
/// is not floating-point counts as one of a wrong shape.
std::vector<ConvertedTensor> compareWeights(const ArrayMap& found, const WeightShapes& expected);

/// True where every element is finite as a float32. Integers are.
bool allFinite(const Array& array);

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
