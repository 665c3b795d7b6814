#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "engine/evaluation/run/evaluation_run.h"
#include "engine/mesh.h"

namespace threefold {

/// A run to compare: a folder of `eval`, a run in this process, or another program's meshes.
struct ComparedRun {
    std::string name;          ///< as given: "out/last", "cpu:bfloat16"
    EvaluationRun evaluation;  ///< another program's run has one mesh per sample and no times
    /// Returns a sample's mesh, without vertices if the mesh is missing. The function may be empty.
    /// Called on any thread.
    std::function<Mesh(const SampleRecord& record)> readMesh;
};

/// Reads a sample's mesh in a folder: NAME_fitted.*, NAME_predict.* or NAME.*, in any readable
/// format. Returns a mesh without vertices if there is no such file. Adds to `notes`: parts of the
/// shape that are left out, and a NAME.* that is not read because NAME_fitted.* or NAME_predict.*
/// is read. Throws as readMesh() does.
Mesh readSampleMesh(const std::filesystem::path& folder, const std::string& name,
                    std::vector<std::string>* notes = nullptr);

/// Reads a run of `eval`, named after its folder. Its meshes are read on demand; a broken mesh
/// throws FormatError, with the remedy to make the mesh again. Throws as readJournal() does.
ComparedRun readRun(const std::filesystem::path& folder);

}  // namespace threefold
