#pragma once

#include <QFrame>

class QToolButton;

namespace threefold::ui {

class ElidedLabel;
class OpenedMeshSource;
class Document;
class MeasuredMeshes;
class OpenedFiles;
struct FeatureContext;

/// Bar above the panes for an opened mesh: its file, size and space, with buttons to change the
/// space, to align the mesh, to use the mesh as truth and to close the mesh. While the mesh is
/// hidden with its sample, the bar offers to show the mesh again.
class OpenedBar : public QFrame {
    Q_OBJECT

  public:
    OpenedBar(const FeatureContext& context, OpenedFiles& files, OpenedMeshSource& source);
    QString text() const;

  private:
    void refresh();

    OpenedMeshSource& source_;
    ElidedLabel* text_;
    QToolButton* space_;
    QToolButton* truth_;
    QToolButton* align_;
    QToolButton* showAgain_;
    Document& document_;
    const MeasuredMeshes& measured_;
};

/// Adds a bar for each opened mesh, and commands for the mesh opened last.
void addOpenedBars(const FeatureContext& context, OpenedFiles& files);

}  // namespace threefold::ui
