// The layout of the main window.
#include <algorithm>
#include <vector>

#include <QApplication>
#include <QDockWidget>
#include <QEvent>
#include <QScreen>
#include <QScrollArea>
#include <QSplitter>
#include <QStatusBar>
#include <QVBoxLayout>

#include "ui/panes/pane_headers.h"
#include "ui/style/widgets.h"
#include "ui/window/main_window.h"
#include "ui/window/pane_height_keeper.h"
#include "ui/window/tab_order.h"

namespace threefold::ui {
namespace {

/// Widths of input, panes and inspector. On a wide screen the inspector has room for the columns of
/// every step of a fit, so that its width stays the same while columns come and go.
QList<int> defaultWidths(const QWidget& window) {
    constexpr int kInput = 256, kWhole = 1600, kNarrow = 1400;
    const int inspector = window.screen()->availableSize().width() < kNarrow ? 340 : 420;
    return {kInput, kWhole - kInput - inspector, inspector};
}

// Scroll area that is wide enough for its content and the scroll bar.
class SidePanel : public QScrollArea {
  public:
    QSize minimumSizeHint() const override {
        constexpr int kScrollBar = 8;
        constexpr int kMinHeight = 120;
        return {widget()->minimumSizeHint().width() + kScrollBar, kMinHeight};
    }

  protected:
    // Follows the width of the content, to which a fit and opened meshes add columns.
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (watched == widget() && event->type() == QEvent::LayoutRequest) updateGeometry();
        return QScrollArea::eventFilter(watched, event);
    }
};

QScrollArea* scrolling(QWidget* content, const QString& name) {
    auto* area = new SidePanel;
    area->setWidget(content);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFrameShape(QFrame::NoFrame);
    area->setFocusPolicy(Qt::NoFocus);
    area->setAccessibleName(name);
    area->viewport()->setAutoFillBackground(false);
    content->setAutoFillBackground(false);
    return area;
}

// Makes the panes with the widgets above and below them. `centre` gets their layout.
WindowPanes makePanes(const WindowContext& context, const WindowModels& models,
                      const WindowSetup& setup, QWidget& centre) {
    auto* viewport = new Viewport(setup.instance);
    viewport->setVulkanInstance(&setup.vulkan);
    QWidget* container = QWidget::createWindowContainer(viewport);
    container->setFocusPolicy(Qt::StrongFocus);
    container->setMinimumWidth(300);
    container->setAccessibleName(MainWindow::tr("Meshes"));
    container->setAccessibleDescription(
        MainWindow::tr("Drag or arrow keys to turn, right drag or shift and arrow keys to move, "
                       "wheel or plus and minus to zoom, F to frame"));

    auto* below = new QWidget;
    auto* belowRows = new QVBoxLayout(below);
    belowRows->setContentsMargins(0, 0, 0, 0);
    belowRows->setSpacing(0);
    auto* headers = new PaneHeaders(models.document, models.shown());
    centre.setLayout(
        columnOf({&context.banner, headers, stretched(container), &headers->lower(), below}, 0));
    new PaneHeightKeeper(context.window, *container, *below);
    return {*viewport, *container, *headers, *belowRows};
}

// The three columns of the window, of which the centre gets the space.
QSplitter& makeColumns(QMainWindow& window, const QList<QWidget*>& columns) {
    auto* splitter = new QSplitter(Qt::Horizontal);
    splitter->setHandleWidth(1);
    splitter->setChildrenCollapsible(false);
    for (QWidget* column : columns) {
        splitter->addWidget(column);
        splitter->setStretchFactor(splitter->count() - 1, splitter->count() == 2 ? 1 : 0);
    }
    splitter->setSizes(defaultWidths(window));
    return *splitter;
}

}  // namespace

WindowLayout makeLayout(const WindowContext& context, const WindowModels& models,
                        const WindowSetup& setup, const NetworkClient& client) {
    auto& input = *new InputPanel(models.input, client.viewCache());
    auto& inputSide = *new QSplitter(Qt::Vertical);
    inputSide.setHandleWidth(1);
    inputSide.setChildrenCollapsible(false);
    inputSide.addWidget(scrolling(&input, MainWindow::tr("Input")));
    auto& inspector = *new Inspector;
    QWidget& inspectorSide = *scrolling(&inspector, MainWindow::tr("Inspector"));
    auto& centre = *new QWidget;
    const WindowPanes panes = makePanes(context, models, setup, centre);
    QSplitter& columns = makeColumns(context.window, {&inputSide, &centre, &inspectorSide});

    context.window.setCentralWidget(&columns);
    // The status bar is below the docks.
    QStatusBar& statusBar = *context.window.statusBar();
    statusBar.setSizeGripEnabled(false);
    statusBar.setContentsMargins(0, 0, 0, 0);
    statusBar.addWidget(&context.status, 1);
    panes.container.setFocus();
    return {columns, inputSide, input, panes, inspectorSide, inspector};
}

// An embedded window keeps the keyboard focus until the focus is moved explicitly.
void MainWindow::connectFocus() {
    const WindowPanes& panes = parts_.layout.panes;
    connect(&panes.viewport, &Viewport::focusLeft, this, [this, &panes](bool forward) {
        activateWindow();
        panes.container.setFocus();
        if (forward ? focusNextChild() : focusPreviousChild()) windowHandle()->requestActivate();
    });
}

// Features add widgets late, which Qt's own tab order puts last, far from their neighbours.
bool MainWindow::focusNextPrevChild(bool next) {
    const WindowLayout& layout = parts_.layout;
    QWidget& container = layout.panes.container;
    std::vector<QWidget*> regions{&parts_.context.actions.toolBar()};
    for (int i = 0; i < layout.inputSide.count(); ++i)
        regions.push_back(layout.inputSide.widget(i));
    regions.push_back(container.parentWidget());
    regions.push_back(&layout.inspectorSide);
    for (QDockWidget* dock : findChildren<QDockWidget*>()) regions.push_back(dock);
    regions.push_back(statusBar());
    // Widgets over the window, such as the list of shortcuts, handle Tab themselves.
    const bool fromPanes =
        QGuiApplication::focusWindow() == &layout.panes.viewport;  // then no widget has the focus
    QWidget* current = fromPanes ? &container : focusWidget();
    const bool inside =
        current == nullptr || current == this ||
        std::any_of(regions.begin(), regions.end(), [current](const QWidget* region) {
            return region == current || region->isAncestorOf(current);
        });
    if (!inside) return QMainWindow::focusNextPrevChild(next);
    QWidget* widget = neighbourInTabOrder(tabOrder(*this, regions), current, next);
    if (widget == nullptr) return false;
    widget->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
    return true;
}

void MainWindow::restoreDefaults() {
    const FeatureContext& context = parts_.context;
    context.settings.remove(QStringLiteral("hints"));
    context.document.look.set(Look{});
    setTheme(ThemeChoice::system);
    restoreState(defaultDocks_);
    context.actions.showInput->setChecked(true);
    context.actions.showInspector->setChecked(true);
    parts_.layout.columns.setSizes(defaultWidths(*this));
    parts_.layout.inputSide.setSizes(kDefaultInputHeights);
    context.status.showMessage(tr("Default layout restored"));
}

}  // namespace threefold::ui
