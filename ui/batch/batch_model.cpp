#include "ui/batch/batch_model.h"

#include <QGuiApplication>

#include "ui/batch/batch_column_text.h"
#include "ui/style/control_names.h"
#include "ui/style/number_format.h"
#include "ui/style/theme.h"

namespace threefold::ui {
namespace {

constexpr int kMeansTextColumns = 2;  // columns of the means' table: category, count

QString number(double value, const BatchColumn& column) {
    const int decimals = column.decimals();
    return column.isDifference() ? signedText(value, decimals) : fixedText(value, decimals);
}

QString problemOf(const SampleRecord& record) {
    return record.succeeded() ? QString() : withControlNames(record.error);
}

ThemeColours colours() {
    return themeColours(QGuiApplication::palette());
}

// Red for a negative difference and green for a positive one. Other values have no colour, since
// the value that they would be compared with is in another column, perhaps out of sight.
QVariant verdictColour(const BatchColumn& column, double value) {
    if (!column.isDifference()) return {};
    if (column.isWorse(value, std::nullopt)) return colours().bad;
    return column.isBetter(value, std::nullopt) ? QVariant(colours().good) : QVariant();
}

QVariant textAlignment(bool isNumber) {
    return QVariant::fromValue((isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
}

}  // namespace

void BatchModel::reset() {
    beginResetModel();
    rowCount_ = static_cast<int>(run_.records().size());
    endResetModel();
}

void BatchModel::onRowsAppended(int first, int last) {
    beginInsertRows({}, first, last);
    rowCount_ = last + 1;
    endInsertRows();
}

void BatchModel::setProtocol(std::size_t protocol) {
    if (protocol == protocol_) return;
    protocol_ = protocol;
    if (rowCount_ > 0) Q_EMIT dataChanged(index(0, 0), index(rowCount_ - 1, columnCount() - 1));
}

QVariant BatchModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const SampleRecord& record = this->record(index.row());
    const BatchColumn& column = columnAt(index.column());
    const std::optional<double> value = column.value(record, protocol_);
    using Kind = BatchColumn::Kind;
    switch (role) {
        case Qt::DisplayRole:
            if (value) return number(*value, column);
            if (column.kind == Kind::sample) return sampleTitle(record);
            if (!record.succeeded())
                return index.column() == kFirstNumberColumn ? problemOf(record) : QString();
            return QStringLiteral("–");
        case kProblemRole:
            return column.isNumber() ? problemOf(record) : QString();
        case Qt::ToolTipRole:
            if (!record.succeeded()) return problemOf(record);
            return withControlNames(column.belongsToFit()
                                        ? record.fitNote.value_or(record.listedName)
                                        : record.listedName);
        case Qt::TextAlignmentRole:
            return textAlignment(column.isNumber());
        case Qt::ForegroundRole:
            if (!record.succeeded()) return column.isNumber() ? colours().bad : colours().muted;
            return value ? verdictColour(column, *value) : QVariant();
        default:
            return {};
    }
}

QVariant BatchModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    const BatchColumn& column = columnAt(section);
    if (role == Qt::DisplayRole) return titleOf(column);
    if (role == Qt::ToolTipRole) return tooltipOf(column);
    if (role == Qt::TextAlignmentRole) return textAlignment(column.isNumber());
    return {};
}

QVariant BatchSort::headerData(int section, Qt::Orientation orientation, int role) const {
    const QVariant data = QSortFilterProxyModel::headerData(section, orientation, role);
    if (role != Qt::DisplayRole || orientation != Qt::Horizontal || section != sortColumn())
        return data;
    return QString(data.toString() + (sortOrder() == Qt::AscendingOrder ? QStringLiteral(" ▴")
                                                                        : QStringLiteral(" ▾")));
}

bool BatchSort::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    const auto& model = static_cast<const BatchModel&>(*sourceModel());
    const BatchColumn& column = columnAt(left.column());
    if (!column.isNumber()) return QSortFilterProxyModel::lessThan(left, right);
    const std::optional<double> a = column.value(model.record(left.row()), model.protocol());
    const std::optional<double> b = column.value(model.record(right.row()), model.protocol());
    if (a && b) return *a < *b;
    // Rows without a number come last. For descending order, Qt swaps the operands.
    return sortOrder() == Qt::AscendingOrder ? a && !b : !a && b;
}

void BatchMeansModel::refresh(std::size_t protocol) {
    std::vector<std::pair<std::string, BatchMeans>> means;
    const CategoryMeans& categoryMeans = run_.means(protocol);
    if (!run_.records().empty()) means.assign(categoryMeans.begin(), categoryMeans.end());
    const bool sameRows = means.size() == means_.size();
    if (!sameRows) beginResetModel();
    means_ = std::move(means);
    if (!sameRows) {
        endResetModel();
    } else if (!means_.empty()) {
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    }
}

std::optional<int> BatchMeansModel::batchColumnIndex(int column) const {
    if (column < kMeansTextColumns) return std::nullopt;
    return numbers_[static_cast<std::size_t>(column - kMeansTextColumns)];
}

int BatchMeansModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kMeansTextColumns + static_cast<int>(numbers_.size());
}

QVariant BatchMeansModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const auto& [category, means] = means_[static_cast<std::size_t>(index.row())];
    if (role == Qt::TextAlignmentRole) return textAlignment(index.column() > 0);
    if (index.column() == 0) {
        if (role != Qt::DisplayRole) return {};
        return category.empty() ? tr("all") : categoryTitle(category);
    }
    if (index.column() == 1) {
        if (role == Qt::ToolTipRole && means.failed > 0)
            return tr("%1 more failed").arg(groupedCount(means.failed));
        return role == Qt::DisplayRole ? groupedCount(means.count) : QVariant();
    }
    const BatchColumn& column = *columnOf(index.column());
    const std::optional<double> mean = means.mean(*batchColumnIndex(index.column()));
    if (role == Qt::ForegroundRole && mean) return verdictColour(column, *mean);
    if (role != Qt::DisplayRole) return {};
    return mean ? number(*mean, column) : QStringLiteral("–");
}

QVariant BatchMeansModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole) return textAlignment(section > 0);
    if (section == 0) return role == Qt::DisplayRole ? tr("Mean of") : QVariant();
    if (section == 1) return role == Qt::DisplayRole ? tr("samples") : QVariant();
    const BatchColumn& column = *columnOf(section);
    if (role == Qt::DisplayRole) return titleOf(column);
    return role == Qt::ToolTipRole ? tooltipOf(column) : QVariant();
}

}  // namespace threefold::ui
