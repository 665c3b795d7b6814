#pragma once

#include <vector>

#include <QObject>
#include <QUndoGroup>
#include <QUndoStack>

#include "ui/results/result.h"
#include "ui/shell/feature_context.h"

namespace threefold::ui {

/// Undo and redo of view choices, slots and camera edits; a gesture is one step. When another
/// sample gets a result, the steps of earlier samples are dropped. A restored input is
/// reconstructed again, or its kept result is shown.
class UndoHistory : public QObject {
    Q_OBJECT

  public:
    explicit UndoHistory(const FeatureContext& context);
    QUndoStack& stack() { return *group_.activeStack(); }

  private:
    struct SampleStack {
        SampleRef sample;  ///< null before the first sample
        QUndoStack* stack;
    };

    void activateHistoryOf(const SampleRef& sample);

    QUndoGroup group_;
    std::vector<SampleStack> stacks_;
};

/// Adds Edit > Undo and Redo.
UndoHistory& addUndoHistory(const FeatureContext& context);

}  // namespace threefold::ui
