#include "ui/shell/actions.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <QAction>
#include <QActionGroup>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QToolBar>
#include <QToolButton>

#include "ui/style/icons.h"

namespace threefold::ui {
namespace {

constexpr std::array kThemes{ThemeChoice::system, ThemeChoice::dark, ThemeChoice::light};

QString capitalised(std::string_view name) {
    QString text = QString::fromLatin1(name.data(), static_cast<qsizetype>(name.size()));
    if (!text.isEmpty()) text[0] = text[0].toUpper();
    return text;
}

// With the shortcut in the tooltip, which Qt shows in menus only.
void explain(QAction& action, const QString& tooltip) {
    const QString keys = action.shortcut().toString(QKeySequence::NativeText);
    action.setToolTip(keys.isEmpty() ? tooltip : tooltip + " (" + keys + ")");
}

QToolButton* menuButton(QMenu* menu, const QString& tooltip, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setMenu(menu);
    button->setPopupMode(QToolButton::InstantPopup);
    button->setToolTip(tooltip);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

}  // namespace

Actions::Actions(QMainWindow& window)
    : QObject(&window),
      open(make(tr("&Open sample…"), QKeySequence::Open,
                tr("Open an item's folder, or drop one onto the window"))),
      exportMesh(make(tr("&Export mesh…"), Qt::CTRL | Qt::Key_E,
                      tr("Write meshes as OBJ, PLY, STL, GLB or XYZ"))),
      screenshot(make(tr("&Screenshot…"), Qt::CTRL | Qt::SHIFT | Qt::Key_S,
                      tr("Save the panes at any size, or the whole window, as PNG"))),
      quit(make(tr("&Quit"), Qt::CTRL | Qt::Key_Q, {})),
      reconstruct(make(tr("&Reconstruct"), Qt::CTRL | Qt::Key_R,
                       tr("Run the network on the chosen views again"))),
      cancel(make(tr("&Cancel"), {}, tr("Stop the reconstruction; what is shown stays (Esc)"))),
      fit(make(tr("&Fit"), Qt::Key_F, tr("Show the meshes whole, from the present direction"))),
      referenceView(make(tr("View &0: the photo's viewpoint"), Qt::Key_0,
                         tr("Look from where the reference view was taken"))),
      linkCameras(make(tr("&Link cameras"), Qt::Key_L, tr("Both panes look from the same place"))),
      edges(make(tr("&Edges"), Qt::SHIFT | Qt::Key_E, tr("The mesh's edges upon its surface"))),
      matcap(make(tr("&Matcap"), Qt::SHIFT | Qt::Key_M,
                  tr("Shade by the direction of the surface alone, instead of three lights"))),
      occlusion(
          make(tr("&Ambient occlusion"), Qt::SHIFT | Qt::Key_A,
               tr("Darken corners and creases of plain surfaces; colours that stand for values "
                  "stay as the legend has them"))),
      showInput(make(tr("&Input panel"), Qt::Key_F7, {})),
      showInspector(make(tr("In&spector"), Qt::Key_F8, {})),
      about(make(tr("&About Threefold"), {}, {})),
      window_(window) {
    for (QAction* toggle : {linkCameras, showInput, showInspector}) {
        toggle->setCheckable(true);
        toggle->setChecked(true);
    }
    for (QAction* toggle : {edges, matcap, occlusion}) toggle->setCheckable(true);
    cancel->setEnabled(false);
    exportMesh->setEnabled(false);
    reconstruct->setEnabled(false);
    addEscape(*cancel, 0);
    fillMenus();
    fillToolBar();
}

QAction* Actions::make(const QString& text, const QKeySequence& keys, const QString& tooltip) {
    auto* action = new QAction(text, this);
    action->setShortcut(keys);
    if (!tooltip.isEmpty()) explain(*action, tooltip);
    return action;
}

QAction* Actions::add(MenuName name, const QString& text, const QKeySequence& keys,
                      const QString& tooltip) {
    QAction* action = make(text, keys, tooltip);
    menu(name).insertAction(ends_[static_cast<std::size_t>(name)], action);
    menu(name).menuAction()->setVisible(true);
    return action;
}

void Actions::addEscape(QAction& action, int rank) {
    action.setProperty(kListedKeys, QKeySequence(Qt::Key_Escape).toString());
    escapes_.emplace(rank, &action);
    connect(&action, &QAction::enabledChanged, this, &Actions::giveEscape);
    giveEscape();
}

void Actions::giveEscape() {
    const auto first = std::find_if(escapes_.begin(), escapes_.end(),
                                    [](const auto& entry) { return entry.second->isEnabled(); });
    // Taken away before it is given: two with the same key would both be deaf.
    for (const auto& [rank, action] : escapes_) {
        if (first == escapes_.end() || action != first->second) action->setShortcut({});
    }
    if (first != escapes_.end()) first->second->setShortcut(Qt::Key_Escape);
}

void Actions::fillMenus() {
    const char* const titles[kMenus] = {QT_TR_NOOP("&File"),     QT_TR_NOOP("&Edit"),
                                        QT_TR_NOOP("&View"),     QT_TR_NOOP("&Reconstruct"),
                                        QT_TR_NOOP("E&valuate"), QT_TR_NOOP("&Help")};
    for (std::size_t i = 0; i < kMenus; ++i) {
        menus_[i] = window_.menuBar()->addMenu(tr(titles[i]));
    }
    for (const MenuName empty : {MenuName::edit, MenuName::evaluate}) {
        menu(empty).menuAction()->setVisible(false);
    }
    QMenu* file = &menu(MenuName::file);
    file->addActions({open, exportMesh, screenshot});
    ends_[static_cast<std::size_t>(MenuName::file)] = file->addSeparator();
    file->addAction(quit);
    QMenu* view = &menu(MenuName::view);
    view->addMenu(shadingMenu());
    view->addSeparator();
    view->addActions({fit, referenceView});
    view->addMenu(viewsMenu());
    view->addAction(linkCameras);
    view->addSeparator();
    view->addActions({showInput, showInspector});
    view->addMenu(themeMenu());
    menu(MenuName::reconstruct).addActions({reconstruct, cancel});
    menu(MenuName::help).addAction(about);
    ends_[static_cast<std::size_t>(MenuName::help)] = about;
}

QMenu* Actions::shadingMenu() {
    auto* menu = new QMenu(tr("&Shading"), &window_);
    auto* group = new QActionGroup(this);
    for (std::size_t i = 0; i < shadings_.size(); ++i) {
        const render::Shading shading = kAllShadings[i];
        shadings_[i] = group->addAction(make('&' + shadingName(shading), {}, {}));
        shadings_[i]->setCheckable(true);
        connect(shadings_[i], &QAction::triggered, this,
                [this, shading] { Q_EMIT shadingChosen(shading); });
    }
    menu->addActions(group->actions());
    menu->addSeparator();
    menu->addActions({edges, matcap, occlusion});
    return menu;
}

QMenu* Actions::viewsMenu() {
    auto* menu = new QMenu(tr("Standard &views"), &window_);
    const std::pair<const char*, StandardView> views[] = {
        {QT_TR_NOOP("&Front, from +z"), StandardView::front},
        {QT_TR_NOOP("&Right, from +x"), StandardView::right},
        {QT_TR_NOOP("&Top, from +y"), StandardView::top},
        {QT_TR_NOOP("&Back, from −z"), StandardView::back},
        {QT_TR_NOOP("&Left, from −x"), StandardView::left},
        {QT_TR_NOOP("Botto&m, from −y"), StandardView::bottom},
    };
    int key = Qt::Key_1;
    for (const auto& [name, view] : views) {
        QAction* action = make(tr(name), QKeySequence(key++), {});
        connect(action, &QAction::triggered, this,
                [this, chosen = view] { Q_EMIT viewChosen(chosen); });
        menu->addAction(action);
    }
    return menu;
}

QMenu* Actions::themeMenu() {
    auto* menu = new QMenu(tr("T&heme"), &window_);
    auto* group = new QActionGroup(this);
    for (std::size_t i = 0; i < themes_.size(); ++i) {
        const ThemeChoice theme = kThemes[i];
        themes_[i] =
            group->addAction(make('&' + capitalised(themeName(theme).toStdString()), {}, {}));
        themes_[i]->setCheckable(true);
        connect(themes_[i], &QAction::triggered, this,
                [this, theme] { Q_EMIT themeChosen(theme); });
    }
    menu->addActions(group->actions());
    return menu;
}

void Actions::fillToolBar() {
    auto* bar = toolBar_ = new QToolBar(tr("Tools"), &window_);
    bar->setObjectName(QStringLiteral("tools"));
    bar->setMovable(false);
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    bar->setIconSize(QSize(16, 16));
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    window_.addToolBar(bar);
    window_.setContextMenuPolicy(Qt::NoContextMenu);

    open->setIconText(tr("Open…"));
    exportMesh->setIconText(tr("Export…"));
    bar->addAction(open);
    bar->addAction(reconstruct);
    if (QWidget* button = bar->widgetForAction(reconstruct)) setRank(*button, "primary");
    bar->addSeparator();
    auto* shading = new QMenu(&window_);
    for (QAction* action : shadings_) shading->addAction(action);
    shading->addSeparator();
    shading->addActions({edges, matcap, occlusion});
    shadingButton_ = menuButton(shading, tr("How the meshes are shaded"), bar);
    bar->addWidget(shadingButton_);
    bar->addAction(fit);
    // What leaves the program stands apart, at the right.
    auto* space = new QWidget(bar);
    space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(space);
    bar->addAction(exportMesh);
    bar->addAction(screenshot);
    if (auto* button = qobject_cast<QToolButton*>(bar->widgetForAction(screenshot))) {
        button->setToolButtonStyle(Qt::ToolButtonIconOnly);
        button->setAccessibleName(tr("Screenshot"));
    }
    for (QAction* action : bar->actions()) {
        if (auto* button = qobject_cast<QToolButton*>(bar->widgetForAction(action))) {
            button->setFocusPolicy(Qt::TabFocus);
        }
    }
}

void Actions::show(const Look& look, ThemeChoice theme) {
    for (std::size_t i = 0; i < shadings_.size(); ++i) {
        shadings_[i]->setChecked(kAllShadings[i] == look.shading);
    }
    edges->setChecked(look.edges);
    matcap->setChecked(look.lighting == render::Lighting::matcap);
    occlusion->setChecked(look.occlusion);
    for (std::size_t i = 0; i < themes_.size(); ++i) themes_[i]->setChecked(kThemes[i] == theme);
    shadingButton_->setText(shadingName(look.shading) + QStringLiteral(" ▾"));
}

void Actions::tint(const ThemeColours& colours) const {
    open->setIcon(icon(QStringLiteral("open"), colours.text, colours.muted));
    reconstruct->setIcon(icon(QStringLiteral("reconstruct"), colours.accentText, colours.muted));
    exportMesh->setIcon(icon(QStringLiteral("export"), colours.text, colours.muted));
    screenshot->setIcon(icon(QStringLiteral("screenshot"), colours.text, colours.muted));
    fit->setIcon(icon(QStringLiteral("fit"), colours.text, colours.muted));
}

}  // namespace threefold::ui
