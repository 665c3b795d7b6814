#pragma once

#include <cstddef>

#include <QAction>
#include <QPointer>

#include "ui/document/newest_task.h"
#include "ui/run/view_trials.h"
#include "ui/run/view_trials_dialog.h"

namespace threefold::ui {

class InputPanel;
class NetworkClient;

/// Commands that choose views: "Suggest three" by directions and silhouettes, the published views,
/// and "Try choices", which reconstructs other choices in the background and ranks them by
/// silhouette overlap.
class ViewCommands : public QObject {
    Q_OBJECT

  public:
    ViewCommands(const FeatureContext& context, InputPanel& input, NetworkClient& client);

    ViewTrials& trials() { return *trials_; }
    ViewTrialsDialog* dialog() { return dialog_; }  ///< null: not open

    void suggest();
    void tryChoices();

  private:
    void choose(std::size_t index);

    FeatureContext context_;
    InputPanel& input_;
    NetworkClient& client_;
    ViewTrials* trials_;
    QPointer<ViewTrialsDialog> dialog_;
    NewestTask suggestTask_;
    QAction* suggest_;
    QAction* published_;
    QAction* tryAction_;
};

/// Adds the commands that choose views.
ViewCommands& addViewCommands(const FeatureContext& context, InputPanel& input,
                              NetworkClient& client);

}  // namespace threefold::ui
