#pragma once

#include <memory>

#include <QLabel>
#include <QObject>

class QDropEvent;

namespace threefold::ui {

class Document;
class OpenedFiles;
class Viewport;
struct WindowParts;

/// Files dragged anywhere over the window: says what dropping them does, and does it. Shift makes
/// meshes the truth.
class DropTarget : public QObject {
    Q_OBJECT

  public:
    DropTarget(const WindowParts& parts, OpenedFiles& files);
    /// What is said while files are over the window; empty otherwise.
    QString hint() const { return hint_->isHidden() ? QString() : hint_->text(); }

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    bool over(QDropEvent& event);
    bool dropped(QDropEvent& event);

    Document& document_;
    Viewport& viewport_;
    OpenedFiles& files_;
    std::unique_ptr<QLabel> hint_;  ///< a window of its own: the panes are drawn over widgets
};

}  // namespace threefold::ui
