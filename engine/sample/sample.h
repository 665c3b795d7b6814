#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/formats/pictures/image.h"
#include "engine/sample/mesh_space.h"
#include "engine/sample/posed_photos/own_cameras.h"
#include "engine/views/camera.h"
#include "engine/views/network_input.h"
#include "engine/views/rendering_metadata.h"

namespace threefold {

/// One item on disk, found but not yet decoded: in ShapeNet's layout (METHOD.md §10), where image
/// NN belongs to row NN of the metadata, or any folder of images with a `rendering_metadata.txt` of
/// one row for each, in the order of their names. Images are .png, .jpg and .jpeg. Or photographs
/// with cameras as matrices (see OwnCameras): those have rows too, of the cameras that the network
/// is given.
struct Sample {
    std::string category;                       ///< "02691156"; empty outside ShapeNet's layout
    std::string item;                           ///< "p0001", or the folder's name
    std::filesystem::path renderingFolder;      ///< holds the images and rendering_metadata.txt
    std::vector<std::filesystem::path> images;  ///< one for each view; empty where it is missing
    std::vector<CameraRow> cameraRows;          ///< same length as `images`
    std::filesystem::path groundTruth;          ///< empty where there is none
    int groundTruthView = 0;                    ///< the view whose space the truth is in
    /// Where the cameras came as matrices, what is to be done to the photographs and to the world;
    /// null where they are ShapeNet's.
    std::shared_ptr<const OwnCameras> own;
    /// Whether the truth is in a view's space or in the world's; none: guessed from where it lies.
    std::optional<MeshSpace> groundTruthSpace = MeshSpace::view;

    /// "02691156_p0001_00" for truth view 0: the base of output names. The item's name outside
    /// ShapeNet's layout.
    std::string name() const;
    std::size_t viewCount() const { return images.size(); }
    /// From ShapeNet's world, in which the rows are, to the person's own: the same but where `own`.
    glm::dvec3 toOwnWorld(glm::dvec3 world) const;
    glm::dvec3 fromOwnWorld(glm::dvec3 own) const;
};

/// The views that published runs choose.
inline const std::vector<int> kPublishedViews = {0, 6, 7};

/// Finds a sample from what a person would name: the rendering folder, the item's folder, one of
/// its images, its metadata, or a test-list name ("02691156_p0001_00.dat") together with
/// `imageRoot`. A ground-truth file that exists is a test-list name too; without an `imageRoot` its
/// images are looked for in the ShapeNetRendering folder beside its own.
/// The ground truth is looked for as `{category}_{item}_{view}.dat` (outside ShapeNet's layout
/// `{item}_{view}.dat`) and the other names of findTruthFile() in `truthRoot` and nowhere else if
/// given, otherwise in `gt/` beside the ShapeNetRendering folder, then in `gt/` beside the category
/// folders; a test-list name says the view, else the lowest there is counts.
/// A file of cameras as matrices, or a folder with one and without rendering_metadata.txt (see
/// cameraFileIn()), is a sample of photographs of one's own; `object` tells where the object is in
/// them, and is not used for any other.
/// Throws InputError (nothing there; no camera for an image; fewer than two views), IoError,
/// FormatError (metadata); and what readOwnCameras() throws.
Sample findSample(const std::filesystem::path& location,
                  const std::filesystem::path& imageRoot = {},
                  const std::filesystem::path& truthRoot = {}, const ObjectPlace& object = {});

/// Where nobody chose: the published views; of one's own photographs, and of kMostViews or fewer of
/// any kind, three spread evenly over those that can be used (two where there are no more).
std::vector<int> defaultViews(const Sample& sample);

/// The view whose space a truth file's name says it is in: 6 of "02691156_p0001_06.dat";
/// `otherwise` for other names.
int truthViewOf(const std::filesystem::path& file, int otherwise);

/// The folders of all items under a data set's root (the ShapeNetRendering folder, the one that
/// holds it, or a category's), sorted by category then item; unreadable ones are left out.
std::vector<std::filesystem::path> listSamples(const std::filesystem::path& root);

/// Decodes the chosen views (2 to 8, in the given order; the first is "view 0" of METHOD.md §2),
/// and resamples them where they are `own`. Throws InputError for a view the item does not have,
/// whose image is missing, or a repeated one; and what readImage throws.
NetworkInput loadViews(const Sample& sample, std::span<const int> views);
/// The same with `read` in place of readImage(): for who keeps decoded images.
NetworkInput loadViews(const Sample& sample, std::span<const int> views,
                       const std::function<Image(const std::filesystem::path&)>& read);

/// What the network is shown of a view: its decoded image, resampled where it is `own`. Throws
/// std::out_of_range for a view that is not there, and as networkImage().
Image asNetworkSees(const Sample& sample, int view, Image decoded);

}  // namespace threefold
