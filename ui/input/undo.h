#pragma once

#include <QObject>
#include <QUndoStack>

#include "ui/shell/window_parts.h"

namespace threefold::ui {

/// Undo and redo of view picks, slots and camera edits. A gesture is one step. Another item begins
/// anew. What comes back is reconstructed, or shown again where it was not long ago.
class UndoHistory : public QObject {
    Q_OBJECT

  public:
    explicit UndoHistory(const WindowParts& parts);
    QUndoStack& stack() { return stack_; }

  private:
    QUndoStack stack_;
};

}  // namespace threefold::ui
