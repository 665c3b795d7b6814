#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "cuda/kernels/hypothesis_block.h"
#include "engine/network/pooling.h"

namespace threefold::cuda::test {

/// Rounding of the operands of products in a precision. Each function returns the value that the
/// rounded number represents; innerColumn() writes these values in place.
struct Rounding {
    std::function<float(float)> storage;  ///< of features, and of x1 and x3, which are added later
    std::function<float(float)> first;    ///< operands of the first convolution
    /// Inputs of convolutions 2 to 5, counted from 1.
    std::function<float(float value, int convolution)> inner;
    /// Weights of one column of convolutions 2 to 5, rounded together.
    std::function<void(std::vector<float>& column)> innerColumn;
    std::function<float(float)> mixing;  ///< operands of the product with the Laplacian
};

Rounding roundingOf(Precision precision, const QuantisationRanges& ranges);

/// Result of a block for one vertex.
struct HypothesisResult {
    std::vector<float> scores;
    glm::vec3 moved;
    QuantisationRanges ranges;
};

/// Computes METHOD.md §7 in plain loops with sums in double precision, and rounds by `rounding`
/// where the kernel rounds. run() pools the features (hypotheses, 339) of the vertex with
/// `pooling`.
class HypothesisReference {
  public:
    HypothesisReference(const Model& model, std::size_t block, Rounding rounding);

    HypothesisResult run(glm::vec3 vertex, const FeaturePooling& pooling) const;

  private:
    struct Convolution {
        std::size_t inner;
        std::size_t outer;
        std::vector<float> weights[2];  ///< (inner, outer), rounded
        std::vector<float> bias;
    };
    std::vector<double> convolve(const std::vector<float>& x, const Convolution& convolution) const;

    const TemplateMesh* mesh_;
    Rounding rounding_;
    std::vector<Convolution> convolutions_;
};

}  // namespace threefold::cuda::test
