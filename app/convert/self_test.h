#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "engine/model/model.h"

namespace threefold {

/// Mean distance by which each hypothesis block moves vertices, object units.
using BlockMovements = std::vector<double>;

/// Measures how far each block moves the vertices of the first bundled sample, with the model's own
/// sampler: one reconstruction on the processor. Throws IoError if there are no bundled samples;
/// otherwise throws as Backend::reconstruct() does.
BlockMovements blockMovements(std::shared_ptr<const Model> model);

/// Lines of text: "block 1 moves vertices by …", and a line for each block that moves nothing.
std::vector<std::string> movementText(const BlockMovements& movements);

/// Result of a self-test with one sampler: means over bundled samples, on the processor in float32,
/// by the published protocol.
struct SelfTestResult {
    SamplerKind sampler = SamplerKind::bilinearPerView;
    /// Chamfer distance: sum of the mean squared distances in both directions, object units².
    double chamferCoarse = 0, chamferRefined = 0;
    double fTauCoarse = 0, fTauRefined = 0;  ///< percent
    double fTwoTauRefined = 0;               ///< percent
    BlockMovements movements = {};
};

/// Conclusion from a self-test.
enum class SelfTestVerdict {
    plausible,
    otherSampler,  ///< the other sampler gives clearly better meshes, or alone plausible ones
    implausible,   ///< neither sampler gives meshes near the truth
};

/// Reconstructs the first `samples` bundled samples with both samplers, the model's own first.
/// A sampler whose reconstructions throw InputError gets F-scores of 0. Throws IoError if there are
/// no bundled samples; otherwise throws as Backend::reconstruct() does.
std::vector<SelfTestResult> runSelfTest(const std::shared_ptr<const Model>& model,
                                        std::size_t samples = 4);

/// Judges a self-test. Correct weights reach F(2τ) of 30 % and more on the bundled samples, the
/// wrong sampler costs several points of F(τ), and weights in a wrong order stay below 10 %.
SelfTestVerdict judgeSelfTest(const std::vector<SelfTestResult>& results);

/// The measures as a table with units and protocol, and the verdict in words.
std::string selfTestText(const std::vector<SelfTestResult>& results);

}  // namespace threefold
