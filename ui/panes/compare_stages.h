#pragma once

#include <QToolButton>
#include <QWidget>

#include "ui/panes/stage_slider.h"
#include "ui/shell/window_parts.h"

namespace threefold::ui {

/// The strip under the panes: the slider of the stages, which sets Look::morphPosition, and a
/// button that plays it.
class CompareStages : public QWidget {
    Q_OBJECT

  public:
    explicit CompareStages(const WindowParts& parts);

    StageSlider& slider() { return *slider_; }
    QToolButton& playButton() { return *play_; }

  protected:
    void changeEvent(QEvent* event) override;

  private:
    void followResult();
    void tint();

    Document& document_;
    QToolButton* play_;
    StageSlider* slider_;
};

}  // namespace threefold::ui
