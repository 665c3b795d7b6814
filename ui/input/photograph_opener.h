#pragma once

#include <filesystem>
#include <vector>

#include <QObject>

#include "ui/document/newest_task.h"
#include "ui/shell/feature_context.h"

namespace threefold::ui {

/// Opens the user's own photographs, in the background: images, and folders that are no samples
/// for want of cameras. GUI thread only.
class PhotographOpener : public QObject {
    Q_OBJECT

  public:
    explicit PhotographOpener(const FeatureContext& context);

    /// Opens images as the sample that photographSample() makes. Images with known cameras are
    /// opened like any sample; others become the input, and openedWithoutCameras() follows.
    void open(const std::vector<std::filesystem::path>& images, const std::vector<int>& views = {});

  Q_SIGNALS:
    /// The input shows photographs whose cameras have to be found.
    void openedWithoutCameras();

  private:
    /// Opens the photographs of a folder that could not be opened as a sample.
    void tryAsPhotographs(const std::filesystem::path& folder);

    FeatureContext context_;
    NewestTask openTask_;
};

/// Adds the opening of the user's own photographs.
PhotographOpener& addPhotographOpener(const FeatureContext& context);

}  // namespace threefold::ui
