#include "ui/shell/actions.h"

#include <algorithm>
#include <utility>

#include <QAction>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QToolBar>
#include <QToolButton>

#include "engine/formats/meshes/mesh_formats.h"
#include "ui/style/icons.h"
#include "ui/style/widgets.h"

namespace threefold::ui {
namespace {

constexpr std::array kThemes{ThemeChoice::system, ThemeChoice::dark, ThemeChoice::light};

// With the shortcut in the tooltip, which Qt shows in menus only.
void explain(QAction& action, const QString& tooltip) {
    const QString keys = action.shortcut().toString(QKeySequence::NativeText);
    action.setToolTip(keys.isEmpty() ? tooltip : tooltip + " (" + keys + ")");
}

}  // namespace

Actions::Actions(QMainWindow& window)
    : QObject(&window),
      open(make(tr("&Open sample…"), QKeySequence::Open,
                tr("Open an item's folder, or drop it onto the window"))),
      exportMesh(
          make(tr("&Export mesh…"), Qt::CTRL | Qt::Key_E,
               tr("Save meshes as %1")
                   .arg(QString::fromStdString(meshFormatNames(" or ", mesh_formats::written))))),
      screenshot(make(tr("&Screenshot…"), Qt::CTRL | Qt::SHIFT | Qt::Key_S,
                      tr("Save the panes at any size, or the whole window, as PNG"))),
      quit(make(tr("&Quit"), Qt::CTRL | Qt::Key_Q, {})),
      reconstruct(make(tr("&Reconstruct"), Qt::CTRL | Qt::Key_R,
                       tr("Run the network on the selected views again"))),
      cancel(make(tr("&Cancel"), {}, tr("Stop the reconstruction and keep what is shown (Esc)"))),
      fit(make(tr("&Fit to view"), Qt::Key_F, tr("Show whole meshes from the present direction"))),
      referenceView(make(tr("View &0: the photo's viewpoint"), Qt::Key_0,
                         tr("Look from the viewpoint of the reference photo"))),
      linkCameras(make(tr("&Link cameras"), Qt::Key_L, tr("Use the same camera in both panes"))),
      edges(make(tr("&Edges"), Qt::SHIFT | Qt::Key_E, tr("Draw the mesh's edges on its surface"))),
      matcap(make(tr("&Matcap"), Qt::SHIFT | Qt::Key_M,
                  tr("Shade by surface direction instead of three lights"))),
      occlusion(
          make(tr("&Ambient occlusion"), Qt::SHIFT | Qt::Key_A,
               tr("Darken corners and creases of plain surfaces; colours that stand for values "
                  "do not change"))),
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
    fillToolBar(fillMenus());
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
    // Take the key away before giving it: of two actions with one key neither works.
    for (const auto& [rank, action] : escapes_) {
        if (first == escapes_.end() || action != first->second) action->setShortcut({});
    }
    if (first != escapes_.end()) first->second->setShortcut(Qt::Key_Escape);
}

QMenu* Actions::fillMenus() {
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
    QMenu* shading = shadingMenu();
    view->addMenu(shading);
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
    return shading;
}

QMenu* Actions::shadingMenu() {
    auto* menu = new QMenu(tr("&Shading"), &window_);
    QStringList names;
    for (const render::Shading shading : kAllShadings) names << '&' + shadingName(shading);
    shadings_ = choicesOf(names, this, [this](auto i) { Q_EMIT shadingChosen(kAllShadings[i]); });
    menu->addActions(shadings_);
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
    themes_ = choicesOf({tr("&System"), tr("&Dark"), tr("&Light")}, this,
                        [this](std::size_t i) { Q_EMIT themeChosen(kThemes[i]); });
    menu->addActions(themes_);
    return menu;
}

void Actions::fillToolBar(QMenu* shading) {
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
    fit->setIconText(tr("Fit"));
    bar->addAction(open);
    bar->addAction(reconstruct);
    if (QWidget* button = bar->widgetForAction(reconstruct)) setRank(*button, "primary");
    bar->addSeparator();
    shadingButton_ = new QToolButton(bar);
    shadingButton_->setMenu(shading);
    shadingButton_->setPopupMode(QToolButton::InstantPopup);
    shadingButton_->setToolTip(tr("Shading of the meshes"));
    bar->addWidget(shadingButton_);
    bar->addAction(fit);
    // Commands that write files stand apart, at the right.
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
    for (std::size_t i = 0; i < kAllShadings.size(); ++i)
        shadings_[static_cast<int>(i)]->setChecked(kAllShadings[i] == look.shading);
    edges->setChecked(look.edges);
    matcap->setChecked(look.lighting == render::Lighting::matcap);
    occlusion->setChecked(look.occlusion);
    for (std::size_t i = 0; i < kThemes.size(); ++i)
        themes_[static_cast<int>(i)]->setChecked(kThemes[i] == theme);
    shadingButton_->setText(shadingName(look.shading) + QStringLiteral(" ▾"));
}

void Actions::setCompact(bool compact) {
    for (QAction* action : toolBar_->actions()) {
        auto* button = qobject_cast<QToolButton*>(toolBar_->widgetForAction(action));
        if (button == nullptr || action->icon().isNull() || action == reconstruct) continue;
        button->setToolButtonStyle(compact || action == screenshot ? Qt::ToolButtonIconOnly
                                                                   : Qt::ToolButtonTextBesideIcon);
        button->setAccessibleName(action->iconText());
    }
}

void Actions::tint(const ThemeColours& colours) const {
    const std::pair<QAction*, const char*> icons[] = {{open, "open"},
                                                      {reconstruct, "reconstruct"},
                                                      {exportMesh, "export"},
                                                      {screenshot, "screenshot"},
                                                      {fit, "fit"}};
    for (const auto& [action, name] : icons) {
        const QColor& colour = action == reconstruct ? colours.accentText : colours.text;
        action->setIcon(icon(QLatin1String(name), colour, colours.muted));
    }
}

}  // namespace threefold::ui
