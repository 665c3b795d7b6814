#include "ui/inspect/measures_table.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <QClipboard>
#include <QContextMenuEvent>
#include <QFileInfo>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QStyle>

#include "engine/text.h"
#include "ui/style/number_format.h"
#include "ui/style/theme.h"
#include "ui/style/widgets.h"

namespace threefold::ui {
namespace {

// Largest width of an opened mesh's name, logical pixels: beside the network's columns, and alone.
constexpr int kMaxNameWidth = 72, kMaxNameWidthAlone = 160;

constexpr int kPlotHeight = 88, kPlotHeightPerName = 24;  // for each curve beyond three
constexpr int kPlotTop = 4;

QPen penOf(MeshId id, const ThemeColours& colours) {
    QPen pen(id.isOpened()          ? colours.text
             : id == MeshId::first  ? colours.accent
             : id == MeshId::result ? colours.hot
                                    : colours.good,
             1.75);
    if (id == MeshId::hull) pen.setDashPattern({2.5, 1.5});
    if (id.isOpened()) pen.setDashPattern({3.0 * id.number - 1.5, 1.5});
    return pen;
}

// Grid columns of a mesh's value and difference; column 0 has the names of the measures.
int valueColumn(std::size_t column) {
    return 1 + 2 * static_cast<int>(column);
}
int changeColumn(std::size_t column) {
    return valueColumn(column) + 1;
}

}  // namespace

MeasuresTable::MeasuresTable(QWidget* parent) : QWidget(parent), grid_(new QGridLayout(this)) {
    grid_->setContentsMargins(0, 0, 0, 0);
    grid_->setHorizontalSpacing(8);
    grid_->setVerticalSpacing(5);
    grid_->setColumnStretch(0, 1);
}

void MeasuresTable::setMeshes(std::vector<MeasuredMesh> meshes) {
    meshes_ = std::move(meshes);
    rows_ = meshes_.empty() ? std::vector<MeasureRow>() : measureRows(meshes_);
    refresh();
}

void MeasuresTable::awaitFit(bool on) {
    awaitsFit_ = on;
    refresh();
}

std::vector<MeasuresTable::Column> MeasuresTable::columns() const {
    const auto has = [&](auto predicate) {
        return std::ranges::any_of(meshes_, predicate, &MeasuredMesh::id);
    };
    const auto hasId = [&](MeshId id) { return has([=](MeshId other) { return other == id; }); };
    const bool awaited = awaitsFit_ && hasId(MeshId::result) && !hasId(MeshId::fitted);
    const bool fitted = awaited || hasId(MeshId::fitted);
    const bool opened = has([](MeshId id) { return id.isOpened(); });
    const auto several = std::ranges::count_if(meshes_, [](const MeasuredMesh& mesh) {
                             return mesh.id.isOpened();
                         }) > 1;
    const bool changes = !(fitted && (opened || hasId(MeshId::hull))) && !several &&
                         !(compact_ && (fitted || opened));
    std::vector<Column> columns;
    for (const MeasuredMesh& mesh : meshes_) {
        const MeasuredMesh* const reference = changes ? comparedWith(mesh.id, meshes_) : nullptr;
        columns.push_back({mesh.id, mesh.name, reference != nullptr ? reference->name : QString()});
    }
    if (awaited) {
        const auto after = std::ranges::find_if(
            columns, [](const Column& column) { return column.id > MeshId::fitted; });
        const auto result = std::ranges::find(meshes_, MeshId::result, &MeasuredMesh::id);
        columns.insert(after, {MeshId::fitted, tr("fitted"), changes ? result->name : QString()});
    }
    return columns;
}

void MeasuresTable::setHeading(int column, const QString& text, const QString& tip) {
    QLabel* heading = cell(0, column);
    setRank(*heading, "muted");
    heading->setText(text);
    heading->setToolTip(tip);
}

void MeasuresTable::refresh() {
    const std::vector<Column> shown = columns();
    const auto opened =
        std::ranges::count_if(shown, [](const Column& column) { return column.id.isOpened(); });
    const bool network =
        std::ranges::any_of(shown, [](const Column& column) { return !column.id.isOpened(); });
    const int maxNameWidth = (network ? kMaxNameWidth : kMaxNameWidthAlone) / (opened > 1 ? 2 : 1);
    const QFontMetrics digits(numberFont(font()));
    for (int column = 1; column < grid_->columnCount(); ++column) {
        grid_->setColumnMinimumWidth(column, 0);
        for (int line = 0; line < grid_->rowCount(); ++line)
            if (const QLayoutItem* item = grid_->itemAtPosition(line, column))
                item->widget()->hide();
    }
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const Column& column = shown[i];
        const QFontMetrics names = cell(0, valueColumn(i))->fontMetrics();
        QString heading = column.name;
        if (column.id.isOpened() && opened > 1)  // names often differ at their ends
            heading = names.elidedText(QFileInfo(heading).completeBaseName(), Qt::ElideLeft,
                                       maxNameWidth);
        else if (column.id.isOpened())
            heading = names.elidedText(heading, Qt::ElideMiddle, maxNameWidth);
        setHeading(valueColumn(i), heading, column.id.isOpened() ? column.name : QString());
        cell(0, valueColumn(i))->setAccessibleName(column.name);
        cell(0, valueColumn(i))->show();
        const bool changes = !column.reference.isEmpty();
        if (changes) {
            setHeading(changeColumn(i), QStringLiteral("Δ"),
                       tr("%1 minus %2: green where the measure is better, red where it is worse")
                           .arg(column.name, column.reference));
            cell(0, changeColumn(i))->show();
        }
        if (awaitsFit_ && column.id == MeshId::fitted) {
            const auto reserve = [&](int at, const char* widest) {
                grid_->setColumnMinimumWidth(at,
                                             digits.horizontalAdvance(QString::fromUtf8(widest)));
            };
            reserve(valueColumn(i), "100.00");
            if (changes) reserve(changeColumn(i), "−00.000");
        }
    }
    for (int line = 1; const MeasureRow& row : rows_) {
        const auto set = [&](int column, const QString& text) {
            QLabel* label = cell(line, column);
            label->setText(text);
            label->setToolTip(row.tooltip);
            label->show();
            return label;
        };
        set(0, row.label);
        for (std::size_t i = 0; i < shown.size(); ++i) {
            const MeasureCell& measured = row.of(shown[i].id);
            set(valueColumn(i), measured.text);
            if (!shown[i].reference.isEmpty())
                showVerdict(*set(changeColumn(i), measured.change), row.label, measured.verdict);
        }
        ++line;
    }
}

