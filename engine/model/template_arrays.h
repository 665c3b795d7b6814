#pragma once

#include <string>

#include "engine/formats/tensors/array.h"
#include "engine/model/template_mesh.h"

namespace threefold {

/// The prefix of the template's arrays in a model file; weights begin with "stage1." or "stage2.".
inline constexpr std::string_view kTemplatePrefix = "template.";

/// The template as a model file stores it, int32 and float32: "template.coordinates" [V,3],
/// "template.hypotheses" [H,3], "template.level1.faces" [F,3], "template.level1.unpool_edges" [E,2]
/// (not on the last level), and for each Laplacian ("template.level1.laplacian",
/// "template.hypothesis_laplacian") ".row_start" [rows + 1], ".column" and ".value" [non-zeros].
ArrayMap templateToArrays(const TemplateMesh& mesh);

/// The inverse, checked (see checkTemplate). Other names in `arrays` are ignored, except left-over
/// ones under "template.". `subject` names the file. Throws ModelError.
TemplateMesh templateFromArrays(const ArrayMap& arrays, const std::string& subject);

}  // namespace threefold
