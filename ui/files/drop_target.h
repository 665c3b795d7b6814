#pragma once

#include <memory>

#include <QLabel>
#include <QObject>

class QDropEvent;

namespace threefold::ui {

class Document;
class OpenedFiles;
class Viewport;
struct FeatureContext;

/// Opens files dropped anywhere on the window; a hint announces the effect of the drop. With
/// Shift, a mesh becomes the truth.
class DropTarget : public QObject {
    Q_OBJECT

  public:
    DropTarget(const FeatureContext& context, Viewport& viewport, OpenedFiles& files);
    /// Hint shown while files are dragged over the window; empty otherwise.
    QString hint() const { return hint_->isHidden() ? QString() : hint_->text(); }

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    bool onDragOver(QDropEvent& event);
    bool onDrop(QDropEvent& event);

    Document& document_;
    Viewport& viewport_;
    OpenedFiles& files_;
    std::unique_ptr<QLabel> hint_;  ///< a window of its own, since the panes cover widgets
};

}  // namespace threefold::ui
