#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/evaluation/run/evaluation_run.h"
#include "engine/mesh.h"
#include "engine/sample/sample.h"
#include "engine/web_page/web_page.h"

namespace threefold {

/// A mesh of a run's sample, in the space of the sample's first view.
struct SampleMesh {
    std::string name;  ///< "refined", "A"
    Mesh mesh;
    const Scores* scores = nullptr;  ///< null: no measures
    /// Means over the photographs; nullopt: not measured.
    std::optional<SilhouetteMeans> silhouettes = {};
};

/// Finds the sample of a record by SampleRecord::listedName. `imageRoot`: folder in which listed
/// names are looked up; empty: the list's folder. Throws as findSample() does.
Sample sampleOfRecord(const RunDescription& description, const SampleRecord& record,
                      const std::filesystem::path& imageRoot);

/// A sample of a run for a page: `meshes` with their distances to the truth and the numbers of
/// webMeasures(), the truth's points, and the photographs. Truth and photographs are missing if the
/// list's line, with `imageRoot`, no longer leads to them. nullopt without a mesh.
std::optional<WebResult> webResultOfRecord(const EvaluationRun& run, const SampleRecord& record,
                                           std::vector<SampleMesh> meshes,
                                           const std::filesystem::path& imageRoot);

/// The meshes that an evaluation wrote into its folder for a sample: the network's result and the
/// fitted mesh, as far as they exist, are readable and have not changed since the run.
std::vector<SampleMesh> writtenMeshes(const std::filesystem::path& folder, const EvaluationRun& run,
                                      const SampleRecord& record);

}  // namespace threefold
