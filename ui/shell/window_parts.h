#pragma once

#include <filesystem>

#include <QMainWindow>
#include <QSettings>
#include <QSplitter>
#include <QVBoxLayout>

#include "ui/document/log_store.h"
#include "ui/shell/actions.h"
#include "ui/shell/banner.h"
#include "ui/shell/status_line.h"

namespace threefold::ui {

/// What features see of the main window, the parent of their dialogs and docks. Use it on the
/// window's thread.
class Shell : public QMainWindow {
    Q_OBJECT

  public:
    /// Number of a reconstruction request (Worker::Id); 0: none.
    using RequestId = quint64;

    /// Starts opening and reconstructing, returns at once. Empty `views`: suggestedViews().
    virtual void openSample(const std::filesystem::path& location,
                            const std::vector<int>& views = {}) = 0;
    /// Reconstructs what the input panel shows; 0 if it is empty.
    virtual RequestId reconstruct() = 0;
    /// Shows an existing result and cancels the running request.
    virtual void showResult(const ResultRef& result) = 0;
    /// Shows an item in the input panel without reconstructing it; cancels the running request.
    virtual void showInput(const SampleRef& sample, const std::vector<int>& views) = 0;

  Q_SIGNALS:
    /// `location`: what could not be opened as a sample; else empty.
    void requestFailed(const threefold::ErrorReport& report,
                       const std::filesystem::path& location = {});
};

/// The parts of the window that every feature may use. A feature is a QObject, child of the window,
/// that adds its own actions and widgets; ui/window/main_window_features.cpp and features.inl list
/// them, with the panel, the panes, the inspector or the worker that each takes beside these. All
/// outlive them.
struct WindowParts {
    Shell& window;
    Document& document;
    Actions& actions;
    Banner& banner;
    StatusLine& status;
    QSettings& settings;
    QVBoxLayout& belowPanes;  ///< rows under the panes: legend, slider of the stages, …
    QSplitter& inputSide;     ///< left side, from the top: the input panel, the data set
    LogStore& logged;
};

}  // namespace threefold::ui
