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

std::optional<double> batchValue(const BatchRow& row, BatchColumn column, std::size_t protocol) {
    if (row.failed()) return std::nullopt;
    if (column == BatchColumn::overlapCoarse) return row.overlapCoarse;
    if (column == BatchColumn::overlapRefined) return row.overlapRefined;
    if (column == BatchColumn::milliseconds) return row.milliseconds;
    if (protocol >= row.scores.size()) return std::nullopt;
    const BatchScores& scores = row.scores[protocol];
    switch (column) {
        case BatchColumn::chamferCoarse:
            return scores.chamferCoarse * 1e4;
        case BatchColumn::chamferRefined:
            return scores.chamferRefined * 1e4;
        case BatchColumn::fCoarse:
            return scores.fCoarse;
        case BatchColumn::fRefined:
            return scores.fRefined;
        case BatchColumn::fTwoTau:
            return scores.fTwoTau;
        case BatchColumn::difference:
            return scores.difference();
        default:
            return std::nullopt;
    }
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
        case BatchColumn::overlapCoarse:
            return text("IoU coarse");
        case BatchColumn::overlapRefined:
            return text("IoU refined");
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
            return text("F-score of the coarse mesh at τ, in percent. Higher is better");
        case BatchColumn::fRefined:
            return text("F-score of the refined mesh at τ, in percent. Higher is better");
        case BatchColumn::fTwoTau:
            return text("F-score of the refined mesh at 2τ, in percent. Higher is better");
        case BatchColumn::difference:
            return text("F(τ) refined − coarse, in points; red where refinement made it worse");
        case BatchColumn::overlapCoarse:
            return text(
                "Overlap of the coarse mesh's silhouettes with the photographs: intersection over "
                "union, the mean of the views. Higher is better");
        case BatchColumn::overlapRefined:
            return text(
                "Overlap of the refined mesh's silhouettes with the photographs: intersection over "
                "union, the mean of the views. Higher is better");
        case BatchColumn::milliseconds:
            return text("Time of the network, in milliseconds");
        case BatchColumn::problem:
            return text("Why the item has no measures");
    }
    return {};
}

int batchColumnDecimals(BatchColumn column) {
    switch (column) {
        case BatchColumn::milliseconds:
            return 1;
        case BatchColumn::chamferCoarse:
        case BatchColumn::chamferRefined:
        case BatchColumn::overlapCoarse:
        case BatchColumn::overlapRefined:
            return 3;
        default:
            return 2;
    }
}

QString protocolMeaning(Protocol protocol) {
    switch (protocol) {
        case Protocol::published:
            return text("The mesh's vertices against the points of the truth's file");
        case Protocol::surface:
            return text(
                "10 000 points of each surface, even by area; a truth without faces by "
                "its points");
    }
    return {};
}

void BatchMeans::add(const BatchRow& row, std::size_t protocol) {
    if (row.failed()) {
        ++failed;
        return;
    }
    ++count;
    for (std::size_t i = 0; i < sums_.size(); ++i) {
        const auto value = batchValue(row, static_cast<BatchColumn>(i), protocol);
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

QString batchCsv(const std::vector<BatchRow>& rows, Protocol measuredBy, std::size_t protocol) {
    // For programs: not translated.
    QString csv = QStringLiteral(
        "category,item,protocol,chamfer_coarse,chamfer_refined,f_tau_coarse,f_tau_refined,"
        "f_2tau_refined,f_tau_difference,overlap_coarse,overlap_refined,milliseconds,problem\n");
    const std::string name(protocolName(measuredBy));
    for (const BatchRow& row : rows) {
        QStringList fields{QString::fromStdString(row.category), QString::fromStdString(row.item),
                           QString::fromStdString(name)};
        const bool measured = !row.failed() && protocol < row.scores.size();
        const BatchScores scores = measured ? row.scores[protocol] : BatchScores{};
        const auto add = [&](std::optional<double> value) {
            constexpr int kDigits = 9;
            fields << (measured && value ? QString::number(*value, 'g', kDigits) : QString());
        };
        for (const double value : {scores.chamferCoarse, scores.chamferRefined, scores.fCoarse,
                                   scores.fRefined, scores.fTwoTau, scores.difference()}) {
            add(value);
        }
        add(row.overlapCoarse);
        add(row.overlapRefined);
        add(row.milliseconds);
        fields << row.problem;
        for (QString& field : fields) field = quoted(field);
        csv += fields.join(QLatin1Char(',')) + QLatin1Char('\n');
    }
    return csv;
}

}  // namespace threefold::ui
