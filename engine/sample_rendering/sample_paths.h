#pragma once

#include <filesystem>

#include "engine/sample_rendering/render_options.h"
#include "engine/sample_rendering/source_mesh.h"

namespace threefold {

/// Paths of a rendered sample, which need not exist yet.
struct SamplePaths {
    std::filesystem::path folder;  ///< {root}/{category}/{id}
    std::filesystem::path truth;   ///< {root}/gt/{category}_{id}_00.dat; the .ply is beside it
};

/// Whether the sample exists, that is, its camera rows (rendering_metadata.txt) and its truth.
/// Throws InputError if both exist, but one of them is empty, or a picture that renderings.txt
/// names is missing or empty.
bool isRendered(const std::filesystem::path& root, const SourceMesh& mesh);

/// Whether the mesh's file was changed after the truth of its sample was written; false if there is
/// no truth.
bool isNewerThanSample(const std::filesystem::path& root, const SourceMesh& mesh);

/// Future paths of a sample. Throws InputError if something would be lost: without
/// RenderOptions::overwrite, if the sample's folder or one of its truth files exists; with it, if
/// the folder holds more than a sample or is no folder.
SamplePaths samplePathsFor(const SourceMesh& mesh, const std::filesystem::path& root,
                           const RenderOptions& options);

}  // namespace threefold
