#include "ui/panes/pane_layouts.h"

#include <algorithm>
#include <array>

#include <QActionGroup>
#include <QToolBar>

#include "ui/document/connections.h"
#include "ui/panes/pane_arrangement.h"
#include "ui/panes/viewport.h"
#include "ui/shell/feature_context.h"
#include "ui/style/widgets.h"

namespace threefold::ui {
namespace {

QToolButton* segment(QAction* action, const char* end, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setDefaultAction(action);
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    button->setFocusPolicy(Qt::TabFocus);
    button->setAccessibleName(action->iconText());
    setTextRole(*button, "segment");
    button->setProperty("end", QString::fromLatin1(end));
    return button;
}

class PaneLayouts : public QObject {
    Q_DECLARE_TR_FUNCTIONS(PaneLayouts)

  public:
    PaneLayouts(const FeatureContext& context, Viewport& viewport);

  private:
    QList<QAction*> addLayouts(const FeatureContext& context);
    void addContents(const FeatureContext& context);
    void addShifts(const FeatureContext& context);
    void addControl(const FeatureContext& context, const QList<QAction*>& layouts);
    void shift(float step);
    void refresh();

    Document& document_;
    QAction* truth_ = nullptr;
    QAction* swap_ = nullptr;
    std::array<QAction*, 2> shifts_{};
};

PaneLayouts::PaneLayouts(const FeatureContext& context, Viewport& viewport)
    : QObject(&context.window), document_(context.document) {
    QMenu& menu = context.actions.menu(MenuSection::viewPanes);
    const QList<QAction*> layouts = addLayouts(context);
    menu.addSeparator();
    addContents(context);
    menu.addSeparator();
    addShifts(context);
    addControl(context, layouts);

    connect(&viewport, &Viewport::seamMoved, this, [this](float fraction) {
        document_.look.change([&](Look& look) { look.seamPosition = fraction; });
    });
    connect(&document_.look, &LookModel::changed, this,
            [this, &viewport = viewport](const Look& before) {
                if (before.swapped != document_.look.current().swapped) viewport.swapCameras();
                refresh();
            });
    connectChanged(this, &PaneLayouts::refresh, document_.result, document_.run, document_.opened);
    connect(&document_.fit, &FitModel::convergingMeshChanged, this, &PaneLayouts::refresh);
    refresh();
}

QList<QAction*> PaneLayouts::addLayouts(const FeatureContext& context) {
    auto* group = new QActionGroup(this);
    const auto layout = [&](PaneLayout value, const QString& text, Qt::Key key,
                            const QString& tip) {
        QAction* action = context.actions.addToggle(
            {.menu = MenuSection::viewPanes, .text = text, .keys = key, .tooltip = tip},
            [value](const Look& look) { return look.paneLayout == value; },
            [value](Look& look, bool) { look.paneLayout = value; });
        group->addAction(action);
    };
    layout(PaneLayout::sideBySide, tr("&Side by side"), Qt::Key_S,
           tr("The two meshes beside each other, each in a pane"));
    layout(PaneLayout::wipe, tr("&Wipe"), Qt::Key_W,
           tr("Both meshes in one pane, one on each side of a seam that you drag"));
    layout(PaneLayout::overlay, tr("&Overlay"), Qt::Key_O,
           tr("Both meshes in one pane, the second translucent upon the first"));
    return group->actions();
}

void PaneLayouts::addContents(const FeatureContext& context) {
    truth_ = context.actions.add(
        {.menu = MenuSection::viewPanes,
         .text = tr("With &truth"),
         .keys = Qt::Key_T,
         .tooltip = tr("A further pane with the true surface")},
        this, [this](bool on) { document_.look.change([&](Look& look) { look.truthPane = on; }); });
    truth_->setCheckable(true);
    swap_ = context.actions.addToggle(
        {.menu = MenuSection::viewPanes,
         .text = tr("S&wap meshes"),
         .keys = Qt::Key_X,
         .tooltip = tr("Exchange the two meshes, and their cameras if these are not linked")},
        &Look::swapped);
}

void PaneLayouts::addShifts(const FeatureContext& context) {
    constexpr float kStep = 0.025F;
    const std::pair<QString, int> directions[] = {
        {tr("Seam to the &left, or less opaque"), Qt::Key_Left},
        {tr("Seam to the &right, or more opaque"), Qt::Key_Right}};
    for (std::size_t i = 0; i < shifts_.size(); ++i) {
        shifts_[i] = context.actions.add(
            {.menu = MenuSection::viewPanes,
             .text = directions[i].first,
             .keys = Qt::CTRL | Qt::Key(directions[i].second),
             .tooltip = tr("Moves the seam of a wipe, or changes the opacity of an overlay")},
            this, [this, by = i == 0 ? -kStep : kStep] { shift(by); });
    }
}

void PaneLayouts::addControl(const FeatureContext& context, const QList<QAction*>& layouts) {
    QToolBar& bar = context.actions.toolBar();
    auto* control = new QWidget(&bar);
    control->setLayout(
        rowOf({segment(layouts[0], "first", control), segment(layouts[1], "", control),
               segment(layouts[2], "last", control)},
              0));
    control->setAccessibleName(tr("Layout"));
    // The control follows the commands that reconstruct, which end with the first separator.
    const QList<QAction*> actions = bar.actions();
    const auto separator = std::ranges::find_if(actions, &QAction::isSeparator);
    QAction* before = actions.value(separator - actions.begin() + 1);  // null: at the end
    bar.insertWidget(before, control);
    bar.insertAction(before, truth_);
}

void PaneLayouts::shift(float step) {
    document_.look.change([&](Look& look) {
        float& fraction = look.paneLayout == PaneLayout::wipe ? look.seamPosition : look.opacity;
        fraction = std::clamp(fraction + step, 0.0F, 1.0F);
    });
}

void PaneLayouts::refresh() {
    const Look& look = document_.look.current();
    const bool hasTwo = shownIds(document_).size() > 1;
    swap_->setEnabled(hasTwo);
    const bool truth = meshOf(document_, MeshId::truth) != nullptr;
    truth_->setEnabled(truth);
    truth_->setChecked(truth && look.truthPane);
    for (QAction* action : shifts_)
        action->setEnabled(hasTwo && look.paneLayout != PaneLayout::sideBySide);
}

}  // namespace

void addPaneLayouts(const FeatureContext& context, Viewport& viewport) {
    new PaneLayouts(context, viewport);
}

}  // namespace threefold::ui
