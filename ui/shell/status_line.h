#pragma once

#include <QWidget>

#include "engine/progress.h"
#include "ui/document/stage_history.h"

class QHBoxLayout;
class QLabel;
class QToolButton;

namespace threefold::ui {

class ElidedLabel;
class StageProgress;

/// The line at the bottom: what happened last; while something runs, how far it is and a way to
/// stop it.
class StatusLine : public QWidget {
    Q_OBJECT

  public:
    explicit StatusLine(QWidget* parent = nullptr);

    void say(const QString& text, const QString& tooltip = {});
    QString text() const;
    /// A feature's own part, between the text and the progress; belongs to the line from then on.
    void add(QWidget& part);

    void startProgress(const StageHistory& history);
    void advance(const Progress& progress);
    void endProgress();
    bool running() const;

  Q_SIGNALS:
    void cancelClicked();

  private:
    QHBoxLayout* layout_;
    ElidedLabel* text_;
    QLabel* stage_;
    StageProgress* progress_;
    QToolButton* cancel_;
};

}  // namespace threefold::ui
