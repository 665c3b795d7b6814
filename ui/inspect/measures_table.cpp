#include "ui/inspect/measures_table.h"

#include <algorithm>
#include <cmath>

#include <QClipboard>
#include <QContextMenuEvent>
#include <QFileInfo>
#include <QGuiApplication>
#include <QStyle>

#include "ui/style/number_format.h"
#include "ui/style/theme.h"
#include "ui/style/widgets.h"

namespace threefold::ui {
namespace {

// Largest width of an opened mesh's name, logical pixels: beside columns of the network, and
// without them.
constexpr int kMaxNameWidth = 72, kMaxNameWidthAlone = 160;

// Grid columns of a mesh's value and difference; column 0 has the names of the measures.
int valueColumn(std::size_t column) {
    return 1 + 2 * static_cast<int>(column);
}
int changeColumn(std::size_t column) {
    return valueColumn(column) + 1;
}

}  // namespace

MeasuresTable::MeasuresTable(QWidget* parent)
    : QWidget(parent),
      grid_(new QGridLayout(this)),
      cells_(*grid_, [this](int row, int column) { return makeCell(row, column); }) {
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

void MeasuresTable::setFitExpected(bool expected) {
    expectsFit_ = expected;
    refresh();
}

std::vector<MeasuresTable::Column> MeasuresTable::columns() const {
    const auto has = [&](auto predicate) {
        return std::ranges::any_of(meshes_, predicate, &MeasuredMesh::id);
    };
    const auto hasId = [&](MeshId id) { return has([=](MeshId other) { return other == id; }); };
    const bool awaited = expectsFit_ && hasId(MeshId::result) && !hasId(MeshId::fitted);
    const bool fitted = awaited || hasId(MeshId::fitted);
    const bool opened = has([](MeshId id) { return id.isOpened(); });
    const auto several = std::ranges::count_if(meshes_, [](const MeasuredMesh& mesh) {
                             return mesh.id.isOpened();
                         }) > 1;
    const bool changes = !(fitted && (opened || hasId(MeshId::hull))) && !several &&
                         !(compact_ && (fitted || opened));
    std::vector<Column> columns;
    for (const MeasuredMesh& mesh : meshes_) {
        const MeasuredMesh* const other = changes ? comparisonOf(mesh.id, meshes_) : nullptr;
        columns.push_back({mesh.id, mesh.name, other != nullptr ? other->name : QString()});
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
    setTextRole(cells_.set(0, column, text, tip), "muted");
}

void MeasuresTable::refresh() {
    cells_.begin();
    for (int column = 1; column < grid_->columnCount(); ++column)
        grid_->setColumnMinimumWidth(column, 0);
    const std::vector<Column> shown = columns();
    setHeadings(shown);
    for (int line = 1; const MeasureRow& row : rows_) setRow(line++, row, shown);
    cells_.finish();
}

void MeasuresTable::setHeadings(const std::vector<Column>& columns) {
    const auto opened =
        std::ranges::count_if(columns, [](const Column& column) { return column.id.isOpened(); });
    const bool network =
        std::ranges::any_of(columns, [](const Column& column) { return !column.id.isOpened(); });
    const int maxNameWidth = (network ? kMaxNameWidth : kMaxNameWidthAlone) / (opened > 1 ? 2 : 1);
    const QFontMetrics digits(numberFont(font()));
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const Column& column = columns[i];
        const QFontMetrics names = cells_.at(0, valueColumn(i)).fontMetrics();
        QString heading = column.name;
        if (column.id.isOpened() && opened > 1)  // names often differ at their ends
            heading = names.elidedText(QFileInfo(heading).completeBaseName(), Qt::ElideLeft,
                                       maxNameWidth);
        else if (column.id.isOpened())
            heading = names.elidedText(heading, Qt::ElideMiddle, maxNameWidth);
        setHeading(valueColumn(i), heading, column.id.isOpened() ? column.name : QString());
        cells_.at(0, valueColumn(i)).setAccessibleName(column.name);
        const bool changes = !column.comparedWith.isEmpty();
        if (changes)
            setHeading(changeColumn(i), QStringLiteral("Δ"),
                       tr("%1 minus %2: green where the measure is better, red where it is worse")
                           .arg(column.name, column.comparedWith));
        if (expectsFit_ && column.id == MeshId::fitted) {
            const auto reserve = [&](int at, const char* widest) {
                grid_->setColumnMinimumWidth(at,
                                             digits.horizontalAdvance(QString::fromUtf8(widest)));
            };
            reserve(valueColumn(i), "100.00");
            if (changes) reserve(changeColumn(i), "−00.000");
        }
    }
}

void MeasuresTable::setRow(int line, const MeasureRow& row, const std::vector<Column>& columns) {
    cells_.set(line, 0, row.label, row.tooltip);
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const MeasureCell& measured = row.of(columns[i].id);
        cells_.set(line, valueColumn(i), measured.text, row.tooltip);
        if (columns[i].comparedWith.isEmpty()) continue;
        QLabel& change = cells_.set(line, changeColumn(i), measured.change, row.tooltip);
        showVerdict(change, row.label, measured.verdict);
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

QLabel* MeasuresTable::makeCell(int row, int column) {
    auto* label = new QLabel(this);
    if (column > 0) {
        label->setFont(numberFont(font()));
        label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    }
    if (row > 0 && column > 0) label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setContextMenuPolicy(Qt::NoContextMenu);  // the table has the context menu
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
            const QLabel* label = cells_.find(row, column);
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

}  // namespace threefold::ui
