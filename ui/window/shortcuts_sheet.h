#pragma once

#include <vector>

#include <QAction>
#include <QFrame>
#include <QGridLayout>
#include <QLineEdit>
#include <QMainWindow>
#include <QMenuBar>
#include <QPointer>
#include <QScrollArea>
#include <QStringList>

namespace threefold::ui {

class Actions;

/// Line of the sheet: the keys of one command.
struct ShortcutLine {
    QString keys;  ///< "Ctrl+O", several joined by " or "
    QString description;
    const QAction* action = nullptr;  ///< null: a mouse gesture or a key of the panes
};
struct ShortcutGroup {
    QString title;  ///< a menu's text without mnemonic
    std::vector<ShortcutLine> lines;
};

/// List of all shortcuts, laid over the window until Esc or F1. Not modal.
class ShortcutsSheet : public QFrame {
    Q_OBJECT

  public:
    explicit ShortcutsSheet(QMainWindow& window);

    /// Every command of the menus that has a shortcut, then mouse and keys of panes and lists.
    static std::vector<ShortcutGroup> groups(const QMenuBar& menus);

    void toggle() {
        if (isVisible())
            dismiss();
        else
            open();
    }
    /// The listed lines, as "keys\tdescription".
    QStringList lines() const { return lines_; }

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    bool event(QEvent* event) override { return closesOnEscape(*event) || QFrame::event(event); }

  private:
    bool closesOnEscape(QEvent& event);
    void open();
    void dismiss();
    /// Groups with the lines that match the search; none is empty.
    std::vector<ShortcutGroup> matchingGroups() const;
    void listCommands();
    QSize fittingSize() const;
    std::size_t columnsThatFit() const;
    void centreInWindow();

    QMainWindow& window_;
    QPointer<QWidget> focusBefore_;  ///< the widget that had the focus
    QLineEdit* search_;
    QScrollArea* area_;
    QStringList lines_;
    std::size_t columns_ = 1;
};

/// Adds the list of shortcuts and its command, F1.
void addShortcuts(QMainWindow& window, Actions& actions);

}  // namespace threefold::ui
