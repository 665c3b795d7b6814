#pragma once

#include <filesystem>
#include <vector>

#include <QWidget>

#include "engine/progress.h"
#include "ui/document/stage_history.h"

class QBoxLayout;
class QLabel;
class QToolButton;

namespace threefold::ui {

class ElidedLabel;
class StageProgress;

/// The line at the bottom: the last event, and the progress of a running reconstruction with a
/// button to cancel it.
class StatusLine : public QWidget {
    Q_OBJECT

  public:
    explicit StatusLine(QWidget* parent = nullptr);

    void say(const QString& text, const QString& tooltip = {});
    /// Names files that were written, all in one folder, beside a button that opens the folder.
    void saySaved(const std::vector<std::filesystem::path>& files);
    QString text() const;
    /// Adds a feature's widget between text and progress and takes ownership.
    void add(QWidget& part);

    void startProgress(const StageHistory& history);
    void advance(const Progress& progress);
    void endProgress();
    bool running() const;
    /// 0…1: how far the bar has come.
    double done() const;  ///< progress is shown
    bool reconstructing() const { return reconstructing_; }

    /// A fit's progress, 0…1, after the reconstruction: nothing while one is running.
    void advanceFit(double done);
    void endFit();

  Q_SIGNALS:
    void cancelClicked();

  protected:
    void changeEvent(QEvent* event) override;

  private:
    void showProgress(bool shown);
    void openFolder();

    ElidedLabel* text_;
    QToolButton* openFolder_;
    QLabel* stage_;
    StageProgress* progress_;
    QToolButton* cancel_;
    QBoxLayout* layout_;
    std::filesystem::path folder_;  ///< of the files that were saved last
    bool reconstructing_ = false;
};

}  // namespace threefold::ui