void MeasuresTable::showVerdict(QLabel& difference, const QString& label, Verdict verdict) const {
    // The style sheet sets the colour, so that it follows the theme.
    const QString name = verdict == Verdict::better  ? QStringLiteral("better")
                         : verdict == Verdict::worse ? QStringLiteral("worse")
                                                     : QStringLiteral("same");
    if (difference.property("verdict").toString() != name) {
        difference.setProperty("verdict", name);
        difference.style()->unpolish(&difference);
        difference.style()->polish(&difference);
    }
    difference.setAccessibleName(label + ' ' + difference.text() + ", " +
                                 (verdict == Verdict::same ? "the " : "") + name);
}

QLabel* MeasuresTable::cell(int row, int column) {
    if (QLayoutItem* item = grid_->itemAtPosition(row, column))
        return qobject_cast<QLabel*>(item->widget());
    auto* label = new QLabel(this);
    if (column > 0) {
        label->setFont(numberFont(font()));
        label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    }
    if (row > 0 && column > 0) label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setContextMenuPolicy(Qt::NoContextMenu);  // the table handles it
    grid_->addWidget(label, row, column);
    return label;
}

void MeasuresTable::contextMenuEvent(QContextMenuEvent* event) {
    QMenu* menu = transientMenu(this);
    const auto addCopy = [&](const QString& text, const QString& copied) {
        menu->addAction(text, this, [copied] { QGuiApplication::clipboard()->setText(copied); });
    };
    for (int row = 1; row < grid_->rowCount(); ++row) {
        QStringList texts;
        QString value;
        for (int column = 0; column < grid_->columnCount(); ++column) {
            const QLayoutItem* item = grid_->itemAtPosition(row, column);
            const auto* label = item == nullptr ? nullptr : qobject_cast<QLabel*>(item->widget());
            if (label == nullptr || !label->isVisible()) continue;
            texts << label->text();
            if (column > 0 && label->geometry().contains(event->pos())) value = label->text();
        }
        const QRect line = grid_->cellRect(row, 0);
        if (event->pos().y() < line.top() || event->pos().y() > line.bottom()) continue;
        if (!value.isEmpty()) addCopy(tr("Copy %1").arg(value), value);
        addCopy(tr("Copy this row"), texts.join('\t'));
    }
    menu->addActions(actions());
    menu->popup(event->globalPos());
}

