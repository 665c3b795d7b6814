#include "ui/batch/batch_row.h"

#include <cmath>
#include <functional>
#include <string>
#include <type_traits>

#include <QCoreApplication>
#include <QStringList>

namespace threefold::ui {
namespace {

using Value = std::optional<double>;

struct Column {
    const char* title;
    const char* tooltip;
    int decimals = 2;
    /// `scores`: null where the run has no such protocol.
    Value (*value)(const BatchRow& row, const BatchScores* scores) = nullptr;
    double scale = 1;  ///< of what is shown
};

/// A member of the row, or of the scores.
template <auto Member>
Value valueOf(const BatchRow& row, const BatchScores* scores) {
    if constexpr (std::is_invocable_v<decltype(Member), const BatchScores&>)
        return scores == nullptr ? Value() : Value(std::invoke(Member, *scores));
    else
        return row.*Member;
}

class Columns {
    Q_DECLARE_TR_FUNCTIONS(BatchRow)

  public:
    /// In the order of BatchColumn.
    static constexpr std::array<Column, kBatchColumns> kAll{{
        {QT_TR_NOOP("Item"), QT_TR_NOOP("Click a row to open the item")},
        {QT_TR_NOOP("Category"), QT_TR_NOOP("ShapeNet's category")},
        {QT_TR_NOOP("CD×10⁴ coarse"),
         QT_TR_NOOP("Chamfer distance of the coarse mesh in 10⁻⁴ object units². Lower is better"),
         3, valueOf<&BatchScores::chamferCoarse>, 1e4},
        {QT_TR_NOOP("CD×10⁴ refined"),
         QT_TR_NOOP("Chamfer distance of the refined mesh in 10⁻⁴ object units². Lower is better"),
         3, valueOf<&BatchScores::chamferRefined>, 1e4},
        {QT_TR_NOOP("F(τ) coarse"),
         QT_TR_NOOP("F-score of the coarse mesh at τ, in percent. Higher is better"), 2,
         valueOf<&BatchScores::fCoarse>},
        {QT_TR_NOOP("F(τ) refined"),
         QT_TR_NOOP("F-score of the refined mesh at τ, in percent. Higher is better"), 2,
         valueOf<&BatchScores::fRefined>},
        {QT_TR_NOOP("F(2τ) refined"),
         QT_TR_NOOP("F-score of the refined mesh at 2τ, in percent. Higher is better"), 2,
         valueOf<&BatchScores::fTwoTau>},
        {QT_TR_NOOP("Δ F(τ)"),
         QT_TR_NOOP("F(τ) refined − coarse, in points; red where refinement made it worse"), 2,
         valueOf<&BatchScores::difference>},
        {QT_TR_NOOP("IoU coarse"),
         QT_TR_NOOP("Overlap of the coarse mesh's silhouettes with the photographs: intersection "
                    "over union, the mean of the views. Higher is better"),
         3, valueOf<&BatchRow::overlapCoarse>},
        {QT_TR_NOOP("IoU refined"),
         QT_TR_NOOP("Overlap of the refined mesh's silhouettes with the photographs: intersection "
                    "over union, the mean of the views. Higher is better"),
         3, valueOf<&BatchRow::overlapRefined>},
        {QT_TR_NOOP("ms"), QT_TR_NOOP("Time of the network, in milliseconds"), 1,
         valueOf<&BatchRow::milliseconds>},
        {QT_TR_NOOP("Problem"), QT_TR_NOOP("Why the item has no measures")},
        {QT_TR_NOOP("CD×10⁴ fitted"),
         QT_TR_NOOP("Chamfer distance of the fitted mesh in 10⁻⁴ object units². Lower is better. "
                    "Not comparable with published numbers"),
         3, valueOf<&BatchScores::chamferFitted>, 1e4},
        {QT_TR_NOOP("F(τ) fitted"),
         QT_TR_NOOP("F-score of the fitted mesh at τ, in percent. Higher is better. Not comparable "
                    "with published numbers"),
         2, valueOf<&BatchScores::fFitted>},
        {QT_TR_NOOP("Δ F(τ) fit"),
         QT_TR_NOOP("F(τ) fitted − refined, in points; red where the fit made it worse"), 2,
         valueOf<&BatchScores::differenceOfFit>},
        {QT_TR_NOOP("IoU fitted"),
         QT_TR_NOOP(
             "Overlap of the fitted mesh's silhouettes with the photographs that the network "
             "saw: intersection over union, the mean of the views. Higher is better"),
         3, valueOf<&BatchRow::overlapFitted>},
        {QT_TR_NOOP("ms fit"),
         QT_TR_NOOP("Time of the fit, reading its photographs included, in milliseconds"), 1,
         valueOf<&BatchRow::fitMilliseconds>},
    }};
};

const Column& of(BatchColumn column) {
    return Columns::kAll[static_cast<std::size_t>(column)];
}

Value rawValue(const BatchRow& row, BatchColumn column, std::size_t protocol) {
    if (row.failed() || of(column).value == nullptr) return std::nullopt;
    return of(column).value(row, protocol < row.scores.size() ? &row.scores[protocol] : nullptr);
}

QString quoted(QString field) {
    if (!field.contains(QLatin1Char(',')) && !field.contains(QLatin1Char('"')) &&
        !field.contains(QLatin1Char('\n'))) {
        return field;
    }
    field.replace(QLatin1Char('"'), QLatin1String("\"\""));
    return QLatin1Char('"') + field + QLatin1Char('"');
}

}  // namespace

bool isNumber(BatchColumn column) {
    return of(column).value != nullptr;
}

bool isDifference(BatchColumn column) {
    return column == BatchColumn::difference || column == BatchColumn::differenceOfFit;
}

std::optional<ColumnBefore> columnBefore(BatchColumn column) {
    switch (column) {
        case BatchColumn::chamferRefined:
            return ColumnBefore{BatchColumn::chamferCoarse, -1};
        case BatchColumn::chamferFitted:
            return ColumnBefore{BatchColumn::chamferRefined, -1};
        case BatchColumn::fRefined:
            return ColumnBefore{BatchColumn::fCoarse, 1};
        case BatchColumn::fFitted:
            return ColumnBefore{BatchColumn::fRefined, 1};
        case BatchColumn::overlapRefined:
            return ColumnBefore{BatchColumn::overlapCoarse, 1};
        case BatchColumn::overlapFitted:
            return ColumnBefore{BatchColumn::overlapRefined, 1};
        default:
            return std::nullopt;
    }
}

bool isWorse(BatchColumn column, double value, std::optional<double> before) {
    const double half = 0.5 * std::pow(10.0, -batchColumnDecimals(column));
    if (isDifference(column)) return value <= -half;
    const auto other = columnBefore(column);
    return other && before && other->better * (value - *before) <= -half;
}

std::optional<double> batchValue(const BatchRow& row, BatchColumn column, std::size_t protocol) {
    const Value value = rawValue(row, column, protocol);
    return value ? Value(*value * of(column).scale) : value;
}

QString batchColumnTitle(BatchColumn column) {
    return Columns::tr(of(column).title);
}

QString batchColumnTooltip(BatchColumn column) {
    return Columns::tr(of(column).tooltip);
}

int batchColumnDecimals(BatchColumn column) {
    return of(column).decimals;
}

QString protocolMeaning(Protocol protocol) {
    return protocol == Protocol::published
               ? Columns::tr("The mesh's vertices against the points of the truth's file")
               : Columns::tr(
                     "10 000 points of each surface, even by area; a truth without faces "
                     "by its points");
}

void BatchMeans::add(const BatchRow& row, std::size_t protocol) {
    if (row.failed()) {
        ++failed;
        return;
    }
    ++count;
    for (std::size_t i = 0; i < sums_.size(); ++i) {
        const Value value = batchValue(row, static_cast<BatchColumn>(i), protocol);
        if (!value) continue;
        sums_[i] += *value;
        ++counts_[i];
    }
}

std::optional<double> BatchMeans::mean(BatchColumn column) const {
    const auto i = static_cast<std::size_t>(column);
    if (counts_[i] == 0) return std::nullopt;
    return sums_[i] / static_cast<double>(counts_[i]);
}

QString batchCsv(const std::vector<BatchRow>& rows, Protocol measuredBy, std::size_t protocol,
                 const std::string& fit) {
    // For programs: not translated.
    QString csv = QStringLiteral(
        "category,item,protocol,chamfer_coarse,chamfer_refined,f_tau_coarse,f_tau_refined,"
        "f_2tau_refined,f_tau_difference,overlap_coarse,overlap_refined,milliseconds,problem");
    if (!fit.empty()) {
        csv += QStringLiteral(
            ",fit_views,chamfer_fitted,f_tau_fitted,f_tau_fit_difference,overlap_fitted,"
            "fit_milliseconds,fit_note");
    }
    csv += QLatin1Char('\n');
    for (const BatchRow& row : rows) {
        QStringList fields{QString::fromStdString(row.category), QString::fromStdString(row.item),
                           QString::fromStdString(std::string(protocolName(measuredBy)))};
        const auto addNumbers = [&](BatchColumn first, BatchColumn last) {
            for (int column = static_cast<int>(first); column <= static_cast<int>(last); ++column) {
                constexpr int kDigits = 9;
                const Value value = rawValue(row, static_cast<BatchColumn>(column), protocol);
                fields << (value ? QString::number(*value, 'g', kDigits) : QString());
            }
        };
        addNumbers(BatchColumn::chamferCoarse, BatchColumn::milliseconds);
        fields << row.problem;
        if (!fit.empty()) {
            fields << QString::fromStdString(fit);
            addNumbers(kFirstFitColumn, BatchColumn::fitMilliseconds);
            fields << row.fitNote;
        }
        for (QString& field : fields) field = quoted(field);
        csv += fields.join(QLatin1Char(',')) + QLatin1Char('\n');
    }
    return csv;
}

}  // namespace threefold::ui
