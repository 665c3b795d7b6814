#include "ui/inspect/results_list.h"

#include <algorithm>
#include <set>

#include <QKeyEvent>

#include "ui/inspect/inspector.h"
#include "ui/panes/viewport.h"
#include "ui/style/image_conversion.h"
#include "ui/style/number_format.h"

namespace threefold::ui {
namespace {

constexpr QSize kPictureSize(48, 36);
constexpr int kMaxRows = 4;  // further rows scroll

/// Origin of a fitted mesh: "hull".
QString fittedFrom(const Result& result) {
    const FitSource from =
        result.fitted() ? sourceOf(result.fitted()->fit.hullFit) : FitSource::network;
    return from == FitSource::depth  ? ResultsList::tr("depth")
           : from == FitSource::hull ? ResultsList::tr("hull")
                                     : ResultsList::tr("network");
}

/// Two lines: a title, "car p0001 · hull · views 0, 6, 7"; then measures under the chosen protocol,
/// and times.
QString textOf(const HistoryEntry& entry, MeasuredMeshes& measured, bool withModel) {
    const Result& result = *entry.result;
    QStringList title{sampleTitle(*result.sample)};
    if (result.mesh(MeshId::fitted)) title << fittedFrom(result);
    title << ResultsList::tr("views %1").arg(numberList(result.views));
    if (withModel) title << QString::fromStdString(result.origin.model);
    if (entry.pinned) title << ResultsList::tr("pinned");
    QStringList numbers;
    if (!result.truth) {
        numbers << ResultsList::tr("no truth");
    } else if (const auto scores = measured.requestFinalScores(result)) {
        numbers << ResultsList::tr("F(τ) %1 %").arg(fixedText(scores->measures.atTau().fScore, 2))
                << ResultsList::tr("CD %1").arg(shortScientific(scores->measures.chamfer));
    } else {
        numbers << QStringLiteral("…");
    }
    const QString network = millisecondsText(result.reconstruction.network.milliseconds());
    numbers << (result.mesh(MeshId::fitted) && result.fitted()
                    ? ResultsList::tr("%1 ms + fit %2")
                          .arg(network, timeText(result.fitted()->fit.result->milliseconds))
                    : ResultsList::tr("%1 ms").arg(network));
    const QString separator = QStringLiteral(" · ");
    return title.join(separator) + '\n' + numbers.join(separator);
}

QString tooltipOf(const Result& result) {
    const auto text = [](const std::string& of) { return QString::fromStdString(of); };
    return QStringList{text(result.sample->name()) + QStringLiteral(" · ") +
                           ResultsList::tr("views %1").arg(numberList(result.views)),
                       text(result.origin.model), text(result.origin.backend),
                       ResultsList::tr("Click: show · Ctrl and click: compare with the shown one")}
        .join('\n');
}

/// A scene of the final mesh, seen from the direction of the reference photograph.
render::Scene sceneOf(const Result& result, const ThemeColours& colours, glm::vec2 size) {
    PaneCameras camera;
    camera.setCount(1);
    camera.setSize(size);
    camera.lookInDirectionOf(result.referenceCamera(), result.framedPoints);
    render::Scene scene;
    render::Pane& pane = scene.panes.emplace_back();
    pane.camera = camera.camera(0);
    render::Layer& layer = pane.layers.emplace_back();
    layer.mesh = result.finalMesh();
    layer.plainColour = toVec(colours.surface);
    scene.background = glm::vec4(toVec(colours.viewport), 1.0F);
    return scene;
}

}  // namespace

ResultsList::ResultsList(const FeatureContext& context, Viewport& viewport, Inspector& inspector)
    : QWidget(&inspector),
      context_(context),
      viewport_(viewport),
      header_(named(
          flatButton({}, tr("The last results: show one, or compare it with the shown one"), this),
          "header")),
      list_(named(new QListWidget(this), "list")) {
    setObjectName(QStringLiteral("results"));
    layOut();
    inspector.addSection(*this);
    connectRows();
    context.actions.add({.menu = MenuSection::viewPanels,
                         .text = tr("&Results"),
                         .keys = Qt::SHIFT | Qt::Key_R,
                         .tooltip = tr("List the last results in the inspector")},
                        this, [this] {
                            header_->setChecked(!header_->isChecked());
                            if (header_->isChecked()) list_->setFocus(Qt::ShortcutFocusReason);
                        });
    refresh();
}

void ResultsList::layOut() {
    header_->setCheckable(true);
    list_->setAccessibleName(tr("Results"));
    list_->setIconSize(kPictureSize);
    list_->setUniformItemSizes(true);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setTextElideMode(Qt::ElideRight);
    list_->setContextMenuPolicy(Qt::CustomContextMenu);
    list_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    list_->hide();
    list_->installEventFilter(this);
    setLayout(columnOf({rowOf({header_, stretch()}, 0), list_}, 4));
}

void ResultsList::connectRows() {
    constexpr int kDrawDelay = 300;
    draw_.setSingleShot(true);
    draw_.setInterval(kDrawDelay);
    connect(&draw_, &QTimer::timeout, this, &ResultsList::drawNext);
    connect(header_, &QToolButton::toggled, list_, &QWidget::setVisible);
    connect(header_, &QToolButton::toggled, this, &ResultsList::refresh);
    connect(list_, &QListWidget::itemClicked, this, [this](QListWidgetItem* item) {
        openRow(list_->row(item), QApplication::keyboardModifiers());
    });
    connect(list_, &QWidget::customContextMenuRequested, this, &ResultsList::showMenu);
    connect(&context_.history, &ResultHistory::changed, this, &ResultsList::refresh);
    connect(&context_.measured, &MeasuredMeshes::changed, this, &ResultsList::refresh);
    // Selects the shown result again when a compared result is closed.
    connect(&context_.document.opened, &OpenedMeshes::changed, this, [this] {
        const std::size_t count = context_.document.opened.ids().size();
        if (count < std::exchange(opened_, count)) selectShown();
    });
}

ResultRef ResultsList::at(int row) const {
    const auto count = static_cast<int>(context_.history.entries().size());
    if (row < 0 || row >= count) return nullptr;
    return context_.history.entries()[static_cast<std::size_t>(count - 1 - row)].result;
}

void ResultsList::refresh() {
    const std::vector<HistoryEntry>& results = context_.history.entries();
    setVisible(!results.empty());
    header_->setText(tr("RESULTS · %1").arg(results.size()) +
                     (header_->isChecked() ? QStringLiteral(" ▾") : QStringLiteral(" ▸")));
    header_->setAccessibleName(tr("Results: %1").arg(results.size()));
    if (!header_->isChecked()) return;
    std::set<std::string> models;
    for (const HistoryEntry& entry : results) models.insert(entry.result->origin.model);
    const ResultRef& shown = context_.document.result.current();
    // Select the shown result's row only after a change, else keep the user's selection.
    const bool selectShown = std::exchange(shown_, shown).lock() != shown ||
                             list_->count() != static_cast<int>(results.size());
    QPixmap blank(kPictureSize);
    blank.fill(Qt::transparent);
    while (list_->count() > static_cast<int>(results.size()))
        delete list_->takeItem(list_->count() - 1);
    while (list_->count() < static_cast<int>(results.size())) list_->addItem(QString());
    for (int row = 0; row < list_->count(); ++row) {
        const HistoryEntry& entry = results[results.size() - 1 - static_cast<std::size_t>(row)];
        QListWidgetItem& item = *list_->item(row);
        const QString text = textOf(entry, context_.measured, models.size() > 1);
        item.setText(text);
        item.setToolTip(tooltipOf(*entry.result));
        item.setData(Qt::AccessibleTextRole, QString(text).replace('\n', QStringLiteral(" · ")));
        const QImage thumbnail = entry.thumbnail.value_or(QImage());
        item.setIcon(QIcon(thumbnail.isNull() ? blank : QPixmap::fromImage(thumbnail)));
        if (selectShown && entry.result == shown) list_->setCurrentRow(row);
    }
    const int height = std::max(list_->sizeHintForRow(0), kPictureSize.height() + 4);
    list_->setFixedHeight(height * std::clamp(list_->count(), 1, kMaxRows) +
                          2 * list_->frameWidth());
    draw_.start();
}

void ResultsList::selectShown() {
    for (int row = 0; row < list_->count(); ++row)
        if (at(row) == context_.document.result.current()) list_->setCurrentRow(row);
}

// Draws one picture at a time, so that the panes wait for at most one picture.
void ResultsList::drawNext() {
    if (drawing_ || !header_->isChecked()) return;
    const auto next = std::ranges::find_if(
        context_.history.entries(), [](const HistoryEntry& entry) { return !entry.thumbnail; });
    if (next == context_.history.entries().end()) return;
    const QSize pixels = kPictureSize * devicePixelRatioF();
    const glm::vec2 size(static_cast<float>(pixels.width()), static_cast<float>(pixels.height()));
    const QPointer<QObject> self(this);
    drawing_ = viewport_.drawImage(
        sceneOf(*next->result, themeColours(palette()), size), pixels.width(), pixels.height(),
        [this, self, result = next->result](const TaskResult<Image>& drawn) {
            callOnGuiThread(self, [this, result, drawn] {
                drawing_ = false;
                // After an error the row keeps its blank picture, and the next row gets its own.
                context_.history.setThumbnail(result,
                                              drawn.value ? toQImage(*drawn.value) : QImage());
            });
        });
}

void ResultsList::showRow(int row) {
    const ResultRef result = at(row);
    if (result && result != context_.document.result.current()) context_.opener.showResult(result);
}

void ResultsList::compareRow(int row) {
    if (const ResultRef result = at(row)) Q_EMIT compareRequested(result);
}

void ResultsList::openRow(int row, Qt::KeyboardModifiers modifiers) {
    if (modifiers.testFlag(Qt::ControlModifier))
        compareRow(row);
    else
        showRow(row);
}

bool ResultsList::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress) {
        const auto& key = static_cast<const QKeyEvent&>(*event);
        if (key.key() == Qt::Key_Return || key.key() == Qt::Key_Enter) {
            openRow(list_->currentRow(), key.modifiers());
            return true;
        }
        if (key.key() == Qt::Key_Delete) {
            if (const ResultRef result = at(list_->currentRow())) context_.history.remove(result);
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void ResultsList::addEarlier(QMenu& menu, const std::function<void()>& prepare) {
    QMenu* earlier = menu.addMenu(tr("Earlier &result"));
    for (const HistoryEntry& each : context_.history.entries()) {
        if (each.result == context_.document.result.current()) continue;
        const QString name =
            tr("%1 · views %2")
                .arg(sampleTitle(*each.result->sample), numberList(each.result->views));
        earlier->addAction(name, this, [this, prepare, result = each.result] {
            prepare();
            Q_EMIT compareRequested(result);
        });
    }
    earlier->menuAction()->setEnabled(!earlier->isEmpty());
}

void ResultsList::showMenu(QPoint position) {
    const int row = list_->currentRow();
    const ResultRef result = at(row);
    if (!result) return;
    const auto entry = std::ranges::find(context_.history.entries(), result, &HistoryEntry::result);
    auto* menu = new QMenu(list_);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(tr("&Show"), this, [this, row] { showRow(row); });
    menu->addAction(tr("&Compare with the shown one"), this, [this, row] { compareRow(row); });
    QAction* pin = menu->addAction(tr("&Pin"), this, [this, result](bool on) {
        if (!context_.history.setPinned(result, on))
            context_.status.showMessage(
                tr("At most %1 results can be pinned").arg(ResultHistory::kMaxPinned));
    });
    pin->setCheckable(true);
    pin->setChecked(entry->pinned);
    menu->addAction(tr("&Forget"), this, [this, result] { context_.history.remove(result); });
    menu->popup(list_->viewport()->mapToGlobal(position));
}

ResultsList& addResultsList(const FeatureContext& context, Viewport& viewport,
                            Inspector& inspector) {
    return *new ResultsList(context, viewport, inspector);
}

}  // namespace threefold::ui