ThresholdPlot::ThresholdPlot(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setMouseTracking(true);
    setFocusPolicy(Qt::TabFocus);
    setToolTip(
        tr("F-score in percent over the threshold on the squared distance, object units². "
           "The dashed line is τ"));
}

void ThresholdPlot::setCurves(std::vector<ThresholdCurve> curves) {
    curves_ = std::move(curves);
    const std::size_t steps = curves_.empty() ? 0 : scale().size();
    std::erase_if(curves_,
                  [&](const ThresholdCurve& curve) { return curve.scores.size() != steps; });
    updateGeometry();
    readAt(hasFocus() && !empty() ? std::optional(nearestTo(kTau)) : std::nullopt);
}

int ThresholdPlot::plotHeight() const {
    return kPlotHeight + kPlotHeightPerName * std::max(0, static_cast<int>(curves_.size()) - 3);
}

QString ThresholdPlot::readout() const {
    if (!readIndex_) return {};
    QString text = tr("t %1").arg(shortScientific(scale()[*readIndex_].threshold));
    for (const ThresholdCurve& curve : curves_) {
        constexpr int kMaxNameLength = 12;
        QString name = curve.name;
        if (name.size() > kMaxNameLength) name = name.left(kMaxNameLength - 1) + QChar(0x2026);
        text += tr(" · %1 %2").arg(name, fixed(curve.scores[*readIndex_].f, 1));
    }
    return text + QStringLiteral(" %");
}

QSize ThresholdPlot::sizeHint() const {
    return {240, kPlotTop + plotHeight() + 4 + fontMetrics().height()};
}

QRectF ThresholdPlot::plotArea() const {
    const int numbers =
        QFontMetrics(numberFont(font())).horizontalAdvance(QStringLiteral("100")) + 4;
    return {numbers + 0.5, kPlotTop + 0.5, width() - numbers - 1.0, plotHeight() - 1.0};
}

QPointF ThresholdPlot::positionOf(const FScore& score) const {
    const QRectF area = plotArea();
    const double highest = scale().back().threshold;
    return {area.left() + area.width() * score.threshold / highest,
            area.bottom() - area.height() * score.f / 100};
}

std::size_t ThresholdPlot::nearestTo(double threshold) const {
    const double step = scale().back().threshold / static_cast<double>(scale().size() - 1);
    const double index = std::round(threshold / step);
    return static_cast<std::size_t>(
        std::clamp(index, 0.0, static_cast<double>(scale().size() - 1)));
}

void ThresholdPlot::readAt(std::optional<std::size_t> index) {
    readIndex_ = index;
    setAccessibleName(tr("F over threshold"));
    setAccessibleDescription(readout());
    update();
}

