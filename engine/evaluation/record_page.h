#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/evaluation/result_files.h"
#include "engine/mesh.h"
#include "engine/web_page/web_page.h"

namespace threefold {

/// A mesh of a run's sample, in the space of the sample's first view.
struct RecordMesh {
    std::string name;  ///< "refined", "A"
    Mesh mesh;
    const Scores* scores = nullptr;  ///< null: no measures
    /// Means over the photographs; nullopt: not measured.
    std::optional<SilhouetteMeans> silhouettes = {};
};

/// A sample of a run for a page: these meshes with their distances to the truth, the truth's points
/// and the photographs, as far as the list's line, with `imageRoot`, still leads to them. nullopt
/// without a mesh. Numbers are those of webMeasures().
std::optional<WebResult> webResultOfRecord(const EvaluationRun& run, const SampleRecord& record,
                                           std::vector<RecordMesh> meshes,
                                           const std::filesystem::path& imageRoot);

/// The meshes that an evaluation wrote into its folder for a sample: the network's result and the
/// fitted one, as far as they are there and readable.
std::vector<RecordMesh> writtenMeshes(const std::filesystem::path& folder, const EvaluationRun& run,
                                      const SampleRecord& record);

}  // namespace threefold
