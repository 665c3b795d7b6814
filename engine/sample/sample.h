#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/formats/image.h"
#include "engine/formats/rendering_metadata.h"
#include "engine/sample/camera.h"
#include "engine/sample/mesh_space.h"
#include "engine/sample/network_input.h"

namespace threefold {

/// One item on disk, found but not yet decoded: in ShapeNet's layout (METHOD.md §10), where image
/// NN belongs to row NN of the metadata, or any folder of images with a `rendering_metadata.txt` of
/// one row for each, in the order of their names. Images are .png, .jpg and .jpeg.
struct Sample {
    std::string category;                       ///< "02691156"; empty outside ShapeNet's layout
    std::string item;                           ///< "p0001", or the folder's name
    std::filesystem::path renderingFolder;      ///< holds the images and rendering_metadata.txt
    std::vector<std::filesystem::path> images;  ///< one for each view; empty where it is missing
    std::vector<CameraRow> cameraRows;          ///< same length as `images`
    std::filesystem::path groundTruth;          ///< empty where there is none
    int groundTruthView = 0;                    ///< the view whose space the truth is in
    /// Whether the truth is in a view's space or in the world's; none: guessed from where it lies.
    std::optional<MeshSpace> groundTruthSpace = MeshSpace::view;

    /// "02691156_p0001_00" for truth view 0: the base of output names. The item's name outside
    /// ShapeNet's layout.
    std::string name() const;
    std::size_t viewCount() const { return images.size(); }
};

/// The views that published runs choose.
inline const std::vector<int> kPublishedViews = {0, 6, 7};

/// Finds a sample from what a person would name: the rendering folder, the item's folder, one of
/// its images, its metadata, or a test-list name ("02691156_p0001_00.dat") together with
/// `imageRoot`. A ground-truth file that exists is a test-list name too; without an `imageRoot` its
/// images are looked for in the ShapeNetRendering folder beside its own.
/// The ground truth is looked for as `{category}_{item}_{view}.dat` (outside ShapeNet's layout
/// `{item}_{view}.dat`) and the other names of findTruthFile() in `truthRoot` if given, in `gt/`
/// beside the ShapeNetRendering folder, and in `gt/` beside the category folders; a test-list name
/// says the view, else the lowest there is counts.
/// Throws InputError (nothing there; no camera for an image; fewer than two views), IoError,
/// FormatError (metadata).
Sample findSample(const std::filesystem::path& location,
                  const std::filesystem::path& imageRoot = {},
                  const std::filesystem::path& truthRoot = {});

/// The view whose space a truth file's name says it is in: 6 of "02691156_p0001_06.dat";
/// `otherwise` for other names.
int truthViewOf(const std::filesystem::path& file, int otherwise);

/// The folders of all items under a data set's root (the ShapeNetRendering folder, the one that
/// holds it, or a category's), sorted by category then item; unreadable ones are left out.
std::vector<std::filesystem::path> listSamples(const std::filesystem::path& root);

/// Decodes the chosen views (2 to 8, in the given order; the first is "view 0" of METHOD.md §2).
/// Throws InputError for a view the item does not have, whose image is missing, or a repeated one;
/// and what readImage throws.
NetworkInput loadViews(const Sample& sample, std::span<const int> views);
/// The same with `read` in place of readImage(): for who keeps decoded images.
NetworkInput loadViews(const Sample& sample, std::span<const int> views,
                       const std::function<Image(const std::filesystem::path&)>& read);

}  // namespace threefold
