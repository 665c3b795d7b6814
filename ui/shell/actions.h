#pragma once

#include <array>
#include <cstddef>
#include <iterator>
#include <map>

#include <QObject>

#include "ui/document/look.h"
#include "ui/document/standard_view.h"
#include "ui/style/theme.h"

class QAction;
class QMainWindow;
class QMenu;
class QToolBar;
class QToolButton;

namespace threefold::ui {

/// The menus, in their order. One without commands is not shown.
enum class MenuName { file, edit, view, reconstruct, evaluate, help };
inline constexpr std::size_t kMenus = 6;

/// Property of an action whose shortcut comes and goes: its keys for the list of shortcuts.
inline constexpr const char* kListedKeys = "listedKeys";

/// All commands of the window, shared by menus and tool bar. The window connects to them.
class Actions : public QObject {
    Q_OBJECT

  public:
    /// Fills the window's menu bar and adds its tool bar.
    explicit Actions(QMainWindow& window);

    /// Adds a feature's command to a menu, before Quit and About. Appends the keys to the tooltip.
    QAction* add(MenuName menu, const QString& text, const QKeySequence& keys,
                 const QString& tooltip);
    /// Escape triggers the enabled command with the lowest rank.
    void addEscape(QAction& action, int rank);
    QMenu& menu(MenuName name) { return *menus_[static_cast<std::size_t>(name)]; }
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
    QAction* edges;
    QAction* matcap;
    QAction* occlusion;
    QAction* showInput;
    QAction* showInspector;
    QAction* about;

    /// Checks the actions of this look and theme without signals.
    void show(const Look& look, ThemeChoice theme);
    /// In a narrow window: icons without texts in the tool bar, but for Reconstruct.
    void setCompact(bool compact);
    /// Draws the icons in the theme's colours.
    void tint(const ThemeColours& colours) const;

  Q_SIGNALS:
    void shadingChosen(threefold::render::Shading shading);
    void viewChosen(threefold::ui::StandardView view);
    void themeChosen(threefold::ui::ThemeChoice theme);

  private:
    QAction* make(const QString& text, const QKeySequence& keys, const QString& tooltip);
    void giveEscape();
    QMenu* fillMenus();  // returns the shading menu
    void fillToolBar(QMenu* shading);
    QMenu* shadingMenu();
    QMenu* viewsMenu();
    QMenu* themeMenu();

    QMainWindow& window_;
    std::array<QMenu*, kMenus> menus_{};
    std::array<QAction*, kMenus> ends_{};  // the action that stays last; null: none
    QToolBar* toolBar_ = nullptr;
    QList<QAction*> shadings_, themes_;
    QToolButton* shadingButton_ = nullptr;
    std::multimap<int, QAction*> escapes_;
};

}  // namespace threefold::ui
