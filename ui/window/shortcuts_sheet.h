#pragma once

#include <vector>

#include <QFrame>
#include <QStringList>

class QAction;
class QGridLayout;
class QLineEdit;
class QMainWindow;
class QMenuBar;
class QScrollArea;

namespace threefold::ui {

/// One line of the sheet.
struct ShortcutLine {
    QString keys;  ///< "Ctrl+O", several joined by " or "
    QString what;
    const QAction* action = nullptr;  ///< null: of the mouse, or of the panes' own keys
};
struct ShortcutGroup {
    QString title;  ///< a menu's, without its mnemonic
    std::vector<ShortcutLine> lines;
};

/// Every command of the menus that has keys, menu by menu, then what mouse and keys do in the
/// panes: made from the actions themselves.
std::vector<ShortcutGroup> shortcutGroups(const QMenuBar& menus);

/// Lists the keys over the window, until Esc, F1 or a click beside it. Not modal: the window goes
/// on as ever.
class ShortcutsSheet : public QFrame {
    Q_OBJECT

  public:
    explicit ShortcutsSheet(QMainWindow& window);

    void toggle();
    QLineEdit& search() { return *search_; }
    /// What is listed now: "keys\twhat".
    QStringList lines() const { return lines_; }

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    bool event(QEvent* event) override;

  private:
    void open();
    void list();
    QSize fittingSize() const;
    std::size_t columnsThatFit() const;
    void place();

    QMainWindow& window_;
    QLineEdit* search_;
    QScrollArea* area_;
    QStringList lines_;
    std::size_t columns_ = 1;
};

}  // namespace threefold::ui
