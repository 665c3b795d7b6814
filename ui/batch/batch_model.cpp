#include "ui/batch/batch_model.h"

#include <algorithm>
#include <iterator>

#include <QFont>
#include <QGuiApplication>
#include <QPalette>

#include "engine/sample/data_set.h"
#include "ui/batch/batch_run.h"
#include "ui/style/number_format.h"
#include "ui/style/theme.h"

namespace threefold::ui {
namespace {

// Of the means' table, after category and count.
constexpr BatchColumn kMeans[] = {
    BatchColumn::chamferCoarse, BatchColumn::chamferRefined, BatchColumn::fCoarse,
    BatchColumn::fRefined,      BatchColumn::fTwoTau,        BatchColumn::difference,
    BatchColumn::overlapCoarse, BatchColumn::overlapRefined, BatchColumn::milliseconds,
    BatchColumn::chamferFitted, BatchColumn::fFitted,        BatchColumn::differenceOfFit,
    BatchColumn::overlapFitted, BatchColumn::fitMilliseconds};

QString categoryTitle(const std::string& category) {
    const std::string name = categoryName(category);
    return QString::fromStdString(name.empty() ? category : name);
}

QString number(double value, BatchColumn column) {
    const int decimals = batchColumnDecimals(column);
    return isDifference(column) ? signedFixed(value, decimals) : fixed(value, decimals);
}

ThemeColours colours() {
    return themeColours(QGuiApplication::palette());
}

// As the digits that are shown have it.
QVariant verdictColour(double difference, int decimals) {
    if (fixed(difference, decimals) == fixed(0, decimals)) return {};
    return difference < 0 ? colours().bad : colours().good;
}

QVariant textAlignment(bool isNumber) {
    return QVariant::fromValue((isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
}

}  // namespace

BatchModel::BatchModel(const BatchRun& run, QObject* parent)
    : QAbstractTableModel(parent), run_(run) {}

void BatchModel::reset() {
    beginResetModel();
    shown_ = static_cast<int>(run_.rows().size());
    endResetModel();
}

void BatchModel::appended(int first, int last) {
    beginInsertRows({}, first, last);
    shown_ = last + 1;
    endInsertRows();
}

void BatchModel::changed(int row) {
    Q_EMIT dataChanged(index(row, 0), index(row, kBatchColumns - 1));
}

void BatchModel::setProtocol(std::size_t protocol) {
    if (protocol == protocol_) return;
    protocol_ = protocol;
    if (shown_ > 0) Q_EMIT dataChanged(index(0, 0), index(shown_ - 1, kBatchColumns - 1));
}

const BatchRow& BatchModel::row(int row) const {
    return run_.rows()[static_cast<std::size_t>(row)];
}

int BatchModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : shown_;
}

int BatchModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kBatchColumns;
}

QVariant BatchModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const BatchRow& row = this->row(index.row());
    const auto column = static_cast<BatchColumn>(index.column());
    const std::optional<double> value = batchValue(row, column, protocol_);
    switch (role) {
        case Qt::DisplayRole:
            if (value) return number(*value, column);
            if (column == BatchColumn::item) return QString::fromStdString(row.item);
            if (column == BatchColumn::category) return categoryTitle(row.category);
            return column == BatchColumn::problem ? row.problem : QStringLiteral("–");
        case Qt::ToolTipRole:
            if (row.failed()) return row.problem;
            if (column >= kFirstFitColumn && !row.fitNote.isEmpty()) return row.fitNote;
            return QString::fromStdString(row.given);
        case Qt::TextAlignmentRole:
            return textAlignment(isNumber(column));
        case Qt::ForegroundRole:
            if (row.failed()) {
                return column == BatchColumn::problem ? colours().bad : colours().muted;
            }
            if (isDifference(column) && value) return verdictColour(*value, 2);
            // Red where the stage made it worse.
            if (const auto before = columnBefore(column); before && value) {
                const bool worse =
                    isWorse(column, *value, batchValue(row, before->column, protocol_));
                return worse ? QVariant(colours().bad) : QVariant();
            }
            if (column == BatchColumn::category) return colours().muted;
            return {};
        default:
            return {};
    }
}

