// The layout of the main window and its own commands.
#include <algorithm>
#include <span>

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

namespace threefold::ui {
namespace {

/// Widths of input, panes and inspector. On a wide screen the inspector has room for the columns of
/// every step of a fit: it keeps one width while they come and go.
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
    // The content widens: a fit and opened meshes add columns.
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

/// Keeps the panes large: with open docks they get a height of 400 pixels if the window allows it.
/// The rows below the panes shrink first, then the docks. Limits the maximum height of the docks: a
/// minimum height of the panes would keep the window from becoming lower. Child of the window.
class PaneHeightKeeper : public QObject {
  public:
    /// `below`: the rows under the panes. Both are in the window's central widget.
    PaneHeightKeeper(QMainWindow& window, QWidget& panes, QWidget& below)
        : QObject(&window), window_(window), panes_(panes), below_(below) {
        window_.installEventFilter(this);
        panes_.installEventFilter(this);
        panes_.setMinimumHeight(kMinPaneHeight);
    }

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (watched == &window_ && event->type() == QEvent::ChildAdded) {
            // Features add docks after this object is created.
            for (QDockWidget* dock : docks()) dock->installEventFilter(this);
        }
        const bool isDock = watched != &window_ && watched != &panes_;
        if (event->type() == QEvent::Resize
                ? !isDock
                : isDock && (event->type() == QEvent::Show || event->type() == QEvent::Hide))
            QMetaObject::invokeMethod(this, &PaneHeightKeeper::limitDocks,
                                      Qt::QueuedConnection);  // once laid out
        return QObject::eventFilter(watched, event);
    }

  private:
    static constexpr int kPaneHeight = 400;
    static constexpr int kMinPaneHeight = 160;  // in a window too small for kPaneHeight

    QList<QDockWidget*> docks() const {
        return window_.findChildren<QDockWidget*>(QString(), Qt::FindDirectChildrenOnly);
    }

    void limitDocks() {
        QList<QDockWidget*> open = docks();
        for (QDockWidget* dock : open) dock->setMaximumHeight(QWIDGETSIZE_MAX);
        open.removeIf([](QDockWidget* dock) { return !dock->isVisible() || dock->isFloating(); });
        int dockMinimum = 0;  // minimum height of the docks
        int dockHeight = 0;
        for (const QDockWidget* dock : open) {
            dockMinimum = std::max(dockMinimum, dock->minimumSizeHint().height());
            dockHeight = std::max(dockHeight, dock->height());
        }
        // Widgets above the panes and below the docks keep their height.
        const QWidget& centre = *window_.centralWidget();
        const int fixedHeight =
            centre.height() - panes_.height() - (below_.isVisible() ? below_.height() : 0);
        const int available = centre.height() + dockHeight - fixedHeight;
        const int below = below_.sizeHint().height();
        below_.setVisible(open.empty() || available - dockMinimum - below >= kPaneHeight);
        const int dockMaximum = available - kPaneHeight - (below_.isVisible() ? below : 0);
        for (QDockWidget* dock : open) dock->setMaximumHeight(std::max(dockMinimum, dockMaximum));
    }

    QMainWindow& window_;
    QWidget& panes_;
    QWidget& below_;
};

bool acceptsTab(const QWidget& widget, const QWidget& window) {
    return (widget.focusPolicy() & Qt::TabFocus) == Qt::TabFocus && widget.isVisible() &&
           widget.isEnabled() && widget.focusProxy() == nullptr && widget.window() == &window;
}

/// Widgets that Tab reaches, in reading order: region by region, row by row, from the left. Skips
/// hidden, disabled and floating widgets.
QList<QWidget*> tabOrder(const QWidget& window, std::span<QWidget* const> regions) {
    const auto rectOf = [&](const QWidget* widget) {
        return QRect(widget->mapTo(&window, QPoint(0, 0)), widget->size());
    };
    const auto centreY = [&](const QWidget* widget) { return rectOf(widget).center().y(); };
    const auto leftOf = [&](const QWidget* widget) { return rectOf(widget).left(); };
    QList<QWidget*> order;
    for (QWidget* region : regions) {
        QList<QWidget*> stops = region->findChildren<QWidget*>();
        stops.prepend(region);
        stops.removeIf([&](const QWidget* widget) { return !acceptsTab(*widget, window); });
        std::ranges::stable_sort(stops, {}, centreY);
        // A row holds all widgets whose centre is not below the bottom of the topmost one.
        for (auto row = stops.begin(); row != stops.end();) {
            const int end = rectOf(*row).bottom();
            const auto next = std::find_if(
                row + 1, stops.end(), [&](const QWidget* widget) { return centreY(widget) > end; });
            std::ranges::stable_sort(row, next, {}, leftOf);
            row = next;
        }
        order += stops;
    }
    return order;
}

/// The widget after or before `current`, wrapping around; the first or last if `current` is not in
/// `order`; null if `order` is empty.
QWidget* neighbour(const QList<QWidget*>& order, QWidget* current, bool next) {
    if (order.empty()) return nullptr;
    const qsizetype index = order.indexOf(current);
    if (index < 0) return next ? order.front() : order.back();
    return order[(index + (next ? 1 : order.size() - 1)) % order.size()];
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

    // An embedded window keeps the keyboard focus until it is moved explicitly.
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
    QWidget* widget = neighbour(tabOrder(*this, regions), current, next);
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
