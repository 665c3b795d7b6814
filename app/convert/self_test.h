#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "engine/model/model.h"

namespace threefold {

/// How far each hypothesis block moves vertices: means, object units.
using BlockMoves = std::vector<double>;

/// Those of the first bundled sample, under the model's own sampler; takes as long as one
/// reconstruction on the processor. Throws as runSelfTest().
BlockMoves blockMoves(std::shared_ptr<const Model> model);

/// "block 1 moves vertices by …", and a line for each block that moves nothing.
std::vector<std::string> movesText(const BlockMoves& moved);

/// Means over bundled samples, on the processor in float32, by the published protocol.
struct SelfTestResult {
    SamplerKind sampler = SamplerKind::bilinearEach;
    double chamferCoarse = 0, chamferRefined = 0;
    double fTauCoarse = 0, fTauRefined = 0;  ///< percent
    double fTwoTauRefined = 0;               ///< percent
    BlockMoves moved = {};
};

enum class SelfTestVerdict {
    plausible,
    otherSampler,  ///< the other sampler gives clearly better meshes
    implausible,   ///< neither gives meshes that are near the truth
};

/// Reconstructs the first `samples` bundled samples with `model` under both samplers, its own
/// first. Throws IoError where there are none, and what reconstructing throws.
std::vector<SelfTestResult> runSelfTest(const std::shared_ptr<const Model>& model,
                                        std::size_t samples = 4);

/// Right weights reach an F(2τ) of 30 % and more on the bundled samples, and the wrong sampler
/// costs several points of F(τ); weights in a wrong order stay below 10 %.
SelfTestVerdict judgeSelfTest(const std::vector<SelfTestResult>& results);

/// The measures as a table with units and protocol, and the verdict in words.
std::string selfTestText(const std::vector<SelfTestResult>& results);

}  // namespace threefold
