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

/// Where commands stand: the menus, in their order, the parts of File between separators, and the
/// submenus of View. A menu without commands is not shown.
enum class MenuName {
    file,  ///< its part that writes files
    edit,
    view,
    reconstruct,
    evaluate,
    help,
    open,     ///< part of File
    compare,  ///< part of File
    session,  ///< part of File
    panes,    ///< of View, as all below
    look,
    colour,
    camera,
    panels,
    theme,
};
inline constexpr std::size_t kMenus = 15;

/// Property of an action whose shortcut comes and goes: its keys for the list of shortcuts.
inline constexpr const char* kListedKeys = "listedKeys";

/// All commands of the window, shared by menus and tool bar. The window connects to them.
class Actions : public QObject {
    Q_OBJECT

  public:
    /// Fills the window's menu bar and adds its tool bar.
    Actions(QMainWindow& window, Document& document);

    /// Adds a feature's command to a menu, last in its part. Appends the keys to the tooltip.
    QAction* add(MenuName menu, const QString& text, const QKeySequence& keys,
                 const QString& tooltip);
    /// The same, with a slot of `receiver` for it.
    template <class Receiver, class Slot>
    QAction* add(MenuName menu, const QString& text, const QKeySequence& keys,
                 const QString& tooltip, Receiver* receiver, const Slot& slot) {
        QAction* action = add(menu, text, keys, tooltip);
        connect(action, &QAction::triggered, receiver, slot);
        return action;
    }
    /// Escape triggers the enabled command with the lowest rank.
    void addEscape(QAction& action, int rank);
    /// A command that shows a part of the document's look and changes it.
    QAction* addToggle(MenuName menu, const QString& text, const QKeySequence& keys,
                       const QString& tooltip, const std::function<bool(const Look&)>& isOn,
                       const std::function<void(Look&, bool on)>& set);
    QAction* addToggle(MenuName menu, const QString& text, const QKeySequence& keys,
                       const QString& tooltip, bool Look::*field);
    /// On: this light; off: the studio's.
    QAction* addToggle(MenuName menu, const QString& text, const QKeySequence& keys,
                       const QString& tooltip, render::Lighting lighting);
    /// Adds a feature's submenu likewise.
    void add(MenuName menu, QMenu& submenu);
    /// The menu that holds this part.
    QMenu& menu(MenuName name) { return *place(name).menu; }
    QToolBar& toolBar() { return *toolBar_; }

    QAction* open;
    QAction* exportMesh;
    QAction* screenshot;
    QAction* quit;
    QAction* reconstruct;
    QAction* cancel;
    QAction* fit;
    QAction* referenceView;
    QAction* linkCameras;
    QAction* showInput;
    QAction* showInspector;
    QAction* about;

    void showTheme(ThemeChoice theme) { themes_[static_cast<int>(theme)]->setChecked(true); }
    /// For a narrow window: icons without texts in the tool bar, except Reconstruct.
    void setCompact(bool compact);
    /// Gives a command an icon of resources/icons, from the next tint() on.
    void setIcon(QAction& action, const char* name) { icons_[&action] = name; }
    /// Draws the icons in the theme's colours.
    void tint(const ThemeColours& colours);
    /// Accents the button Reconstruct while its result would differ from the shown one.
    void invite(bool toReconstruct);

  Q_SIGNALS:
    void viewChosen(threefold::ui::StandardView view);
    void themeChosen(threefold::ui::ThemeChoice theme);

  private:
    QAction* make(const QString& text, const QKeySequence& keys, const QString& tooltip);
    void giveEscape();
    struct Place {
        QMenu* menu = nullptr;
        QAction* end = nullptr;  // the action after the last; null: none
    };
    Place& place(MenuName name) { return places_[static_cast<std::size_t>(name)]; }
    void fillMenus();
    void fillView();
    void fillLook();
    void fillCamera();
    void fillToolBar();

    QMainWindow& window_;
    Document& document_;
    std::array<Place, kMenus> places_{};
    QToolBar* toolBar_ = nullptr;
    QList<QAction*> themes_;
    ThemeColours colours_;
    bool invites_ = true;
    std::map<QAction*, const char*> icons_;
    std::multimap<int, QAction*> escapes_;
};

}  // namespace threefold::ui
