#pragma once

#include <filesystem>

#include <QObject>

#include "ui/shell/window_parts.h"

namespace threefold::ui {

class DatasetBrowser;

/// The data set browser below the input panel and its commands. Remembers the folder; by default
/// that of the bundled samples.
class DatasetFeature : public QObject {
    Q_OBJECT

  public:
    explicit DatasetFeature(const WindowParts& parts);

    DatasetBrowser& browser() { return *browser_; }
    /// Browses `folder` and remembers it.
    void openDataSet(const std::filesystem::path& folder);

  private:
    void askForDataSet();
    /// Browses a folder that could not be opened as a sample if it is a data set.
    void tryAsDataSet(const std::filesystem::path& folder);
    void markShown();

    WindowParts parts_;
    DatasetBrowser* browser_;
};

}  // namespace threefold::ui
