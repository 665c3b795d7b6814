#pragma once

#include <filesystem>

#include "engine/sample_rendering/render_options.h"
#include "engine/sample_rendering/source_mesh.h"

namespace threefold {

/// Where a rendered sample is, or will be.
struct SamplePaths {
    std::filesystem::path folder;  ///< {root}/{category}/{id}
    std::filesystem::path truth;   ///< {root}/gt/{category}_{id}_00.dat; the .ply is beside it
};

/// Whether the sample exists: its camera file and its truth. Throws InputError if it does, but one
/// of these is empty, or a picture that its renderings.txt names is missing or empty.
bool isRendered(const std::filesystem::path& root, const SourceMesh& mesh);

/// Whether the mesh's file was changed after the truth of its sample, which exists, was written.
bool isNewerThanSample(const std::filesystem::path& root, const SourceMesh& mesh);

/// Future paths of a sample. Throws InputError if the folder exists without
/// RenderOptions::overwrite, or with it, if it holds more than a sample or is no folder.
SamplePaths samplePathsFor(const SourceMesh& mesh, const std::filesystem::path& root,
                           const RenderOptions& options);

}  // namespace threefold
