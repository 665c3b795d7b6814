// The layout of the main window and its own commands.
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

}  // namespace

void MainWindow::makeInputSide() {
    inputModel_ = new InputModel(this);
    input_ = new InputPanel(*inputModel_, client_->viewCache());
    inputSide_ = new QSplitter(Qt::Vertical);
    inputSide_->setHandleWidth(1);
    inputSide_->setChildrenCollapsible(false);
    inputSide_->addWidget(scrolling(input_, tr("Input")));
}

void MainWindow::makeInspectorSide() {
    inspector_ = new Inspector;
    inspectorSide_ = scrolling(inspector_, tr("Inspector"));
}

// Makes the panes with the widgets above and below them.
QWidget* MainWindow::makeCentre() {
    banner_ = new Banner;
    viewport_ = new Viewport(setup_.instance);
    viewport_->setVulkanInstance(&setup_.vulkan);
    container_ = QWidget::createWindowContainer(viewport_);
    container_->setFocusPolicy(Qt::StrongFocus);
    container_->setMinimumWidth(300);
    container_->setAccessibleName(tr("Meshes"));
    container_->setAccessibleDescription(
        tr("Drag or arrow keys to turn, right drag or shift and arrow keys to move, "
           "wheel or plus and minus to zoom, F to frame"));

    auto* below = new QWidget;
    belowPanes_ = new QVBoxLayout(below);
    belowPanes_->setContentsMargins(0, 0, 0, 0);
    belowPanes_->setSpacing(0);
    auto* centre = new QWidget;
    headers_ = new PaneHeaders(*document_, shown_);
    centre->setLayout(
        columnOf({banner_, headers_, stretched(container_), &headers_->lower(), below}, 0));
    new PaneHeightKeeper(*this, *container_, *below);
    return centre;
}

void MainWindow::buildLayout() {
    makeInputSide();
    makeInspectorSide();
    QWidget* const centre = makeCentre();
    splitter_ = new QSplitter(Qt::Horizontal);
    splitter_->setHandleWidth(1);
    splitter_->setChildrenCollapsible(false);
    for (QWidget* column : {static_cast<QWidget*>(inputSide_), centre, inspectorSide_}) {
        splitter_->addWidget(column);
        splitter_->setStretchFactor(splitter_->count() - 1, column == centre ? 1 : 0);
    }
    splitter_->setSizes(defaultWidths(*this));

    status_ = new StatusLine(document_->run);
    setCentralWidget(splitter_);
    // The status bar is below the docks.
    statusBar()->setSizeGripEnabled(false);
    statusBar()->setContentsMargins(0, 0, 0, 0);
    statusBar()->addWidget(status_, 1);
    container_->setFocus();

    // An embedded window keeps the keyboard focus until the focus is moved explicitly.
    connect(viewport_, &Viewport::focusLeft, this, [this](bool forward) {
        activateWindow();
        container_->setFocus();
        if (forward ? focusNextChild() : focusPreviousChild()) windowHandle()->requestActivate();
    });
    connect(status_, &StatusLine::cancelClicked, this, &MainWindow::cancel);
}

// Features add widgets late, which Qt's own tab order puts last, far from their neighbours.
bool MainWindow::focusNextPrevChild(bool next) {
    std::vector<QWidget*> regions{&actions_->toolBar()};
    for (int i = 0; i < inputSide_->count(); ++i) regions.push_back(inputSide_->widget(i));
    regions.push_back(container_->parentWidget());
    regions.push_back(inspectorSide_);
    for (QDockWidget* dock : findChildren<QDockWidget*>()) regions.push_back(dock);
    regions.push_back(statusBar());
    // Widgets over the window, such as the list of shortcuts, handle Tab themselves.
    const bool fromPanes =
        QGuiApplication::focusWindow() == viewport_;  // then no widget has the focus
    QWidget* current = fromPanes ? container_ : focusWidget();
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
    setup_.settings.remove(QStringLiteral("hints"));
    document_->look.set(Look{});
    setTheme(ThemeChoice::system);
    restoreState(defaultDocks_);
    actions_->showInput->setChecked(true);
    actions_->showInspector->setChecked(true);
    splitter_->setSizes(defaultWidths(*this));
    inputSide_->setSizes(kDefaultInputHeights);
    status_->showMessage(tr("Default layout restored"));
}

void MainWindow::connectActions() {
    connect(actions_->quit, &QAction::triggered, this, &QWidget::close);
    connect(actions_->reconstruct, &QAction::triggered, this, [this] {
        reconstructor_->reconstruct();
        status_->showMessage(tr("Reconstructing…"));
    });
    connect(actions_->cancel, &QAction::triggered, this, &MainWindow::cancel);
    QAction* closeBanner = actions_->add({.menu = MenuSection::viewPanels,
                                          .text = tr("Close the &message"),
                                          .tooltip = tr("Close the message above the panes (Esc)")},
                                         banner_, &QWidget::hide);
    closeBanner->setEnabled(false);
    actions_->addEscape(*closeBanner, 1);
    connect(banner_, &Banner::shown, closeBanner, &QAction::setEnabled);
    actions_->add({.menu = MenuSection::viewPanels,
                   .text = tr("Restore default layou&t"),
                   .tooltip = tr("Reset panels, docks, look and theme; open files stay open")},
                  this, &MainWindow::restoreDefaults);
    connect(actions_->frame, &QAction::triggered, viewport_, &Viewport::frameMeshes);
    connect(actions_->referenceView, &QAction::triggered, this, [this] {
        const ResultRef& result = document_->result.current();
        if (result) viewport_->lookThrough(result->referenceCamera());
    });
    connect(actions_->linkCameras, &QAction::toggled, viewport_, &Viewport::setLinked);
    connect(actions_->showInput, &QAction::toggled, inputSide_, &QWidget::setVisible);
    connect(actions_->showInspector, &QAction::toggled, inspectorSide_, &QWidget::setVisible);
    connect(actions_, &Actions::viewChosen, viewport_, &Viewport::lookAlong);
    connect(actions_, &Actions::themeChosen, this, &MainWindow::setTheme);
}

}  // namespace threefold::ui
