#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/pipeline/sample_record.h"
#include "engine/sample_steps/fitted_reconstruction.h"

namespace threefold {

/// Text between a sample's name and the extension in the name of a mesh's file (METHOD.md §10).
inline constexpr const char* kPredictionSuffix = "_predict";
inline constexpr const char* kFittedSuffix = "_fitted";

/// Paths of all meshes that a run can write for a sample: `folder`/{name}_predict.obj and .xyz, and
/// {name}_fitted.obj.
std::vector<std::filesystem::path> possibleMeshFiles(const std::filesystem::path& folder,
                                                     const std::string& name);

/// Paths of a sample's meshes: possibleMeshFiles(), the last only for a fitted and measured sample.
std::vector<std::filesystem::path> meshFilesOf(const std::filesystem::path& folder,
                                               const SampleRecord& record);

/// Whether each of meshFilesOf() exists with the content that the record describes. Reads the
/// files. False for a record of a run that wrote no meshes, and for a file that cannot be read.
bool hasUnchangedMeshFiles(const std::filesystem::path& folder, const SampleRecord& record);

/// Those of meshFilesOf() that exist, but with other content than the record describes: files of
/// another program, or changed since the run. Reads the files.
std::vector<std::filesystem::path> changedMeshFilesOf(const std::filesystem::path& folder,
                                                      const SampleRecord& record);

/// Writes a sample's result, and its fitted mesh, if any. Returns the sizes and hashes of the
/// files, for SampleRecord::meshes. Throws as writeMesh() does.
std::vector<WrittenFile> writeMeshes(const std::filesystem::path& folder, const std::string& name,
                                     const FittedReconstruction& reconstruction);

}  // namespace threefold
