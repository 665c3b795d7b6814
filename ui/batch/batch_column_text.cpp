#include "ui/batch/batch_column_text.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

#include <QCoreApplication>

namespace threefold::ui {
namespace {

using ColumnKind = BatchColumn::Kind;

class ColumnTexts {
    Q_DECLARE_TR_FUNCTIONS(BatchColumns)
};

QString translated(std::string_view text) {
    return QCoreApplication::translate("Measures", std::string(text).c_str());
}

QString nameOf(std::string_view mesh) {
    return QCoreApplication::translate("StageNames", std::string(mesh).c_str());
}

/// Texts of the columns of a measure.
struct MeasureTexts {
    std::string_view key;          ///< MeasureDescription::key
    std::string_view heading;      ///< empty: MeasureDescription::shortTitle()
    std::string_view description;  ///< %1: the mesh
};
constexpr MeasureTexts kMeasureTexts[] = {
    {"chamfer", "CD", "Chamfer distance of the %1 mesh in 10⁻⁴ object units²"},
    {"f_tau", "", "F-score of the %1 mesh at τ, in percent"},
    {"f_2tau", "", "F-score of the %1 mesh at 2τ, in percent"},
    {"overlap", "IoU",
     "Overlap of the %1 mesh's silhouettes with the photographs: intersection over union, the "
     "mean of the views"},
    {"surface_mean", "Distance",
     "Mean distance from the %1 mesh's vertices to the truth's surface, in object units; of "
     "truths with faces"},
};

/// Texts of a measure's columns; empty if the measure has no texts of its own.
MeasureTexts textsOf(const MeasureDescription& measure) {
    const auto* const found = std::ranges::find(kMeasureTexts, measure.key, &MeasureTexts::key);
    return found == std::end(kMeasureTexts) ? MeasureTexts{} : *found;
}

QString headingOf(const MeasureDescription& measure) {
    const std::string_view heading = textsOf(measure).heading;
    return translated(heading.empty() ? measure.shortTitle() : heading) +
           (measure.unit == Unit::squaredDistance ? QStringLiteral("×10⁴") : QString());
}

}  // namespace

QString titleOf(const BatchColumn& column) {
    const MeasureDescription* const measure = column.measure;
    const std::string_view mesh = column.mesh;
    switch (column.kind) {
        case ColumnKind::sample:
            return ColumnTexts::tr("Sample");
        case ColumnKind::truth:
        case ColumnKind::silhouette:
        case ColumnKind::distance:
            return headingOf(*measure) + ' ' + nameOf(mesh);
        case ColumnKind::difference:
            return (column.belongsToFit() ? ColumnTexts::tr("Δ %1 fit") : ColumnTexts::tr("Δ %1"))
                .arg(headingOf(*measure));
        case ColumnKind::time:
            return column.belongsToFit() ? ColumnTexts::tr("ms fit") : ColumnTexts::tr("ms");
    }
    return {};
}

QString tooltipOf(const BatchColumn& column) {
    const MeasureDescription* const measure = column.measure;
    const std::string_view mesh = column.mesh;
    switch (column.kind) {
        case ColumnKind::sample:
            return ColumnTexts::tr("Click a row to open the sample");
        case ColumnKind::difference:
            return (column.belongsToFit()
                        ? ColumnTexts::tr("%1 %2 − %3, in points; red where the fit made it worse")
                        : ColumnTexts::tr("%1 %2 − %3, in points; red where refinement made it "
                                          "worse"))
                .arg(headingOf(*measure), nameOf(mesh), nameOf(*previousMesh(mesh)));
        case ColumnKind::time:
            return column.belongsToFit()
                       ? ColumnTexts::tr(
                             "Time of the fit, reading its photographs included, in "
                             "milliseconds")
                       : ColumnTexts::tr("Time of the network, in milliseconds");
        case ColumnKind::truth:
        case ColumnKind::silhouette:
        case ColumnKind::distance:
            break;
    }
    QString text = translated(textsOf(*measure).description).arg(nameOf(mesh));
    text = (measure->better == BetterDirection::lower ? ColumnTexts::tr("%1. Lower is better")
                                                      : ColumnTexts::tr("%1. Higher is better"))
               .arg(text);
    if (column.belongsToFit() && column.kind == ColumnKind::truth)
        text = ColumnTexts::tr("%1. Not comparable with published numbers").arg(text);
    if (column.belongsToFit() && column.kind == ColumnKind::silhouette)
        text = ColumnTexts::tr("%1. Of the photographs that the network saw").arg(text);
    return text;
}

QString protocolMeaning(Protocol protocol) {
    return protocol == Protocol::published
               ? ColumnTexts::tr("The mesh's vertices against the points of the truth's file")
               : ColumnTexts::tr(
                     "10 000 points of each surface, even by area; a truth without faces "
                     "by its points");
}

}  // namespace threefold::ui
