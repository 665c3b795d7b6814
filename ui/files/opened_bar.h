#pragma once

#include <QFrame>

class QAction;
class QToolButton;

namespace threefold::ui {

class ElidedLabel;
class Comparison;
class Document;
class OpenedFiles;
struct WindowParts;

/// One line above the panes while a compared mesh is open: its file, size and space, with buttons
/// to change the space, use it as truth and close it. While the mesh is hidden with its item,
/// offers to compare it again.
class OpenedBar : public QFrame {
    Q_OBJECT

  public:
    OpenedBar(const WindowParts& parts, OpenedFiles& files);
    QString text() const;

  private:
    void refresh();

    Comparison& comparison_;
    ElidedLabel* text_;
    QToolButton* space_;
    QToolButton* truth_;
    QAction* otherSpace_;
    QToolButton* again_;
    QAction* close_;
    Document& document_;
};

}  // namespace threefold::ui
