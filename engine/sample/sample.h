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
#include "engine/sample/posed_photos/posed_photos.h"
#include "engine/views/camera.h"
#include "engine/views/network_input.h"

namespace threefold {

/// One item on disk, located but not decoded: in ShapeNet's layout (METHOD.md §10), where image NN
/// belongs to row NN of the metadata; a folder of images (isImageName()) with a
/// `rendering_metadata.txt` of one row each, in the order of their names (or a `cameras.txt` of
/// such rows, see metadataFileIn()); or posed photographs, whose rows are the network's cameras.
struct Sample {
    std::string category;                       ///< "02691156"; empty outside ShapeNet's layout
    std::string item;                           ///< "p0001", or the folder's name
    std::filesystem::path renderingFolder;      ///< holds the images and rendering_metadata.txt
    std::vector<std::filesystem::path> images;  ///< one for each view; empty where it is missing
    std::vector<CameraRow> cameraRows;          ///< same length as `images`
    std::filesystem::path groundTruth;          ///< empty where there is none
    int groundTruthView = 0;                    ///< the view whose space the truth is in
    /// Photographs whose cameras came as matrices; null for ShapeNet's camera rows.
    std::shared_ptr<const PosedPhotos> photos;
    /// The truth's coordinate space; none: detected from its points.
    std::optional<MeshSpace> groundTruthSpace = MeshSpace::view;

    /// "02691156_p0001_00" for truth view 0; outside ShapeNet's layout the item's name.
    std::string name() const;
    std::size_t viewCount() const { return images.size(); }
    /// From ShapeNet's world, which the rows use, to that of `photos`; unchanged without photos.
    glm::dvec3 toPhotoWorld(glm::dvec3 world) const;
    glm::dvec3 fromPhotoWorld(glm::dvec3 point) const;
    /// MeshFile::origin of meshes of the object in the world of `photos`.
    glm::dvec3 photoOrigin() const;
    /// Whether z points up in the photographs' world, to 30°; false where there is none.
    bool isPhotoWorldZUp() const;
};

/// The views that published runs choose.
inline const std::vector<int> kPublishedViews = {0, 6, 7};

/// Finds a sample by its rendering folder, its item's folder, one of its images, its metadata, a
/// ground-truth file, or a test-list name ("02691156_p0001_00.dat") together with `imageRoot`. For
/// a truth file without `imageRoot`, looks for images in the ShapeNetRendering folder beside it.
/// The ground truth has one of the names of findTruthFile(), in `truthRoot` only if given, else in
/// `gt/` beside the ShapeNetRendering folder, then beside the category folders. A test-list name
/// gives the view; otherwise the lowest one that exists is used.
/// A camera file, or a folder with one and without rendering_metadata.txt (see cameraFileIn()), is
/// a sample of posed photographs; only these use `object`, the place of the object in them.
/// `truthSpace`: the truth's coordinates, where they are known.
/// Throws InputError (not found; no camera for an image; fewer than two views), IoError,
/// FormatError (metadata); and what readPosedPhotos() throws.
Sample findSample(const std::filesystem::path& location,
                  const std::filesystem::path& imageRoot = {},
                  const std::filesystem::path& truthRoot = {}, const ObjectPlace& object = {},
                  TruthSpace truthSpace = TruthSpace::unset);

/// The sample's images, found as by findSample(), but without a look at them or at masks; empty
/// paths where one is missing. Throws likewise.
std::vector<std::filesystem::path> sampleImages(const std::filesystem::path& location,
                                                const std::filesystem::path& imageRoot = {});

/// "2 of 24 images are missing: view 3, view 7 (images/07.png)", ten of them by name where the
/// cameras name them; empty where none is missing.
std::string missingImages(const Sample& sample);

/// The view whose space a truth is in: 6 for "02691156_p0001_06.dat"; else `otherwise`.
int truthViewOf(const std::filesystem::path& file, int otherwise);

/// The folders of all items under a data set's root (the ShapeNetRendering folder, the one that
/// holds it, or a category's), sorted by category then item; unreadable ones are left out.
std::vector<std::filesystem::path> listSamples(const std::filesystem::path& root);

/// What the network sees of a view: its decoded image, resampled for posed photographs and where
/// its camera is none that the network was trained with, see isAsTrained(). Throws as
/// networkImage(), std::out_of_range: no such view.
Image asNetworkSees(const Sample& sample, int view, Image decoded,
                    Resolution resolution = Resolution::network);

/// The same view as its photograph shows it, with its object. Throws as asNetworkSees().
ObjectView objectView(const Sample& sample, int view, Image decoded);

/// The mask of a view's photograph, see maskFileOf(photograph); empty where there is none.
std::filesystem::path maskFileOf(const Sample& sample, int view);

/// A view's photograph with its mask, see readPhotograph().
Image readViewPhotograph(const Sample& sample, int view);

/// Reads one view: networkView(), readViewPhotograph(), or a cache of one of the two.
using ViewReader = std::function<Image(const Sample& sample, int view)>;

/// From the view's file, see asNetworkSees(). Throws what that and readImage() throw.
Image networkView(const Sample& sample, int view);

/// Decodes the chosen views (2 to 8, in the given order; the first is "view 0" of METHOD.md §2),
/// and resamples posed photographs. Throws InputError for a view the item does not have,
/// whose image is missing, or a repeated one, for two with the same camera, and for an image beside
/// camera rows that is not square by more than a pixel of the network's; and what `read` throws,
/// which may be a cache.
NetworkInput loadViews(const Sample& sample, std::span<const int> views,
                       const ViewReader& read = networkView);

}  // namespace threefold
