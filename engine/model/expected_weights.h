#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "engine/formats/tensors/array.h"
#include "engine/model/run_step.h"
#include "engine/model/template_mesh.h"

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

}  // namespace threefold
