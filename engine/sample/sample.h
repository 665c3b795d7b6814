#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/sample/mesh_space.h"
#include "engine/sample/photo_world_transform.h"
#include "engine/sample/posed_photos/posed_photos.h"
#include "engine/views/camera.h"
#include "engine/views/network_input.h"

namespace threefold {

/// A sample's ground truth.
struct SampleTruth {
    std::filesystem::path file;
    /// Space of its coordinates; nullopt: detected from its points.
    std::optional<MeshSpace> space = MeshSpace::camera;

    bool operator==(const SampleTruth&) const = default;
};

/// Sample on disk, located but not decoded. Its cameras are of one of two kinds:
/// - camera rows, in a sample of ShapeNet's layout (METHOD.md §10), where image NN belongs to row
///   NN of the metadata; or in a folder that holds images (isPictureName()) and a
///   `rendering_metadata.txt` (or `cameras.txt`, see metadataFileIn()) with one row per image, in
///   the order of the images' names;
/// - posed photographs, whose cameras a camera file gives: `photos` is set.
struct Sample {
    std::string category;  ///< "02691156"; empty outside ShapeNet's layout
    std::string id;        ///< "p0001": ShapeNet's model id, or the folder's name
    /// Folder of the images and their metadata; for posed photographs, the folder of the camera
    /// file.
    std::filesystem::path folder;
    /// Image of each view; empty if the image is missing.
    std::vector<std::filesystem::path> images;
    /// Camera of each view, in object space: from the metadata; for posed photographs,
    /// PosedPhoto::row.
    std::vector<CameraRow> cameraRows;
    std::optional<SampleTruth> truth;
    /// View number at the end of name(): from the truth's file name, or from the list. A truth in
    /// camera space is in the space of this view.
    int truthView = 0;
    /// Posed photographs, one for each of `images`; null for camera rows.
    std::shared_ptr<const PosedPhotos> photos;

    /// Name of the sample: "02691156_p0001_00" for truth view 0; outside ShapeNet's layout the
    /// id.
    std::string name() const;
    /// The truth's file; empty if there is none.
    std::filesystem::path truthFile() const { return truth ? truth->file : ""; }
    std::size_t viewCount() const { return images.size(); }
    /// World that the photographs' cameras are in.
    PhotoWorldTransform photoWorld() const {
        return photos ? PhotoWorldTransform(photos->frame.photosToObjectSpace)
                      : PhotoWorldTransform();
    }
};

/// Whether `file`, whatever path leads to it, is an input of the sample: an image, an image's mask,
/// the truth, or the file with the cameras. False for a file that does not exist. Thread-safe.
bool isInputOf(const Sample& sample, const std::filesystem::path& file);

/// Views with which the published results were computed.
inline const std::vector<int> kPublishedViews = {0, 6, 7};

/// Location of a sample, and choices that its files leave open.
struct SampleQuery {
    /// Rendering folder, sample folder, image, metadata file, ground-truth file, or a name that
    /// parseSampleName() reads, together with `imageRoot`. A camera file, or a folder with one and
    /// without rendering_metadata.txt (see cameraFileIn()), is a sample of posed photographs.
    std::filesystem::path location;
    /// ShapeNetRendering folder, or its parent. Empty: for a truth file, the ShapeNetRendering
    /// folder beside it.
    std::filesystem::path imageRoot = {};
    /// Folder of the truth. Empty: `gt/` beside the ShapeNetRendering folder, then beside the
    /// category folders.
    std::filesystem::path truthRoot = {};
    ObjectPlacement placement = {};  ///< placement of the object, for posed photographs only
    TruthSpaceChoice truthSpace = TruthSpaceChoice::byFormat;
};

/// Finds a sample and its truth (findTruthFile()). If the location is a name (parseSampleName()),
/// the truth is that of the name's view; otherwise findTruthFile() chooses the view. Throws
/// InputError (not found; no camera for an image; fewer than two views), IoError, FormatError
/// (metadata); and what readPosedPhotos() throws.
Sample findSample(const SampleQuery& query);
/// Finds a sample by its location alone.
Sample findSample(const std::filesystem::path& location);

/// Images of the sample that findSample() would find, without reading pixels or masks; empty paths
/// for missing images. Throws the exceptions of findSample().
std::vector<std::filesystem::path> sampleImages(const std::filesystem::path& location,
                                                const std::filesystem::path& imageRoot = {});

/// Text on missing images: "2 of 24 images are missing: view 3, view 7 (images/07.png)". Lists up
/// to ten views, with file names if the cameras name them; empty if none is missing.
std::string missingImagesText(const Sample& sample);

/// Makes `file` the sample's truth. With TruthSpaceChoice::byFormat, the truth's space is the
/// photographs' world for posed photographs, else defaultSpaceOfFormat(). Sample::truthView stays
/// unchanged.
void setTruth(Sample& sample, const std::filesystem::path& file,
              TruthSpaceChoice space = TruthSpaceChoice::byFormat);

/// View whose camera space a truth file is in: 6 for "02691156_p0001_06.dat"; else `otherwise`.
int truthViewOf(const std::filesystem::path& file, int otherwise);

/// Folders of all samples under a data set's root, see walkDataSet(), sorted by category, then id;
/// skips unreadable folders.
std::vector<std::filesystem::path> listSamples(const std::filesystem::path& root);

}  // namespace threefold
