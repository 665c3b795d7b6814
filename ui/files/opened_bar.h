#pragma once

#include <QFrame>

class QToolButton;

namespace threefold::ui {

class ElidedLabel;
class Comparison;
class Document;
class OpenedFiles;
struct WindowParts;

/// One line above the panes while an opened mesh is shown: its file, size and space, with buttons
/// to change the space, use it as truth and close it. While the mesh is hidden with its item,
/// offers to compare it again.
class OpenedBar : public QFrame {
    Q_OBJECT

  public:
    OpenedBar(const WindowParts& parts, OpenedFiles& files, Comparison& comparison);
    QString text() const;

  private:
    void refresh();

    Comparison& comparison_;
    ElidedLabel* text_;
    QToolButton* space_;
    QToolButton* truth_;
    QToolButton* frame_;
    QToolButton* again_;
    Document& document_;
};

/// A bar for each opened mesh, and the commands for the one that was opened last.
void addOpenedBars(const WindowParts& parts, OpenedFiles& files);

}  // namespace threefold::ui
