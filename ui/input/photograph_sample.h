#pragma once

#include <filesystem>
#include <vector>

#include "engine/sample/sample.h"
#include "ui/shell/feature_context.h"

namespace threefold::ui {

class InputPanel;

/// The user's own images as a sample.
struct PhotographSample {
    Sample sample;
    std::vector<int> views;     ///< for the slots; indices in Sample::images
    bool camerasKnown = false;  ///< read from a file; otherwise guessed
};

/// Makes a sample of two to kMaxSamplePhotographs images of one folder. Uses the folder's camera
/// file if that file describes all images; otherwise guesses cameras around the object in even
/// steps, 25° up. Reads the folder and the camera file, no image. `views`: views that the user
/// chose, as indices in Sample::images, for startingViews(); empty: all given images, or eight
/// evenly spread ones if there are more. Throws InputError: too few or too many images, several
/// folders, a name that is no image's, a missing file, a missing view.
PhotographSample photographSample(const std::vector<std::filesystem::path>& images,
                                  const std::vector<int>& views = {});
inline constexpr std::size_t kMaxSamplePhotographs = 100;

/// Finds the photographs of a folder without cameras that is no data set; empty if there are fewer
/// than two.
std::vector<std::filesystem::path> photographsWithoutCameras(const std::filesystem::path& folder);

/// Whether rendering_metadata.txt exists next to the sample's images.
bool hasCameraFile(const Sample& sample);
/// Writes or replaces rendering_metadata.txt next to the images. Throws IoError; InputError if the
/// folder has other images too, or the cameras are matrices.
std::filesystem::path writeCameras(const Sample& sample);
/// Reads one row for each view. Throws like readRenderingMetadata(); InputError for another number
/// of rows.
std::vector<CameraRow> readCamerasFor(const Sample& sample, const std::filesystem::path& file);

}  // namespace threefold::ui
