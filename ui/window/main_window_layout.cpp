// The layout of the main window and its own commands.
#include <algorithm>
#include <span>

#include <QApplication>
#include <QDockWidget>
#include <QEvent>
#include <QScrollArea>
#include <QStatusBar>
#include <QVBoxLayout>

#include "ui/panes/pane_header.h"
#include "ui/style/widgets.h"
#include "ui/window/main_window.h"

namespace threefold::ui {
namespace {

const QList<int> kDefaultWidths{256, 1040, 304};
const QList<int> kDefaultHeights{660, 240};  // of the left side

// Wide enough for its content beside the scroll bar.
class SidePanel : public QScrollArea {
  public:
    QSize minimumSizeHint() const override {
        constexpr int kScrollBar = 8;
        constexpr int kLeastHeight = 120;
        return {widget()->minimumSizeHint().width() + kScrollBar, kLeastHeight};
    }

  protected:
    // Columns come with the fit and with opened meshes.
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

/// Keeps the panes large: beside an open dock they have 400 pixels of height as long as the window
/// allows it. The rows below them shrink first, then the dock. What is bounded is the dock, from
/// above: a minimum of the panes would keep the window from becoming lower. Child of the window.
class PaneRoom : public QObject {
  public:
    /// `below`: the rows under the panes. Both stand in the window's central widget.
    PaneRoom(QMainWindow& window, QWidget& panes, QWidget& below)
        : QObject(&window), window_(window), panes_(panes), below_(below) {
        window_.installEventFilter(this);
        panes_.installEventFilter(this);
        panes_.setMinimumHeight(kLeast);
    }

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (watched == &window_ && event->type() == QEvent::ChildAdded) {
            // Docks come with the features, after this.
            for (QDockWidget* dock : docks()) dock->installEventFilter(this);
        }
        const bool isDock = watched != &window_ && watched != &panes_;
        if (event->type() == QEvent::Resize
                ? !isDock
                : isDock && (event->type() == QEvent::Show || event->type() == QEvent::Hide))
            QMetaObject::invokeMethod(this, &PaneRoom::share,
                                      Qt::QueuedConnection);  // once laid out
        return QObject::eventFilter(watched, event);
    }

  private:
    static constexpr int kRoom = 400;
    static constexpr int kLeast = 160;  // in a window too small for that

    QList<QDockWidget*> docks() const {
        return window_.findChildren<QDockWidget*>(QString(), Qt::FindDirectChildrenOnly);
    }

    void share() {
        QList<QDockWidget*> open = docks();
        for (QDockWidget* dock : open) dock->setMaximumHeight(QWIDGETSIZE_MAX);
        open.removeIf([](QDockWidget* dock) { return !dock->isVisible() || dock->isFloating(); });
        int least = 0;  // what the docks need
        int taken = 0;
        for (const QDockWidget* dock : open) {
            least = std::max(least, dock->minimumSizeHint().height());
            taken = std::max(taken, dock->height());
        }
        // What stands above the panes and below the docks keeps its height.
        const QWidget& centre = *window_.centralWidget();
        const int others =
            centre.height() - panes_.height() - (below_.isVisible() ? below_.height() : 0);
        const int room = centre.height() + taken - others;
        const int below = below_.sizeHint().height();
        below_.setVisible(open.empty() || room - least - below >= kRoom);
        const int most = room - kRoom - (below_.isVisible() ? below : 0);
        for (QDockWidget* dock : open) dock->setMaximumHeight(std::max(least, most));
    }

