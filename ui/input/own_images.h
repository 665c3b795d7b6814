#pragma once

#include <filesystem>
#include <vector>

#include "engine/sample/sample.h"
#include "ui/shell/window_parts.h"

namespace threefold::ui {

class InputPanel;

/// The user's own images as a sample.
struct OwnSample {
    Sample sample;
    std::vector<int> views;     ///< of the images given, in the order of their names
    bool camerasKnown = false;  ///< read from a file; otherwise guessed
};

/// Makes a sample of two to kMostPhotographs images of one folder, all of them its views, or eight
/// spread evenly. Uses the camera file in the folder if it describes all of them; otherwise guesses
/// cameras around the object in even steps, 25° up. Throws InputError: too few or too many images,
/// several folders, no image's name, a missing file. Reads the folder and the camera file, no
/// image.
OwnSample ownSample(const std::vector<std::filesystem::path>& images);
inline constexpr std::size_t kMostPhotographs = 100;

/// The photographs of a folder without cameras, which is no data set; fewer than two: none.
std::vector<std::filesystem::path> photographsWithoutCameras(const std::filesystem::path& folder);

/// Whether rendering_metadata.txt exists next to the sample's images.
bool hasCameraFile(const Sample& sample);
/// Writes or replaces that file. Throws IoError; InputError if the folder has other images too, or
/// the cameras are matrices.
std::filesystem::path writeCameras(const Sample& sample);
/// Rows for all views. Throws as readRenderingMetadata(); InputError for another number of rows.
std::vector<CameraRow> readCamerasFor(const Sample& sample, const std::filesystem::path& file);

/// Opens the input's item anew: the place of the object in photographs follows from their masks,
/// which have changed.
void reopenMasked(Shell& window, InputPanel& input);

}  // namespace threefold::ui
