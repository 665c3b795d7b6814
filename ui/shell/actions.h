#pragma once

#include <functional>
#include <map>

#include <QAction>
#include <QMainWindow>
#include <QMenu>
#include <QToolBar>
#include <QToolButton>

#include "ui/document/document.h"
#include "ui/style/theme.h"

namespace threefold::ui {

/// Places for commands, in the order of the menus: whole menus, the sections of File between
/// separators, and the submenus of View. A menu without commands is hidden.
enum class MenuSection {
    fileOpen,
    fileMeshes,
    fileSave,
    fileSession,
    edit,
    view,
    viewPanes,
    viewLook,
    viewColour,
    viewCamera,
    viewPanels,
    viewTheme,
    photographs,  ///< cameras and masks of the user's own photographs
    reconstruct,
    evaluate,
    help,
};
inline constexpr std::size_t kMenuSections = static_cast<std::size_t>(MenuSection::help) + 1;

/// Name of a dynamic property of actions. It holds the keys that the list of shortcuts shows while
/// the action has no shortcut.
inline constexpr const char* kListedKeys = "listedKeys";

/// Description of a command.
struct Command {
    MenuSection menu;
    QString text;  ///< with "&" before the letter that chooses the command
    QKeySequence keys = {};
    QString tooltip = {};
};

/// All commands of the window, shared by menus and tool bar. Window and features connect to them.
class Actions : public QObject {
    Q_OBJECT

  public:
    /// Fills the window's menu bar and adds its tool bar.
    Actions(QMainWindow& window, Document& document);

    /// Adds a feature's command at the end of its menu or section. Appends the keys to the tooltip.
    QAction* add(const Command& command);
    /// Adds a command by add() above, and connects it to `slot` of `receiver`.
    template <class Receiver, class Slot>
    QAction* add(const Command& command, Receiver* receiver, const Slot& slot) {
        QAction* action = add(command);
        connect(action, &QAction::triggered, receiver, slot);
        return action;
    }
    /// Makes Escape trigger a command. Of several enabled commands, Escape triggers the one with
    /// the lowest `priority`.
    void addEscape(QAction& action, int priority);
    /// Adds a checkable command that shows and changes a setting of the document's look.
    QAction* addToggle(const Command& command, const std::function<bool(const Look&)>& isOn,
                       const std::function<void(Look&, bool on)>& set);
    QAction* addToggle(const Command& command, bool Look::*field);
    /// Adds a toggle between `lighting` and Lighting::studio.
    QAction* addToggle(const Command& command, render::Lighting lighting);
    /// Adds a feature's submenu at the end of a menu or section.
    void addSubmenu(MenuSection menu, QMenu& submenu);
    /// The menu that holds this section.
    QMenu& menu(MenuSection name) { return *section(name).menu; }
    QToolBar& toolBar() { return *toolBar_; }
    /// Adds a command to the tool bar, directly to the right of `after`. Tab reaches its button.
    void addToToolBar(QAction& action, QAction* after);

    QAction* const open;
    QAction* const exportMesh;
    QAction* const screenshot;
    QAction* const quit;
    QAction* const reconstruct;
    QAction* const cancel;
    QAction* const frame;
    QAction* const referenceView;
    QAction* const linkCameras;
    QAction* const showInput;
    QAction* const showInspector;
    QAction* const closeMessage;
    QAction* const restoreDefaults;
    QAction* const about;

    void showTheme(ThemeChoice theme) { themes_[static_cast<int>(theme)]->setChecked(true); }
    /// Shows icons without texts in the tool bar, except Reconstruct, for a narrow window.
    void setCompact(bool compact);
    /// Sets a command's icon of resources/icons; the next tint() draws it.
    void setIcon(QAction& action, const char* name) { icons_[&action] = name; }
    /// Draws the icons in the theme's colours.
    void tint(const ThemeColours& colours);
    /// Sets whether the Reconstruct button is accented. Accent it while a run would give another
    /// result than the shown result.
    void setReconstructAccented(bool accented);

  Q_SIGNALS:
    void viewChosen(threefold::ui::StandardView view);
    void themeChosen(threefold::ui::ThemeChoice theme);

  private:
    QAction* make(const QString& text, const QKeySequence& keys, const QString& tooltip);
    void assignEscape();
    struct Section {
        QMenu* menu = nullptr;
        QAction* end = nullptr;  // first action after the section; null: end of the menu
    };
    Section& section(MenuSection name) { return sections_[static_cast<std::size_t>(name)]; }
    void fillMenus();
    void fillView();
    void fillLook();
    void fillCamera();
    void fillToolBar();

    QMainWindow& window_;
    Document& document_;
    std::array<Section, kMenuSections> sections_{};
    QToolBar* toolBar_ = nullptr;
    QList<QAction*> themes_;
    ThemeColours colours_;
    bool reconstructAccented_ = true;
    std::map<QAction*, const char*> icons_;
    std::multimap<int, QAction*> escapes_;
};

}  // namespace threefold::ui
