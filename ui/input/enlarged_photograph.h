#pragma once

#include <QObject>
#include <QPointer>

#include "ui/document/background.h"
#include "ui/input/photograph_window.h"
#include "ui/shell/window_parts.h"

namespace threefold::ui {

class SlotOutlines;

/// Enlarges the photograph of a slot in a window of its own, with the outline that the slots show:
/// the original where the cameras came as matrices, else as the network sees it. It follows the
/// slot's mesh, and closes with its item.
class EnlargedPhotograph : public QObject {
    Q_OBJECT

  public:
    EnlargedPhotograph(const WindowParts& parts, const SlotOutlines& outlines);

    PhotographWindow* openWindow() const;  ///< null: closed

  private:
    void enlarge(std::size_t slot);
    void drawOutline();

    WindowParts parts_;
    const SlotOutlines& outlines_;
    QPointer<PhotographWindow> window_;
    NewestRequest reading_;
    int view_ = 0;
};

}  // namespace threefold::ui
