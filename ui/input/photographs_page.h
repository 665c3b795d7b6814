#pragma once

#include <QBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QWidget>

namespace threefold::ui {

class Actions;
class InputPanel;

/// Page below the slots with the three steps for photographs: 1 cameras, 2 masks, 3 reconstruct.
/// Other widgets fill the first two steps. The page's own widgets (headings, state of the cameras,
/// button of the third step) are shown only for the user's own photographs.
class PhotographsPage : public QWidget {
    Q_OBJECT

  public:
    PhotographsPage(Actions& actions, InputPanel& input);

    QBoxLayout& cameras() { return *cameras_; }
    QBoxLayout& masks() { return *masks_; }
    /// Row of buttons at the end of the second step.
    QBoxLayout& maskButtons() { return *maskButtons_; }
    /// Whether the sample consists of the user's own photographs.
    bool showsOwnPhotographs() const;

  private:
    void refresh();

    Actions& actions_;
    InputPanel& input_;
    QBoxLayout* cameras_;
    QBoxLayout* masks_;
    QBoxLayout* maskButtons_;
    QList<QWidget*> stepWidgets_;
    QLabel* camerasState_;
    QPushButton* reconstruct_;
};

/// Adds the page below the slots.
PhotographsPage& addPhotographsPage(Actions& actions, InputPanel& input);

}  // namespace threefold::ui
