#include "ui/shell/actions.h"

#include <algorithm>
#include <utility>

#include <QActionGroup>
#include <QMenuBar>
#include <QStyle>

#include "engine/formats/meshes/mesh_formats.h"
#include "ui/style/widgets.h"

namespace threefold::ui {
namespace {

// Sets the tooltip with the shortcut, which Qt by itself shows in menus only.
void setTooltipWithKeys(QAction& action, const QString& tooltip) {
    const QString keys = action.shortcut().toString(QKeySequence::NativeText);
    action.setToolTip(keys.isEmpty() ? tooltip : tooltip + " (" + keys + ")");
}

}  // namespace

Actions::Actions(QMainWindow& window, Document& document)
    : QObject(&window),
      open(make(tr("&Open…"), QKeySequence::Open,
                tr("Open a sample, photographs, a mesh, points, a truth, a session, a data set, a "
                   "test list or a model; or drop it onto the window"))),
      exportMesh(make(tr("&Export mesh…"), Qt::CTRL | Qt::Key_E,
                      tr("Save meshes as %1")
                          .arg(QString::fromStdString(
                              meshFormatNames(" or ", mesh_format_filters::writable))))),
      screenshot(make(tr("&Screenshot…"), Qt::CTRL | Qt::SHIFT | Qt::Key_S,
                      tr("Save the panes at any size, or the whole window, as PNG"))),
      quit(make(tr("&Quit"), Qt::CTRL | Qt::Key_Q, {})),
      reconstruct(make(tr("&Reconstruct"), Qt::CTRL | Qt::Key_R,
                       tr("Run the network on the selected views again"))),
      cancel(make(tr("&Cancel"), {}, tr("Stop the reconstruction and keep what is shown (Esc)"))),
      frame(make(tr("&Frame"), Qt::Key_F,
                 tr("Fit the meshes into the view, from the same direction"))),
      referenceView(make(tr("View &0: the photo's camera"), Qt::Key_0,
                         tr("Look from the camera of the reference photograph"))),
      linkCameras(make(tr("&Link cameras"), Qt::Key_L, tr("Use the same camera in both panes"))),
      showInput(make(tr("&Input panel"), Qt::Key_F7, {})),
      showInspector(make(tr("In&spector"), Qt::Key_F8, {})),
      closeMessage(
          make(tr("Close the &message"), {}, tr("Close the message above the panes (Esc)"))),
      restoreDefaults(make(tr("Restore default layou&t"), {},
                           tr("Reset panels, docks, look and theme; open files stay open"))),
      about(make(tr("&About Threefold"), {}, {})),
      window_(window),
      document_(document) {
    for (QAction* toggle : {linkCameras, showInput, showInspector}) {
        toggle->setCheckable(true);
        toggle->setChecked(true);
    }
    cancel->setEnabled(false);
    exportMesh->setEnabled(false);
    reconstruct->setEnabled(false);
    closeMessage->setEnabled(false);
    addEscape(*cancel, 0);
    addEscape(*closeMessage, 1);
    icons_ = {{open, "open"},
              {reconstruct, "reconstruct"},
              {exportMesh, "export"},
              {screenshot, "screenshot"},
              {frame, "fit"}};
    fillMenus();
    fillToolBar();
}

QAction* Actions::make(const QString& text, const QKeySequence& keys, const QString& tooltip) {
    auto* action = new QAction(text, this);
    action->setShortcut(keys);
    if (!tooltip.isEmpty()) setTooltipWithKeys(*action, tooltip);
    return action;
}

QAction* Actions::add(const Command& command) {
    QAction* action = make(command.text, command.keys, command.tooltip);
    const Section& section = sections_[static_cast<std::size_t>(command.menu)];
    section.menu->insertAction(section.end, action);
    section.menu->menuAction()->setVisible(true);
    return action;
}

QAction* Actions::addToggle(const Command& command, const std::function<bool(const Look&)>& isOn,
                            const std::function<void(Look&, bool on)>& set) {
    QAction* action = add(command);
    action->setCheckable(true);
    connect(action, &QAction::triggered, this,
            [this, set](bool on) { document_.look.change([&](Look& look) { set(look, on); }); });
    const auto refresh = [this, action, isOn] {
        action->setChecked(isOn(document_.look.current()));
    };
    connect(&document_.look, &LookModel::changed, action, refresh);
    refresh();
    return action;
}

QAction* Actions::addToggle(const Command& command, bool Look::*field) {
    return addToggle(
        command, [field](const Look& look) { return look.*field; },
        [field](Look& look, bool on) { look.*field = on; });
}

QAction* Actions::addToggle(const Command& command, render::Lighting lighting) {
    return addToggle(
        command, [lighting](const Look& look) { return look.lighting == lighting; },
        [lighting](Look& look, bool on) {
            look.lighting = on ? lighting : render::Lighting::studio;
        });
}

void Actions::addSubmenu(MenuSection name, QMenu& submenu) {
    menu(name).insertMenu(section(name).end, &submenu);
    menu(name).menuAction()->setVisible(true);
}

void Actions::addToToolBar(QAction& action, QAction* after) {
    const QList<QAction*> tools = toolBar_->actions();
    toolBar_->insertAction(tools.value(tools.indexOf(after) + 1), &action);  // null: at the end
    if (QWidget* button = toolBar_->widgetForAction(&action)) button->setFocusPolicy(Qt::TabFocus);
}

void Actions::addEscape(QAction& action, int priority) {
    action.setProperty(kListedKeys, QKeySequence(Qt::Key_Escape).toString());
    escapes_.emplace(priority, &action);
    connect(&action, &QAction::enabledChanged, this, &Actions::assignEscape);
    assignEscape();
}

void Actions::assignEscape() {
    const auto first = std::find_if(escapes_.begin(), escapes_.end(),
                                    [](const auto& entry) { return entry.second->isEnabled(); });
    // Clear the shortcut first: if two actions share a key, neither works.
    for (const auto& [priority, action] : escapes_)
        if (first == escapes_.end() || action != first->second) action->setShortcut({});
    if (first != escapes_.end()) first->second->setShortcut(Qt::Key_Escape);
}

void Actions::fillMenus() {
    constexpr std::pair<MenuSection, const char*> kTitles[] = {
        {MenuSection::fileSave, QT_TR_NOOP("&File")},
        {MenuSection::edit, QT_TR_NOOP("&Edit")},
        {MenuSection::view, QT_TR_NOOP("&View")},
        {MenuSection::photographs, QT_TR_NOOP("&Photographs")},
        {MenuSection::reconstruct, QT_TR_NOOP("&Reconstruct")},
        {MenuSection::evaluate, QT_TR_NOOP("E&valuate")},
        {MenuSection::help, QT_TR_NOOP("&Help")}};
    for (const auto& [name, title] : kTitles) {
        section(name).menu = window_.menuBar()->addMenu(tr(title));
        menu(name).setToolTipsVisible(true);
    }
    for (const MenuSection empty :
         {MenuSection::edit, MenuSection::photographs, MenuSection::evaluate})
        menu(empty).menuAction()->setVisible(false);
    QMenu* file = &menu(MenuSection::fileSave);
    file->addAction(open);
    section(MenuSection::fileOpen) = {file, file->addSeparator()};
    section(MenuSection::fileMeshes) = {file, file->addSeparator()};
    file->addActions({exportMesh, screenshot});
    section(MenuSection::fileSave).end = file->addSeparator();
    section(MenuSection::fileSession) = {file, file->addSeparator()};
    file->addAction(quit);
    fillView();
    menu(MenuSection::reconstruct).addActions({reconstruct, cancel});
    menu(MenuSection::help).addAction(about);
    section(MenuSection::help).end = about;
}

void Actions::fillView() {
    QMenu* view = &menu(MenuSection::view);
    constexpr std::pair<MenuSection, const char*> kSubmenus[] = {
        {MenuSection::viewPanes, QT_TR_NOOP("&Panes")},
        {MenuSection::viewLook, QT_TR_NOOP("&Look")},
        {MenuSection::viewColour, QT_TR_NOOP("&Colour")},
        {MenuSection::viewCamera, QT_TR_NOOP("C&amera")},
        {MenuSection::viewPanels, QT_TR_NOOP("Pa&nels")},
        {MenuSection::viewTheme, QT_TR_NOOP("T&heme")}};
    for (const auto& [name, title] : kSubmenus) {
        if (name == MenuSection::viewPanels) {
            view->addSeparator();
            section(MenuSection::view).end = view->addSeparator();
        }
        section(name).menu = view->addMenu(tr(title));
        menu(name).setToolTipsVisible(true);
    }
    fillLook();
    fillCamera();
    menu(MenuSection::viewPanels)
        .addActions({showInput, showInspector, closeMessage, restoreDefaults});
    themes_ = exclusiveActions({tr("&System"), tr("&Dark"), tr("&Light")}, this,
                               [this](std::size_t i) { Q_EMIT themeChosen(ThemeChoice(i)); });
    menu(MenuSection::viewTheme).addActions(themes_);
}

void Actions::fillLook() {
    auto* group = new QActionGroup(this);
    for (const render::Shading shading : kAllShadings)
        group->addAction(addToggle(
            {.menu = MenuSection::viewLook, .text = '&' + shadingName(shading)},
            [shading](const Look& look) { return look.shading == shading; },
            [shading](Look& look, bool) { look.shading = shading; }));
    menu(MenuSection::viewLook).addSeparator();
    addToggle({.menu = MenuSection::viewLook,
               .text = tr("&Edges"),
               .keys = Qt::SHIFT | Qt::Key_E,
               .tooltip = tr("Draw the mesh's edges on its surface")},
              &Look::edges);
    addToggle({.menu = MenuSection::viewLook,
               .text = tr("&Matcap"),
               .keys = Qt::SHIFT | Qt::Key_M,
               .tooltip = tr("Shade by surface direction instead of three lights")},
              render::Lighting::matcap);
    addToggle(
        {.menu = MenuSection::viewLook,
         .text = tr("&Ambient occlusion"),
         .keys = Qt::SHIFT | Qt::Key_A,
         .tooltip =
             tr("Darken corners and creases of plain surfaces; colours of values stay unchanged")},
        &Look::ambientOcclusion);
}

void Actions::fillCamera() {
    QMenu& camera = menu(MenuSection::viewCamera);
    camera.addActions({frame, referenceView, linkCameras});
    camera.addSeparator();
    constexpr std::pair<const char*, StandardView> kViews[] = {
        {QT_TR_NOOP("&Front, from +z"), StandardView::front},
        {QT_TR_NOOP("&Right, from +x"), StandardView::right},
        {QT_TR_NOOP("&Top, from +y"), StandardView::top},
        {QT_TR_NOOP("&Back, from −z"), StandardView::back},
        {QT_TR_NOOP("&Left, from −x"), StandardView::left},
        {QT_TR_NOOP("Botto&m, from −y"), StandardView::bottom},
    };
    int key = Qt::Key_1;
    for (const auto& [name, view] : kViews) {
        QAction* action = make(tr(name), QKeySequence(key++), {});
        connect(action, &QAction::triggered, this,
                [this, chosen = view] { Q_EMIT viewChosen(chosen); });
        camera.addAction(action);
    }
    camera.addSeparator();
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
    frame->setIconText(tr("Frame"));
    bar->addAction(open);
    bar->addAction(reconstruct);
    if (QWidget* button = bar->widgetForAction(reconstruct)) setTextRole(*button, "primary");
    bar->addSeparator();
    auto* shading = new QToolButton(bar);
    shading->setMenu(&menu(MenuSection::viewLook));
    shading->setPopupMode(QToolButton::InstantPopup);
    shading->setToolTip(tr("Shading of the meshes"));
    const auto showShading = [this, shading] {
        shading->setText(shadingName(document_.look.current().shading) + QStringLiteral(" ▾"));
    };
    connect(&document_.look, &LookModel::changed, shading, showShading);
    showShading();
    bar->addWidget(shading);
    bar->addAction(frame);
    // Commands that write files are apart, at the right.
    auto* space = new QWidget(bar);
    space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(space);
    bar->addAction(exportMesh);
    bar->addAction(screenshot);
    if (auto* button = qobject_cast<QToolButton*>(bar->widgetForAction(screenshot))) {
        button->setToolButtonStyle(Qt::ToolButtonIconOnly);
        button->setAccessibleName(tr("Screenshot"));
    }
    for (QAction* action : bar->actions())
        if (auto* button = qobject_cast<QToolButton*>(bar->widgetForAction(action)))
            button->setFocusPolicy(Qt::TabFocus);
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

void Actions::setReconstructAccented(bool accented) {
    if (accented == reconstructAccented_) return;
    reconstructAccented_ = accented;
    if (QWidget* button = toolBar_->widgetForAction(reconstruct)) {
        setTextRole(*button, accented ? "primary" : "");
        // A style sheet reads changed properties only after unpolish() and polish().
        button->style()->unpolish(button);
        button->style()->polish(button);
    }
    tint(colours_);
}

void Actions::tint(const ThemeColours& colours) {
    colours_ = colours;
    for (const auto& [action, name] : icons_) {
        const bool accented = action == reconstruct && reconstructAccented_;
        const QColor& colour = accented ? colours.accentText : colours.text;
        action->setIcon(icon(QLatin1String(name), colour, colours.muted));
    }
}

}  // namespace threefold::ui
