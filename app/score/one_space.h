#pragma once

#include <string>

#include "app/score/request.h"
#include "engine/formats/meshes/mesh_files.h"
#include "engine/sample/ground_truth.h"

namespace threefold {

/// Converts the file in world space to camera space if the options give a space and the two spaces
/// differ; a space that is not given is detected. Then gives the mesh the truth's origin. Returns a
/// warning if no space was given and the detected spaces differ, if the units seem to differ, if
/// the boxes do not touch, or if both files are in a view's space and cameras are named, but the
/// truth's name ends with another view than `options.view`; else an empty string. Throws
/// - UsageError: the spaces differ but no rendering_metadata.txt is named, or cameras are named but
///   no space is given;
/// - InputError: the row does not exist;
/// - otherwise as readRenderingMetadata() does.
std::string intoOneSpace(const SpaceOptions& options, LoadedMesh& mesh, GroundTruth& truth);

}  // namespace threefold
