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

/// Points (and normals, where the file has them) of the true surface in the space of one view.
struct GroundTruth {
    Points points;   ///< less `origin`
    Points normals;  ///< empty, or as many as points
    std::filesystem::path source;
    /// If the file holds a mesh with faces: the surface that the points sample.
    Mesh surface;
    MeshSpace space = MeshSpace::view;  ///< space assumed for the file's coordinates
    glm::dvec3 origin{0.0};             ///< MeshFile::origin, of points and surface
    std::vector<std::string> notes;     ///< what was left out or assumed, a sentence each
};

/// Moves points and surface to another origin.
void moveOrigin(GroundTruth& truth, glm::dvec3 origin);

/// Reads a pickle of METHOD.md §10 in either layout, bare N×6 (or N×3) array or (image, array); or
/// a file that readMesh() reads. The truth of a mesh with faces is kSurfaceSamples points, spread
/// evenly by area. The result is in the file's own space. Throws IoError, NotThisFormat,
/// FormatError, InputError (empty, not N×3/N×6, not finite, no area).
GroundTruth readGroundTruth(const std::filesystem::path& file, const MeshReading& reading = {});
/// The same for bytes in memory, which may be untrusted; `subject` gives the extension.
GroundTruth decodeGroundTruth(std::span<const std::byte> bytes,
                              const std::filesystem::path& subject,
                              const MeshReading& reading = {});

/// The sample's truth expressed in the space of view `firstView`, through the world with the two
/// cameras (METHOD.md §2). A truth beside ShapeNet's renderings whose box has a diagonal of 1, as
/// ShapeNet's own models have, is scaled by kObjectDiagonal, and a note says so. Throws as above;
/// InputError where the sample has none.
GroundTruth loadGroundTruth(const Sample& sample, int firstView);

/// Keeps `count` of the points, at least one, or all if there are no more: a random choice
/// (selection sampling, Knuth 3.4.2 S), the same each time, in their order.
void keepPoints(GroundTruth& truth, std::size_t count);

/// True for a pickle's extension or that of a format that mesh_formats.h accepts as a truth.
bool isTruthExtension(const std::filesystem::path& extension);

/// Default coordinate space of a truth file: a view's for a pickle, as published; none for all
/// others, whose space is guessed from their coordinates.
std::optional<MeshSpace> truthSpaceOf(const std::filesystem::path& file);

struct TruthFile {
    std::filesystem::path file;
    int view = 0;  ///< given by its name; else the wanted one, or 0
};

/// An item's truth in a folder. Looks for, in this order: `{base}_{view}` with each extension in
/// turn (the wanted view, or the lowest that exists), `{base}`, `{category}/{item}`,
/// `{category}/{item}/model`, `{category}/{item}/models/model_normalized` (ShapeNet's own layout).
/// `base` is `{category}_{item}`, or the item alone where the category is empty.
std::optional<TruthFile> findTruthFile(const std::filesystem::path& folder,
                                       const std::string& category, const std::string& item,
                                       std::optional<int> view);

/// Only looks for truths in folders of their own, `{category}/…`, which name no view.
std::optional<std::filesystem::path> findNestedTruth(const std::filesystem::path& folder,
                                                     const std::string& category,
                                                     const std::string& item);

/// "02691156_p0001" of "02691156_p0001_06.dat" and of "02691156_p0001.obj"; nothing where the
/// extension is not that of a truth.
std::optional<std::string> truthBaseOf(const std::filesystem::path& file);

}  // namespace threefold
