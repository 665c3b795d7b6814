#pragma once

#include <filesystem>

#include <QObject>

#include "ui/shell/window_parts.h"

namespace threefold::ui {

class DatasetBrowser;

/// The data set under the input panel, and the commands that go with it. The root is remembered;
/// the first one is the bundled samples.
class DatasetFeature : public QObject {
    Q_OBJECT

  public:
    explicit DatasetFeature(const WindowParts& parts);

    DatasetBrowser& browser() { return *browser_; }
    /// Browses `folder` from now on and remembers it.
    void openDataSet(const std::filesystem::path& folder);

  private:
    void askForDataSet();
    /// A folder that was opened as a sample, and is a data set: browses it instead.
    void tryAsDataSet(const std::filesystem::path& folder);
    void markShown();

    WindowParts parts_;
    DatasetBrowser* browser_;
};

}  // namespace threefold::ui
