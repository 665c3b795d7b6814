#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/formats/image.h"
#include "engine/formats/rendering_metadata.h"
#include "engine/sample/camera.h"
#include "engine/sample/network_input.h"

namespace threefold {

/// One item on disk in ShapeNet's layout (METHOD.md §10), found but not yet decoded.
struct Sample {
    std::string category;                       ///< "02691156"; empty outside ShapeNet's layout
    std::string item;                           ///< "p0001", or the folder's name
    std::filesystem::path renderingFolder;      ///< holds NN.png and rendering_metadata.txt
    std::vector<std::filesystem::path> images;  ///< one for each view, in view order
    std::vector<CameraRow> cameraRows;          ///< same length as `images`
    std::filesystem::path groundTruth;          ///< empty where there is none
    int groundTruthView = 0;                    ///< the view whose space the truth is in

    /// "02691156_p0001_00" for truth view 0: the base of output names.
    std::string name() const;
    std::size_t viewCount() const { return images.size(); }
};

/// The views that published runs choose.
inline const std::vector<int> kPublishedViews = {0, 6, 7};

/// Finds a sample from what a person would name: the rendering folder, the item's folder, one of
/// its images, or a test-list name ("02691156_p0001_00.dat") together with `imageRoot`.
/// The ground truth is looked for as `gt/{category}_{item}_{view}.dat` beside the ShapeNetRendering
/// folder, beside the category folders, in `truthRoot` if given.
/// Throws InputError (nothing there; no camera for an image; fewer than two views), IoError,
/// FormatError (metadata).
Sample findSample(const std::filesystem::path& location,
                  const std::filesystem::path& imageRoot = {},
                  const std::filesystem::path& truthRoot = {});

/// All items under a data set's root, sorted by category then item; unreadable ones are left out.
std::vector<std::filesystem::path> listSamples(const std::filesystem::path& root);

/// Decodes the chosen views (2 to 8, in the given order; the first is "view 0" of METHOD.md §2).
/// Throws InputError for a view the item does not have, or a repeated one.
NetworkInput loadViews(const Sample& sample, std::span<const int> views);

}  // namespace threefold
