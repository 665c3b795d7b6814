#pragma once

#include <vector>

#include <QObject>
#include <QUndoGroup>
#include <QUndoStack>

#include "ui/results/result.h"
#include "ui/shell/window_parts.h"

namespace threefold::ui {

class InputPanel;

/// Undo and redo of view picks, slots and camera edits, a gesture as one step. Once another item
/// has a result, the steps of older items are forgotten. A restored input is reconstructed, or its
/// kept result shown.
class UndoHistory : public QObject {
    Q_OBJECT

  public:
    UndoHistory(const WindowParts& parts, InputPanel& input);
    QUndoStack& stack() { return *group_.activeStack(); }

  private:
    struct Item {
        SampleRef sample;  ///< null before the first
        QUndoStack* stack;
    };

    void follow(const SampleRef& sample);

    QUndoGroup group_;
    std::vector<Item> items_;
};

}  // namespace threefold::ui
