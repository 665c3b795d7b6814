#pragma once

#include <QWidget>

#include "ui/document/run_model.h"
#include "ui/style/elided_label.h"
#include "ui/style/widgets.h"

namespace threefold::ui {

class StepProgress;

/// The line at the bottom of the window: the last event, and the progress of the run with a
/// button to cancel the run.
class StatusLine : public QWidget {
    Q_OBJECT

  public:
    explicit StatusLine(const RunModel& run, QWidget* parent = nullptr);

    /// Shows a message. An empty `tooltip` stands for the message itself.
    void showMessage(const QString& text, const QString& tooltip = {});
    /// Names saved files, all in one folder, beside a button that opens the folder. `remark`: what
    /// the files lack; may be empty.
    void showSavedFiles(const std::vector<std::filesystem::path>& files,
                        const QString& remark = {});
    /// Opens a file or folder with the desktop's program; shows its path if there is no such
    /// program.
    void openExternally(const std::filesystem::path& path);
    QString text() const { return text_->fullText(); }
    /// Adds a feature's widget between text and progress; takes ownership.
    void add(QWidget& widget) { layout_->insertWidget(2, &widget); }

  Q_SIGNALS:
    void cancelClicked();

  protected:
    void changeEvent(QEvent* event) override;

  private:
    void showRun(const RunState& state);
    void showReconstruction(const ReconstructionRun& run);

    ElidedLabel* text_;
    QToolButton* openFolder_;
    QLabel* step_;
    StepProgress* progress_;
    QToolButton* cancel_;
    QBoxLayout* layout_;
    std::filesystem::path folder_;  ///< of the last saved files
};

}  // namespace threefold::ui
