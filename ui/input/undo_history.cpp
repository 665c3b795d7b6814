#include "ui/input/undo_history.h"

#include <algorithm>
#include <utility>

#include <QAction>
#include <QUndoCommand>

#include "ui/document/input_model.h"

namespace threefold::ui {
namespace {

class InputCommand : public QUndoCommand {
  public:
    InputCommand(InputModel& input, InputEdit edit)
        : QUndoCommand(edit.text), input_(input), edit_(std::move(edit)) {}

    // All commands have one id, so that mergeWith() is called and compares their gestures.
    int id() const override { return 1; }
    bool mergeWith(const QUndoCommand* command) override {
        const auto& later = static_cast<const InputCommand&>(*command);
        if (edit_.gesture == 0 || later.edit_.gesture != edit_.gesture) return false;
        edit_.after = later.edit_.after;
        setText(later.text());
        return true;
    }
    void undo() override { input_.restore(edit_.before); }
    void redo() override {
        // QUndoStack::push() calls redo(), but the user's edit is already applied.
        if (std::exchange(fresh_, false)) return;
        input_.restore(edit_.after);
    }

  private:
    InputModel& input_;
    InputEdit edit_;
    bool fresh_ = true;
};

}  // namespace

UndoHistory::UndoHistory(const FeatureContext& context) : QObject(&context.window) {
    const auto add = [&](const QString& name, const QKeySequence& keys, const QString& tooltip,
                         auto act, auto enabled, auto named) {
        QAction* action = context.actions.add(
            {.menu = MenuSection::edit, .text = name, .keys = keys, .tooltip = tooltip}, &group_,
            act);
        action->setEnabled(false);
        connect(&group_, enabled, action, &QAction::setEnabled);
        connect(&group_, named, action, [action, name](const QString& text) {
            action->setText(text.isEmpty() ? name : tr("%1: %2").arg(name, text));
        });
    };
    add(tr("&Undo"), Qt::CTRL | Qt::Key_Z,
        tr("Undo the last choice of views or change of a camera"), &QUndoGroup::undo,
        &QUndoGroup::canUndoChanged, &QUndoGroup::undoTextChanged);
    add(tr("&Redo"), Qt::CTRL | Qt::SHIFT | Qt::Key_Z, tr("Do it again"), &QUndoGroup::redo,
        &QUndoGroup::canRedoChanged, &QUndoGroup::redoTextChanged);
    InputModel& input = context.input;
    connect(&input, &InputModel::edited, this,
            [this, &input](const InputEdit& edit) { stack().push(new InputCommand(input, edit)); });
    connect(&input, &InputModel::sampleChanged, this,
            [this, &input] { activateHistoryOf(input.sample()); });
    connect(&context.document.result, &ResultModel::changed, this, [this] {
        std::erase_if(stacks_, [this](const SampleStack& history) {
            if (history.stack == group_.activeStack()) return false;
            delete history.stack;
            return true;
        });
    });
    activateHistoryOf(input.sample());
}

void UndoHistory::activateHistoryOf(const SampleRef& sample) {
    auto history = std::ranges::find_if(
        stacks_, [&](const SampleStack& each) { return isSameSample(each.sample, sample); });
    if (history == stacks_.end()) {
        constexpr int kMaxSteps = 200;
        auto* stack = new QUndoStack(&group_);
        stack->setUndoLimit(kMaxSteps);
        history = stacks_.insert(history, {sample, stack});
    }
    group_.setActiveStack(history->stack);
}

UndoHistory& addUndoHistory(const FeatureContext& context) {
    return *new UndoHistory(context);
}

}  // namespace threefold::ui