    QMainWindow& window_;
    QWidget& panes_;
    QWidget& below_;
};

bool acceptsTab(const QWidget& widget, const QWidget& window) {
    return (widget.focusPolicy() & Qt::TabFocus) == Qt::TabFocus && widget.isVisible() &&
           widget.isEnabled() && widget.focusProxy() == nullptr && widget.window() == &window;
}

/// The widgets that Tab reaches, in reading order: region by region, row by row, from the left.
/// Skips hidden, disabled and floating widgets.
QList<QWidget*> tabOrder(const QWidget& window, std::span<QWidget* const> regions) {
    const auto place = [&](const QWidget* widget) {
        return QRect(widget->mapTo(&window, QPoint(0, 0)), widget->size());
    };
    const auto middle = [&](const QWidget* widget) { return place(widget).center().y(); };
    const auto left = [&](const QWidget* widget) { return place(widget).left(); };
    QList<QWidget*> order;
    for (QWidget* region : regions) {
        QList<QWidget*> stops = region->findChildren<QWidget*>();
        stops.prepend(region);
        stops.removeIf([&](const QWidget* widget) { return !acceptsTab(*widget, window); });
        std::ranges::stable_sort(stops, {}, middle);
        // A row holds all widgets whose centre is not below the bottom of the topmost one.
        for (auto row = stops.begin(); row != stops.end();) {
            const int end = place(*row).bottom();
            const auto next = std::find_if(
                row + 1, stops.end(), [&](const QWidget* widget) { return middle(widget) > end; });
            std::ranges::stable_sort(row, next, {}, left);
            row = next;
        }
        order += stops;
    }
    return order;
}

/// The widget after or before `now`, wrapping around; the first or last if `now` is not among them;
/// null if `order` is empty.
QWidget* neighbour(const QList<QWidget*>& order, QWidget* now, bool next) {
    if (order.empty()) return nullptr;
    const qsizetype at = order.indexOf(now);
    if (at < 0) return next ? order.front() : order.back();
    return order[(at + (next ? 1 : order.size() - 1)) % order.size()];
}

}  // namespace

void MainWindow::buildLayout() {
    input_ = new InputPanel;
    input_->setCache(worker_->views());
    inspector_ = new Inspector;
    inputSide_ = new QSplitter(Qt::Vertical);
    inputSide_->setHandleWidth(1);
    inputSide_->setChildrenCollapsible(false);
    inputSide_->addWidget(scrolling(input_, tr("Input")));
    inspectorSide_ = scrolling(inspector_, tr("Inspector"));

    banner_ = new Banner;

    viewport_ = new Viewport(setup_.instance);
    viewport_->setVulkanInstance(&setup_.vulkan);
    container_ = QWidget::createWindowContainer(viewport_);
    container_->setFocusPolicy(Qt::StrongFocus);
    container_->setMinimumWidth(300);
    container_->setAccessibleName(tr("Coarse and refined mesh"));
    container_->setAccessibleDescription(
        tr("Drag or arrow keys to turn, right drag or shift and arrow keys to move, "
           "wheel or plus and minus to zoom, F to frame"));

    auto* below = new QWidget;
    belowPanes_ = new QVBoxLayout(below);
    belowPanes_->setContentsMargins(0, 0, 0, 0);
    belowPanes_->setSpacing(0);
    auto* centre = new QWidget;
    headers_ = new PaneHeaders(*document_);
    centre->setLayout(columnOf({banner_, headers_, {container_, 1}, &headers_->lower(), below}, 0));
    new PaneRoom(*this, *container_, *below);

    splitter_ = new QSplitter(Qt::Horizontal);
    splitter_->setHandleWidth(1);
    splitter_->setChildrenCollapsible(false);
    for (QWidget* part : {static_cast<QWidget*>(inputSide_), centre, inspectorSide_}) {
        splitter_->addWidget(part);
        splitter_->setStretchFactor(splitter_->count() - 1, part == centre ? 1 : 0);
    }
    splitter_->setSizes(kDefaultWidths);

    status_ = new StatusLine(*document_);
    setCentralWidget(splitter_);
    // In the status bar, to be below the docks.
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

// Widgets that features add late would be last in Qt's own order, far from their neighbours.
bool MainWindow::focusNextPrevChild(bool next) {
    std::vector<QWidget*> regions{&actions_->toolBar()};
    for (int i = 0; i < inputSide_->count(); ++i) regions.push_back(inputSide_->widget(i));
    regions.push_back(container_->parentWidget());
    regions.push_back(inspectorSide_);
    for (QDockWidget* dock : findChildren<QDockWidget*>()) regions.push_back(dock);
    regions.push_back(statusBar());
    // Widgets over the window, such as the list of shortcuts, handle Tab themselves.
    const bool fromPanes = QGuiApplication::focusWindow() == viewport_;  // no widget has it then
    QWidget* now = fromPanes ? container_ : focusWidget();
    const bool inside = now == nullptr || now == this ||
                        std::any_of(regions.begin(), regions.end(), [now](const QWidget* region) {
                            return region == now || region->isAncestorOf(now);
                        });
    if (!inside) return QMainWindow::focusNextPrevChild(next);
    QWidget* widget = neighbour(tabOrder(*this, regions), now, next);
    if (widget == nullptr) return false;
    widget->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
    return true;
}

void MainWindow::restoreDefaults() {
    setup_.settings.remove(QStringLiteral("hints"));
    document_->setLook(Look{});
    setTheme(ThemeChoice::system);
    restoreState(firstDocks_);
    actions_->showInput->setChecked(true);
    actions_->showInspector->setChecked(true);
    splitter_->setSizes(kDefaultWidths);
    inputSide_->setSizes(kDefaultHeights);
    status_->say(tr("Default layout restored"));
}

void MainWindow::connectActions() {
    connect(actions_->quit, &QAction::triggered, this, &QWidget::close);
    connect(actions_->reconstruct, &QAction::triggered, this, [this] {
        reconstructor_->reconstruct();
        status_->say(tr("Reconstructing…"));
    });
    connect(actions_->cancel, &QAction::triggered, this, &MainWindow::cancel);
    QAction* closeBanner =
        actions_->add(MenuName::panels, tr("Close the &message"), {},
                      tr("Close the message above the panes (Esc)"), banner_, &QWidget::hide);
    closeBanner->setEnabled(false);
    actions_->addEscape(*closeBanner, 1);
    connect(banner_, &Banner::shown, closeBanner, &QAction::setEnabled);
    actions_->add(MenuName::panels, tr("Restore default layou&t"), {},
                  tr("Reset panels, docks, look and theme; open files stay open"), this,
                  &MainWindow::restoreDefaults);
    connect(actions_->fit, &QAction::triggered, viewport_, &Viewport::fit);
    connect(actions_->referenceView, &QAction::triggered, this, [this] {
        const ResultRef& result = document_->result();
        if (result) viewport_->lookFrom(result->referenceCamera());
    });
    connect(actions_->linkCameras, &QAction::toggled, viewport_, &Viewport::setLinked);
    connect(actions_->showInput, &QAction::toggled, inputSide_, &QWidget::setVisible);
    connect(actions_->showInspector, &QAction::toggled, inspectorSide_, &QWidget::setVisible);
    connect(actions_, &Actions::viewChosen, viewport_, &Viewport::look);
    connect(actions_, &Actions::themeChosen, this, &MainWindow::setTheme);
}

}  // namespace threefold::ui
