#pragma once

#include <filesystem>

#include <QList>
#include <QMainWindow>
#include <QSettings>

#include "ui/shell/actions.h"
#include "ui/shell/banner.h"
#include "ui/shell/status_line.h"

namespace threefold::ui {

/// Interface of the main window for features; the parent of their dialogs and docks. GUI thread
/// only.
class WindowInterface : public QMainWindow {
    Q_OBJECT

  public:
    /// Number of a reconstruction request (NetworkRequests::Id); 0: none.
    using RequestId = quint64;

    /// Starts to open and reconstruct a sample; returns at once. Empty `views`: suggestedViews().
    virtual void openSample(const std::filesystem::path& location,
                            const std::vector<int>& views = {}) = 0;
    /// Reconstructs the input panel's sample and views; 0 if the panel is empty.
    virtual RequestId reconstruct() = 0;
    /// Shows an existing result and cancels the running request.
    virtual void showResult(const ResultRef& result) = 0;
    /// Shows a sample in the input panel without reconstructing; cancels the running request.
    virtual void showInput(const SampleRef& sample, const std::vector<int>& views) = 0;

  Q_SIGNALS:
    /// openSample(), showResult() or showInput() was called: a sample that is still being prepared
    /// for one of these calls must not replace the newer one.
    void requestBegan();
    /// `location`: path that could not be opened as a sample, or empty.
    void requestFailed(const threefold::ErrorReport& report,
                       const std::filesystem::path& location = {});
};

/// Services of the window that most features use; all outlive the features. A feature is a QObject,
/// child of the window, that adds its own actions and widgets. A feature that uses one or two of
/// these takes those alone; one that needs more is given it by ui/window/main_window_features.cpp,
/// which lists all features.
struct FeatureContext {
    WindowInterface& window;
    Document& document;
    Actions& actions;
    Banner& banner;
    StatusLine& status;
    QSettings& settings;
};

/// Default heights of the window's left side, from the top: input panel, data set.
inline const QList<int> kDefaultInputHeights{660, 240};

}  // namespace threefold::ui
