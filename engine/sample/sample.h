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

/// Sample on disk, located but not decoded. One of three kinds:
/// - a sample in ShapeNet's layout (METHOD.md §10), where image NN belongs to row NN of the
/// metadata;
/// - a folder of images (isPictureName()) and a `rendering_metadata.txt` (or `cameras.txt`, see
///   metadataFileIn()) with one row per image, in the order of names;
/// - posed photographs, whose cameras a camera file gives.
struct Sample {
    std::string category;  ///< "02691156"; empty outside ShapeNet's layout
    std::string id;        ///< "p0001": ShapeNet's model id, or the folder's name
    /// Folder of the images and their metadata; of posed photographs, the camera file's.
    std::filesystem::path renderingFolder;
    /// Image of each view; empty if the image is missing.
    std::vector<std::filesystem::path> images;
    /// Camera of each view, in ShapeNet's world: from the metadata; of posed photographs,
    /// PosedPhoto::row.
    std::vector<CameraRow> cameraRows;
    std::filesystem::path groundTruth;  ///< empty if there is none
    int groundTruthView = 0;            ///< the view whose space the truth is in
    /// Posed photographs, one for each of `images`; null for the two kinds with camera rows.
    std::shared_ptr<const PosedPhotos> photos;
    /// Coordinate space of the truth; nullopt: detected from its points.
    std::optional<MeshSpace> groundTruthSpace = MeshSpace::view;

    /// Name of the sample: "02691156_p0001_00" for truth view 0; outside ShapeNet's layout the
    /// id.
    std::string name() const;
    std::size_t viewCount() const { return images.size(); }
    /// Transforms from ShapeNet's world, used by the rows, to the world of `photos`; identity for
    /// camera rows.
    glm::dvec3 toPhotoWorld(glm::dvec3 world) const;
    glm::dvec3 fromPhotoWorld(glm::dvec3 point) const;
    /// MeshFile::origin for meshes of the object in the world of `photos`; 0 for camera rows.
    glm::dvec3 photoOrigin() const;
    /// Whether z points up in the photographs' world, to 30°; false for camera rows.
    bool isPhotoWorldZUp() const;
};

/// Whether `file` is one that the sample is read from, by any path: an image, its mask, the truth,
/// or the camera file. False for a file that is not there. Thread-safe.
bool isInputOf(const Sample& sample, const std::filesystem::path& file);

/// Views of published runs.
inline const std::vector<int> kPublishedViews = {0, 6, 7};

/// Finds a sample by its rendering folder, sample folder, image, metadata file, ground-truth file,
/// or a test-list name ("02691156_p0001_00.dat") together with `imageRoot`. For a truth file
/// without `imageRoot`, looks for images in the ShapeNetRendering folder beside it. The ground
/// truth has one of the names of findTruthFile(), in `truthRoot` only if given, else in `gt/`
/// beside the ShapeNetRendering folder, then beside the category folders. A test-list name gives
/// the view of the truth; otherwise the lowest existing one is used. A camera file, or a folder
/// with one and without rendering_metadata.txt (see cameraFileIn()), is a sample of posed
/// photographs; only these use `object`, the position and size of the object. `truthSpace`:
/// coordinate space of the truth, if known. Throws InputError (not found; no camera for an image;
/// fewer than two views), IoError, FormatError (metadata); and what readPosedPhotos() throws.
Sample findSample(const std::filesystem::path& location,
                  const std::filesystem::path& imageRoot = {},
                  const std::filesystem::path& truthRoot = {}, const ObjectPlacement& object = {},
                  TruthSpace truthSpace = TruthSpace::unset);

/// Images of a sample located as by findSample(), without reading images or masks; empty paths for
/// missing images. Throws as findSample().
std::vector<std::filesystem::path> sampleImages(const std::filesystem::path& location,
                                                const std::filesystem::path& imageRoot = {});

/// Text on missing images: "2 of 24 images are missing: view 3, view 7 (images/07.png)". Lists up
/// to ten views, with file names if the cameras name them; empty if none is missing.
std::string missingImages(const Sample& sample);

/// View whose space a truth file is in: 6 for "02691156_p0001_06.dat"; else `otherwise`.
int truthViewOf(const std::filesystem::path& file, int otherwise);

/// Folders of all samples under a data set's root, see walkDataSet(), sorted by category, then id;
/// skips unreadable folders.
std::vector<std::filesystem::path> listSamples(const std::filesystem::path& root);

/// Index of a view in the sample's lists. Throws InputError: no such view.
std::size_t viewIndex(const Sample& sample, int view);

/// Whether a view can be chosen: its image exists, and its camera sees the object through a lens
/// that can be undone. `view`: index, below viewCount().
bool isUsableView(const Sample& sample, std::size_t view);

/// Image of a view as the network sees it: the decoded image, resampled for posed photographs and
/// for cameras that the network was not trained with, see isAsTrained(). Throws as networkImage();
/// viewIndex().
Image asNetworkSees(const Sample& sample, int view, Image decoded,
                    ViewResolution resolution = ViewResolution::network);

/// The view asNetworkSees() at the resolution of its photograph, with the object's mask. Throws as
/// asNetworkSees().
ObjectView objectView(const Sample& sample, int view, Image decoded);

/// Maps a pixel of a view's 224×224 picture to its photograph, of `size`: toPhotograph() of posed
/// photographs or of camera rows. Throws as viewIndex().
PictureMapping toPhotograph(const Sample& sample, int view, ImageSize size);

/// Mask of the view's whole photograph, of `size`, from the mask of objectView(), see
/// photographMask().
Image photographMask(const Sample& sample, int view, ImageSize size, const Mask& mask);

/// Mask file of a view's photograph, see maskFileOf(photograph); empty if there is none.
std::filesystem::path maskFileOf(const Sample& sample, int view);

/// Reads the photograph of a view with its mask, see readPhotograph().
Image readViewPhotograph(const Sample& sample, int view);

/// Reader of one view: networkView(), readViewPhotograph(), or a cache of either.
using ViewReader = std::function<Image(const Sample& sample, int view)>;

/// Reads the file of a view and returns asNetworkSees(). Throws as asNetworkSees() and
/// readViewPhotograph().
Image networkView(const Sample& sample, int view);

/// Reads the chosen views (2 to 8, in the given order; the first is "view 0" of METHOD.md §2) with
/// `read`. Throws InputError for a missing, repeated or unusable view, a missing image, two views
/// with the same camera, and an image of camera rows that is not square by more than a pixel of the
/// network's input; and what `read` throws.
NetworkInput loadViews(const Sample& sample, std::span<const int> views,
                       const ViewReader& read = networkView);

}  // namespace threefold
