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

/// Property of an action: its keys as the list of keys tells them, where it has its shortcut only
/// at times.
inline constexpr const char* kListedKeys = "listedKeys";

/// Every command of the window, once: menus and tool bar show the same ones. The window connects to
/// what they trigger.
class Actions : public QObject {
    Q_OBJECT

  public:
    /// Fills the window's menu bar and adds its tool bar.
    explicit Actions(QMainWindow& window);

    /// A command of a feature's, at the end of a menu but before Quit and About. The tooltip gets
    /// the keys added.
    QAction* add(MenuName menu, const QString& text, const QKeySequence& keys,
                 const QString& tooltip);
    /// Escape goes to the command with the lowest rank among those that can be used now.
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

    /// Ticks what is in use, without signalling.
    void show(const Look& look, ThemeChoice theme);
    /// Icons in the theme's colours.
    void tint(const ThemeColours& colours) const;

  Q_SIGNALS:
    void shadingChosen(threefold::render::Shading shading);
    void viewChosen(threefold::ui::StandardView view);
    void themeChosen(threefold::ui::ThemeChoice theme);

  private:
    QAction* make(const QString& text, const QKeySequence& keys, const QString& tooltip);
    void giveEscape();
    void fillMenus();
    void fillToolBar();
    QMenu* shadingMenu();
    QMenu* viewsMenu();
    QMenu* themeMenu();

    QMainWindow& window_;
    std::array<QMenu*, kMenus> menus_{};
    std::array<QAction*, kMenus> ends_{};  // what stays last; null: nothing does
    QToolBar* toolBar_ = nullptr;
    std::array<QAction*, std::size(kAllShadings)> shadings_{};
    std::array<QAction*, 3> themes_{};
    QToolButton* shadingButton_ = nullptr;
    std::multimap<int, QAction*> escapes_;
};

}  // namespace threefold::ui
