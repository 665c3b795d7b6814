#pragma once

#include <QStringList>
#include <QWidget>

#include "ui/result.h"

class QLabel;

namespace threefold::ui {

/// The strip above a pane: which mesh it is, and its two leading measures.
class PaneHeader : public QWidget {
    Q_OBJECT

  public:
    enum class Level { coarse, refined };

    PaneHeader(Level level, QWidget* parent = nullptr);
    void show(const Result* result);  ///< null: nothing yet

    QString detail() const;  ///< the measures as shown, without markup

  protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void refresh();

    Level level_;
    QLabel* detail_;
    QStringList parts_;   // "2 466 v", "CD 3.21e-4", "F(τ) 71.23 %": the last matters most
    QString difference_;  // "F(τ) +20.54", empty where there is nothing to compare
    bool better_ = false;
    bool worse_ = false;
};

}  // namespace threefold::ui
