#pragma once

#include <vector>

#include <QAction>
#include <QObject>
#include <QPointer>

#include "ui/document/background.h"
#include "ui/run/view_trials.h"
#include "ui/run/view_trials_dialog.h"
#include "ui/shell/window_parts.h"

namespace threefold::ui {

/// Helps to choose views: "Suggest three" by directions and silhouettes, the published ones, and
/// "Try choices", which reconstructs other choices in the background and ranks them by the overlap
/// of silhouettes.
class ViewChoices : public QObject {
    Q_OBJECT

  public:
    explicit ViewChoices(const WindowParts& parts);

    ViewTrials& trials() { return *trials_; }
    ViewTrialsDialog* dialog() { return dialog_; }  ///< null: not open

    void suggest();
    void tryChoices();

  private:
    void startTrials();
    void choose(std::size_t rank);
    void applySuggestion(std::vector<int> views, double apart);

    WindowParts parts_;
    ViewTrials* trials_;
    QPointer<ViewTrialsDialog> dialog_;
    NewestRequest suggesting_;
    QAction* suggest_;
    QAction* published_;
    QAction* try_;
};

}  // namespace threefold::ui
