#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/formats/tensors/array.h"
#include "engine/model/expected_weights.h"
#include "engine/model/mesh_stages.h"
#include "engine/model/template_mesh.h"

namespace threefold {

/// Stage 1's sampling of feature maps: bilinear in each view's maps, or the nearest texel of the
/// first view's maps for all views. The weights determine which sampler is right (METHOD.md §5).
enum class SamplerKind { bilinearPerView, nearestInFirstView };
std::string_view samplerName(SamplerKind kind);      ///< "bilinear-each", "nearest-first"
SamplerKind samplerFromName(std::string_view name);  ///< Throws ModelError.

/// Value of the key "format" in a model file's metadata; other keys are "sampler",
/// "sampler.reason", "hypothesis_radius", "description", "converter", "template.completed",
/// "source.{stage1,stage2}.format" and "source.{stage1,stage2,template}.sha256".
inline constexpr std::string_view kModelFormat = "threefold-model-1";

/// Content of a model file: weights of both stages, the template, and their provenance. A model may
/// lack stage 2, or have any number of hypothesis blocks up to kMaxHypothesisBlocks.
struct Model {
    /// Tensors with METHOD.md's names after "stage1." or "stage2.": "stage1.cnn.conv1.weight"
    /// [out,in,k,k], "stage1.gcn1_layers.0.weights.0" [in,out], "stage2.drb1.local_conv1.bias" ….
    /// The values are stored in the file's precision and converted on use.
    ArrayMap weights;
    TemplateMesh templateMesh;
    std::vector<MeshStage> stages;  ///< the meshes that the model computes; the last is the result
    SamplerKind sampler = SamplerKind::bilinearPerView;
    std::map<std::string, std::string> provenance;  ///< metadata of the file, as stored
    std::filesystem::path file;
    std::string hash;  ///< SHA-256 of the file, hexadecimal

    std::size_t hypothesisBlocks() const { return stages.size() - templateMesh.levels.size(); }
};

/// Reads a model file and checks its tensors. The highest hypothesis block with a weight determines
/// the number of blocks. Throws IoError, NotThisFormat, FormatError; ModelError for bad metadata or
/// a bad template, for a tensor that is missing, left over, of a wrong shape or type, or not finite
/// (the error names the first such tensor), and for more than kMaxHypothesisBlocks blocks.
std::shared_ptr<const Model> loadModel(const std::filesystem::path& file);

}  // namespace threefold
