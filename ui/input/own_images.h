#pragma once

#include <filesystem>
#include <vector>

#include <QObject>

#include "engine/sample/sample.h"
#include "ui/shell/window_parts.h"

namespace threefold::ui {

class CameraEditor;

/// The user's own images as a sample.
struct OwnSample {
    Sample sample;
    std::vector<int> views;     ///< the images given, in the order of their names
    bool camerasKnown = false;  ///< read from a file; otherwise guessed
};

/// Makes a sample of two to eight images of one folder. Uses the camera file in the folder if it
/// describes all of them; otherwise guesses cameras around the object in even steps, 25° up. Throws
/// InputError: too few or too many images, several folders, no image's name, a missing file. Reads
/// the folder and the camera file, no image.
OwnSample ownSample(const std::vector<std::filesystem::path>& images);

/// Whether rendering_metadata.txt exists next to the sample's images.
bool hasCameraFile(const Sample& sample);
/// Writes or replaces that file. Throws IoError; InputError if the folder has other images too, or
/// the cameras are matrices.
std::filesystem::path writeCameras(const Sample& sample);
/// Rows for all views. Throws as readRenderingMetadata(); InputError for another number of rows.
std::vector<CameraRow> readCamerasFor(const Sample& sample, const std::filesystem::path& file);

/// Opens own images from InputPanel::imagesOffered().
class OwnImages : public QObject {
    Q_OBJECT

  public:
    /// `cameras` must outlive it.
    OwnImages(const WindowParts& parts, CameraEditor& cameras);

    /// Returns at once. With known cameras, opens them like any sample; otherwise shows them and
    /// the camera editor.
    void open(const std::vector<std::filesystem::path>& images);

  Q_SIGNALS:
    void opened();

  private:
    void openSample(const OwnSample& own);

    WindowParts parts_;
    CameraEditor& cameras_;
};

}  // namespace threefold::ui
