#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/formats/tensors/array.h"
#include "engine/model/mesh_stages.h"
#include "engine/model/template_mesh.h"
#include "engine/model/weights.h"

namespace threefold {

/// How stage 1 reads the feature maps: a property of the weights (METHOD.md §5).
enum class SamplerKind { bilinearEach, nearestFirst };
std::string_view samplerName(SamplerKind kind);      ///< "bilinear-each", "nearest-first"
SamplerKind samplerFromName(std::string_view name);  ///< Throws ModelError.

/// Value of the key "format" in a model file's metadata; other keys are "sampler",
/// "hypothesis_radius", "description", "converter" and "source.{stage1,stage2,template}.sha256".
inline constexpr std::string_view kModelFormat = "threefold-model-1";

/// One file, one model: both stages' weights, the template, and where they came from. A model
/// without stage 2, or with other than two hypothesis blocks, is one as well.
struct Model {
    /// "stage1.cnn.conv1.weight" [out,in,k,k], "stage1.gcn1_layers.0.weights.0" [in,out],
    /// "stage2.drb1.local_conv1.bias" …: METHOD.md's names behind "stage1." and "stage2.".
    /// Kept in the width that the file stores; converted where used.
    ArrayMap weights;
    TemplateMesh mesh;
    std::vector<MeshStage> stages;  ///< the meshes that it makes; the last one is its result
    SamplerKind sampler = SamplerKind::bilinearEach;
    std::map<std::string, std::string> provenance;  ///< metadata of the file, as stored
    std::filesystem::path source;
    std::string hash;  ///< SHA-256 of the file, hexadecimal

    std::size_t hypothesisBlocks() const { return stages.size() - mesh.levels.size(); }
};

/// Reads a model file and checks its tensors. The highest hypothesis block with a weight gives the
/// number of blocks. Throws IoError, NotThisFormat, FormatError; ModelError with the tensor's name
/// and the expected shape (a tensor is missing, left over, of a wrong shape or not finite), or
/// where there are more than kMostHypothesisBlocks.
std::shared_ptr<const Model> loadModel(const std::filesystem::path& file);

}  // namespace threefold