QVariant BatchModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    const auto column = static_cast<BatchColumn>(section);
    if (role == Qt::DisplayRole) return batchColumnTitle(column);
    if (role == Qt::ToolTipRole) return batchColumnTooltip(column);
    if (role == Qt::TextAlignmentRole) return textAlignment(isNumber(column));
    return {};
}

bool BatchSort::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    const auto& model = static_cast<const BatchModel&>(*sourceModel());
    const auto column = static_cast<BatchColumn>(left.column());
    if (!isNumber(column)) return QSortFilterProxyModel::lessThan(left, right);
    const std::optional<double> a = batchValue(model.row(left.row()), column, model.protocol());
    const std::optional<double> b = batchValue(model.row(right.row()), column, model.protocol());
    if (a && b) return *a < *b;
    // Descending order turns the answer round.
    return sortOrder() == Qt::AscendingOrder ? a && !b : !a && b;
}

int BatchMeansModel::firstFitColumn() {
    const auto* const first = std::ranges::find(kMeans, kFirstFitColumn);
    return 2 + static_cast<int>(first - std::begin(kMeans));
}

BatchMeansModel::BatchMeansModel(const BatchRun& run, QObject* parent)
    : QAbstractTableModel(parent), run_(run) {}

void BatchMeansModel::refresh(std::size_t protocol) {
    std::vector<BatchMeans> means;
    if (!run_.rows().empty()) means.push_back(run_.means(protocol).all);
    for (const auto& [category, mean] : run_.means(protocol).categories) {
        if (!category.empty()) means.push_back(mean);
    }
    const bool sameRows = means.size() == means_.size();
    if (!sameRows) beginResetModel();
    means_ = std::move(means);
    if (!sameRows) {
        endResetModel();
    } else if (!means_.empty()) {
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    }
}

int BatchMeansModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(means_.size());
}

int BatchMeansModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : 2 + static_cast<int>(std::size(kMeans));
}

QVariant BatchMeansModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const BatchMeans& means = means_[static_cast<std::size_t>(index.row())];
    if (role == Qt::TextAlignmentRole) return textAlignment(index.column() > 0);
    if (index.column() == 0) {
        if (role != Qt::DisplayRole) return {};
        return means.category.empty() ? tr("all") : categoryTitle(means.category);
    }
    if (index.column() == 1) {
        if (role == Qt::ToolTipRole && means.failed > 0) {
            return tr("%1 more failed").arg(groupedCount(static_cast<qint64>(means.failed)));
        }
        return role == Qt::DisplayRole ? groupedCount(static_cast<qint64>(means.count))
                                       : QVariant();
    }
    const BatchColumn column = kMeans[index.column() - 2];
    const std::optional<double> mean = means.mean(column);
    if (role == Qt::ForegroundRole && isDifference(column) && mean) {
        return verdictColour(*mean, 2);
    }
    if (const auto before = columnBefore(column); role == Qt::ForegroundRole && before && mean) {
        const bool worse = isWorse(column, *mean, means.mean(before->column));
        return worse ? QVariant(colours().bad) : QVariant();
    }
    if (role != Qt::DisplayRole) return {};
    return mean ? number(*mean, column) : QStringLiteral("–");
}

QVariant BatchMeansModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole) return textAlignment(section > 0);
    if (section == 0) return role == Qt::DisplayRole ? tr("Mean of") : QVariant();
    if (section == 1) return role == Qt::DisplayRole ? tr("items") : QVariant();
    const BatchColumn column = kMeans[section - 2];
    if (role == Qt::DisplayRole) return batchColumnTitle(column);
    return role == Qt::ToolTipRole ? batchColumnTooltip(column) : QVariant();
}

}  // namespace threefold::ui
