#pragma once

#include <filesystem>
#include <vector>

#include <QObject>

#include "engine/sample/sample.h"
#include "ui/shell/window_parts.h"

namespace threefold::ui {

/// Images of a person's own as a sample.
struct OwnSample {
    Sample sample;
    std::vector<int> views;     ///< the images given, in the order of their names
    bool camerasKnown = false;  ///< read from the metadata beside them; else only guessed
};

/// Two to eight images of one folder. Where that folder is a sample already (cameras beside its
/// images), it is that one; else each image gets a camera by guess: around the object in even
/// steps, 25° up. Throws InputError: too few or too many images, several folders, not an image's
/// name, not there. Reads the folder's listing and metadata, no image.
OwnSample ownSample(const std::vector<std::filesystem::path>& images);

/// True where rendering_metadata.txt stands beside the sample's images.
bool hasCameraFile(const Sample& sample);
/// Writes it, whole or not at all, over one that is there. Throws IoError; InputError where the
/// folder with that file would not be this sample: other images stand beside its own.
std::filesystem::path writeCameras(const Sample& sample);
/// Rows for all views. Throws as readRenderingMetadata; InputError where they are not as many.
std::vector<CameraRow> readCamerasFor(const Sample& sample, const std::filesystem::path& file);

/// Opens them: from the menu, or where InputPanel::imagesOffered() tells of a drop.
class OwnImages : public QObject {
    Q_OBJECT

  public:
    explicit OwnImages(const WindowParts& parts);

    /// Returns at once. Images with cameras are opened like any sample; others wait for theirs.
    void open(const std::vector<std::filesystem::path>& images);

  Q_SIGNALS:
    void opened();

  private:
    void askForImages();
    void take(const OwnSample& own);

    WindowParts parts_;
};

}  // namespace threefold::ui
