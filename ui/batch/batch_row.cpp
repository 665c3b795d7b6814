#include "ui/batch/batch_row.h"

#include <QCoreApplication>
#include <QStringList>

namespace threefold::ui {
namespace {

QString text(const char* source) {
    return QCoreApplication::translate("BatchRow", source);
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

std::optional<double> batchValue(const BatchRow& row, BatchColumn column) {
    if (row.failed()) return std::nullopt;
    switch (column) {
        case BatchColumn::chamferCoarse:
            return row.chamferCoarse * 1e4;
        case BatchColumn::chamferRefined:
            return row.chamferRefined * 1e4;
        case BatchColumn::fCoarse:
            return row.fCoarse;
        case BatchColumn::fRefined:
            return row.fRefined;
        case BatchColumn::fTwoTau:
            return row.fTwoTau;
        case BatchColumn::difference:
            return row.difference();
        case BatchColumn::milliseconds:
            return row.milliseconds;
        case BatchColumn::item:
        case BatchColumn::category:
        case BatchColumn::problem:
            break;
    }
    return std::nullopt;
}

QString batchColumnTitle(BatchColumn column) {
    switch (column) {
        case BatchColumn::item:
            return text("Item");
        case BatchColumn::category:
            return text("Category");
        case BatchColumn::chamferCoarse:
            return text("CD×10⁴ coarse");
        case BatchColumn::chamferRefined:
            return text("CD×10⁴ refined");
        case BatchColumn::fCoarse:
            return text("F(τ) coarse");
        case BatchColumn::fRefined:
            return text("F(τ) refined");
        case BatchColumn::fTwoTau:
            return text("F(2τ) refined");
        case BatchColumn::difference:
            return text("Δ F(τ)");
        case BatchColumn::milliseconds:
            return text("ms");
        case BatchColumn::problem:
            return text("Problem");
    }
    return {};
}

QString batchColumnTooltip(BatchColumn column) {
    switch (column) {
        case BatchColumn::item:
            return text("Click a row to open the item");
        case BatchColumn::category:
            return text("ShapeNet's category");
        case BatchColumn::chamferCoarse:
            return text(
                "Chamfer distance of the coarse mesh in 10⁻⁴ object units². Lower is better");
        case BatchColumn::chamferRefined:
            return text(
                "Chamfer distance of the refined mesh in 10⁻⁴ object units². Lower is better");
        case BatchColumn::fCoarse:
            return text("F-score of the coarse mesh at τ = 1e-4, in percent. Higher is better");
        case BatchColumn::fRefined:
            return text("F-score of the refined mesh at τ = 1e-4, in percent. Higher is better");
        case BatchColumn::fTwoTau:
            return text("F-score of the refined mesh at 2τ, in percent. Higher is better");
        case BatchColumn::difference:
            return text("F(τ) refined − coarse, in points; red where refinement made it worse");
        case BatchColumn::milliseconds:
            return text("Time of the network, in milliseconds");
        case BatchColumn::problem:
            return text("Why the item has no measures");
    }
    return {};
}

int batchColumnDecimals(BatchColumn column) {
    const bool chamfer =
        column == BatchColumn::chamferCoarse || column == BatchColumn::chamferRefined;
    return chamfer ? 3 : column == BatchColumn::milliseconds ? 1 : 2;
}

void BatchMeans::add(const BatchRow& row) {
    if (row.failed()) {
        ++failed;
        return;
    }
    ++count;
    for (int i = 0; i < kBatchColumns; ++i) {
        sums[i] += batchValue(row, static_cast<BatchColumn>(i)).value_or(0);
    }
}

std::optional<double> BatchMeans::mean(BatchColumn column) const {
    if (count == 0) return std::nullopt;
    return sums[static_cast<int>(column)] / static_cast<double>(count);
}

QString batchCsv(const std::vector<BatchRow>& rows) {
    // For programs: not translated.
    QString csv = QStringLiteral(
        "category,item,chamfer_coarse,chamfer_refined,f_tau_coarse,f_tau_refined,f_2tau_refined,"
        "f_tau_difference,milliseconds,problem\n");
    for (const BatchRow& row : rows) {
        QStringList fields{QString::fromStdString(row.category), QString::fromStdString(row.item)};
        for (const double value : {row.chamferCoarse, row.chamferRefined, row.fCoarse, row.fRefined,
                                   row.fTwoTau, row.difference(), row.milliseconds}) {
            constexpr int kDigits = 9;
            fields << (row.failed() ? QString() : QString::number(value, 'g', kDigits));
        }
        fields << row.problem;
        for (QString& field : fields) field = quoted(field);
        csv += fields.join(QLatin1Char(',')) + QLatin1Char('\n');
    }
    return csv;
}

}  // namespace threefold::ui