void ThresholdPlot::paintEvent(QPaintEvent*) {
    if (empty()) return;
    const ThemeColours colours = themeColours(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF area = plotArea();
    painter.setPen(QPen(hasFocus() ? colours.accent : colours.border, 1));
    for (const double fraction : {0.0, 0.5, 1.0}) {
        const qreal y = std::round(area.top() + area.height() * fraction) + 0.5;
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
    }
    const qreal tau = positionOf({kTau, 0, 0, 0}).x();
    QPen dashed(colours.muted, 1);
    dashed.setDashPattern({3, 3});
    painter.setPen(dashed);
    painter.drawLine(QPointF(tau, area.top()), QPointF(tau, area.bottom()));

    for (const ThresholdCurve& curve : curves_) {
        QPolygonF line;
        for (const FScore& score : curve.scores) line << positionOf(score);
        painter.setPen(penOf(curve.id, colours));
        painter.drawPolyline(line);
    }

    // The key at the lower right, free of curves, which rise to the right.
    qreal line = area.bottom() - 2;
    for (const ThresholdCurve& curve : curves_) {
        line -= fontMetrics().height();
        const QRectF at(area.left() + area.width() / 2, line, area.width() / 2 - 4,
                        fontMetrics().height());
        painter.setPen(penOf(curve.id, colours).color());
        painter.drawText(at, Qt::AlignRight,
                         fontMetrics().elidedText(curve.name, Qt::ElideMiddle, qRound(at.width())));
    }

    painter.setFont(numberFont(font()));
    const int height = painter.fontMetrics().height();
    painter.setPen(colours.muted);
    for (const int percent : {0, 100}) {
        const qreal y = std::clamp(area.bottom() - area.height() * percent / 100 - height / 2.0,
                                   0.0, area.bottom() - height);
        painter.drawText(QRectF(0, y, area.left() - 4, height), Qt::AlignRight,
                         QString::number(percent));
    }
    const QRectF below(0, kPlotTop + plotHeight() + 4, width(), height);
    if (!readIndex_) {
        painter.drawText(QRectF(area.left(), below.top(), 40, height), Qt::AlignLeft,
                         QStringLiteral("0"));
        painter.drawText(below, Qt::AlignRight, QStringLiteral("3 τ"));
        painter.drawText(QRectF(tau - 40, below.top(), 80, below.height()), Qt::AlignHCenter,
                         QStringLiteral("τ"));
        return;
    }
    const QPointF at = positionOf(scale()[*readIndex_]);
    painter.setPen(QPen(colours.text, 1));
    painter.drawLine(QPointF(at.x(), area.top()), QPointF(at.x(), area.bottom()));
    painter.setPen(Qt::NoPen);
    for (const ThresholdCurve& curve : curves_) {
        painter.setBrush(penOf(curve.id, colours).color());
        painter.drawEllipse(positionOf(curve.scores[*readIndex_]), 3, 3);
    }
    painter.setPen(colours.text);
    painter.drawText(below, Qt::AlignLeft,
                     painter.fontMetrics().elidedText(readout(), Qt::ElideRight, width()));
}

std::string ThresholdPlot::csv() const {
    std::string text = "squared distance";
    for (const ThresholdCurve& curve : curves_) text += ',' + csvField(curve.name.toStdString());
    for (std::size_t i = 0; i < scale().size() && !empty(); ++i) {
        text += fmt::format("\n{:.9g}", scale()[i].threshold);
        for (const ThresholdCurve& curve : curves_)
            text += fmt::format(",{:.6f}", curve.scores[i].f);
    }
    return text + '\n';
}

void ThresholdPlot::contextMenuEvent(QContextMenuEvent* event) {
    QMenu* menu = transientMenu(this);
    menu->addAction(tr("Copy the curves as CSV"), this, [this] {
        QGuiApplication::clipboard()->setText(QString::fromStdString(csv()));
    });
    menu->popup(event->globalPos());
}

void ThresholdPlot::mouseMoveEvent(QMouseEvent* event) {
    if (empty()) return;
    const QRectF area = plotArea();
    const double fraction = (event->position().x() - area.left()) / area.width();
    readAt(nearestTo(fraction * scale().back().threshold));
}

void ThresholdPlot::keyPressEvent(QKeyEvent* event) {
    const bool left = event->key() == Qt::Key_Left;
    if (empty() || (!left && event->key() != Qt::Key_Right)) return QWidget::keyPressEvent(event);
    const std::size_t index = readIndex_.value_or(nearestTo(kTau));
    readAt(left ? index - std::min<std::size_t>(index, 1)
                : std::min(index + 1, scale().size() - 1));
}

bool ThresholdPlot::event(QEvent* event) {
    const bool handled = QWidget::event(event);
    if (event->type() == QEvent::FocusIn && !empty()) readAt(nearestTo(kTau));
    if (event->type() == QEvent::FocusOut || event->type() == QEvent::Leave) readAt(std::nullopt);
    return handled;
}

}  // namespace threefold::ui
