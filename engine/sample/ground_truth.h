#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "engine/formats/meshes/mesh_files.h"
#include "engine/mesh.h"
#include "engine/sample/mesh_space.h"
#include "engine/sample/sample.h"

namespace threefold {

/// Ground truth of a sample: points of the true surface, with normals if the file has them.
struct GroundTruth {
    Points points;                 ///< relative to `origin`
    Points normals;                ///< empty, or as many as points
    std::filesystem::path source;  ///< path of the file, as given
    /// Surface that the points sample, if the file holds a mesh with faces.
    Mesh surface;
    MeshSpace space = MeshSpace::camera;  ///< space assumed for the file's coordinates
    glm::dvec3 origin{0.0};          ///< subtracted from points and surface, see LoadedMesh::origin
    std::vector<std::string> notes;  ///< omissions and assumptions, one sentence each
};

/// Moves points and surface to another `GroundTruth::origin`.
void moveOrigin(GroundTruth& truth, glm::dvec3 origin);

/// Reads ground truth from a pickle (METHOD.md §10) or from a file that readMesh() reads. The
/// pickle holds an N×6 or N×3 array, alone or as the second element of a tuple (image, array). A
/// mesh with faces yields kSurfaceSampleCount points, spread evenly by area. The result is in the
/// file's own space. Throws IoError, NotThisFormat, FormatError, InputError (empty, not N×3/N×6,
/// not finite, no area).
GroundTruth readGroundTruth(const std::filesystem::path& file, const MeshReadOptions& options = {});
/// Decodes ground truth from bytes in memory, which may be untrusted. `subject`: file name, whose
/// extension tells the format.
GroundTruth decodeGroundTruth(std::span<const std::byte> bytes,
                              const std::filesystem::path& subject,
                              const MeshReadOptions& options = {});

/// Loads the sample's truth and transforms it to the camera space of view `firstView`, by the
/// cameras of `firstView` and of the truth's view (METHOD.md §2). In a sample with camera rows, a
/// truth whose bounding box has a diagonal of about 1, as ShapeNet's own models have, is scaled by
/// kObjectDiagonal, and a note says so. Throws as readGroundTruth() does, and InputError if the
/// sample has no truth or a view does not exist.
GroundTruth loadGroundTruth(const Sample& sample, int firstView);

/// Keeps a random choice of `count` points, or all if there are fewer, in their order (selection
/// sampling, Knuth 3.4.2 S). Deterministic. `count` must be at least 1.
void downsampleRandomly(GroundTruth& truth, std::size_t count);

/// True for the extension of a pickle or of a mesh format accepted as truth (mesh_formats.h).
bool isTruthExtension(const std::filesystem::path& extension);

/// Default coordinate space of a truth file: camera space for a pickle, as published; nullopt for
/// other formats, whose points decide (detectSpace()).
std::optional<MeshSpace> defaultSpaceOfFormat(const std::filesystem::path& file);

/// Truth file that was found, and the view whose camera space it may be in.
struct TruthFile {
    std::filesystem::path file;
    int view = 0;  ///< from the file name; else the requested view, or 0
};

/// Finds a sample's truth in a folder, in this order: `{base}_{view}` with each extension in turn
/// (the requested view, or the lowest that exists with the extension), `{base}`, `{category}/{id}`,
/// `{category}/{id}/model`, `{category}/{id}/models/model_normalized` (ShapeNet's own layout).
/// `base` is `{category}_{id}`, or the id alone where the category is empty.
std::optional<TruthFile> findTruthFile(const std::filesystem::path& folder,
                                       const std::string& category, const std::string& id,
                                       std::optional<int> view);

/// Finds a truth only among the nested folders of findTruthFile(), `{category}/…`, where file names
/// give no view.
std::optional<std::filesystem::path> findNestedTruth(const std::filesystem::path& folder,
                                                     const std::string& category,
                                                     const std::string& id);

/// Base name of a truth file: "02691156_p0001" for "02691156_p0001_06.dat" and
/// "02691156_p0001.obj"; nullopt unless isTruthExtension().
std::optional<std::string> truthBaseOf(const std::filesystem::path& file);

}  // namespace threefold
