#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "engine/formats/tensors/array.h"
#include "engine/model/template_mesh.h"

namespace threefold {

/// Name → shape.
using WeightShapes = std::map<std::string, std::vector<std::size_t>>;

/// The tensors that a model with this template must have, with their shapes (METHOD.md §4, §6, §7).
WeightShapes expectedWeights(const TemplateMesh& mesh);

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

}  // namespace threefold
