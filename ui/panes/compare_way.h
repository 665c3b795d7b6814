#pragma once

#include <QWidget>

#include "ui/shell/window_parts.h"

class QToolButton;

namespace threefold::ui {

class WaySlider;

/// The strip under the panes: the slider of the way from the template to the result, and a button
/// that plays it. What it is set to goes into Look::way.
class CompareWay : public QWidget {
    Q_OBJECT

  public:
    explicit CompareWay(const WindowParts& parts);

    WaySlider& slider() { return *slider_; }
    QToolButton& playButton() { return *play_; }

  protected:
    void changeEvent(QEvent* event) override;

  private:
    void followResult();
    void tint();

    Document& document_;
    QToolButton* play_;
    WaySlider* slider_;
};

}  // namespace threefold::ui
