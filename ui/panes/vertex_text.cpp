#include "ui/panes/vertex_text.h"

#include <cmath>

#include <QCoreApplication>

#include "ui/panes/header_text.h"
#include "ui/panes/pane_arrangement.h"
#include "ui/results/quantities.h"
#include "ui/style/number_format.h"

namespace threefold::ui {
namespace {

struct VertexText {
    Q_DECLARE_TR_FUNCTIONS(VertexText)
};

// A number with room for a sign, so that columns stay aligned.
QString signPadded(double value, int decimals) {
    const QString text = fixedText(value, decimals);
    return std::signbit(value) && text.startsWith(QChar(0x2212)) ? text : QChar(0x2007) + text;
}

QString position(const glm::dvec3& p) {
    constexpr int kDecimals = 3;
    return QStringLiteral("%1 %2 %3")
        .arg(signPadded(p.x, kDecimals), signPadded(p.y, kDecimals), signPadded(p.z, kDecimals));
}

QString nameOf(const Document& document, MeshId id) {
    if (id == MeshId::result) return shownStageTitle(document).toLower();
    if (id.isOpened())
        return id.number == 1 ? VertexText::tr("opened")
                              : VertexText::tr("opened %1").arg(id.number);
    return meshLabel(shownMorph(document), id);
}

QString valueOf(const ShownDocument& shown, const VertexId& vertex) {
    const SurfaceValues values = surfaceValues(shown, vertex.id);
    if (!values.values || vertex.index >= values.values->size()) return {};
    const float value = (*values.values)[vertex.index];
    const QuantityInfo info = quantityInfo(shown.document.shownQuantity());
    return std::isnan(value) ? VertexText::tr("no value")
                             : signPadded(value, info.decimals) + ' ' + info.unit;
}

}  // namespace

QString vertexName(const Document& document, const VertexId& vertex) {
    return nameOf(document, vertex.id) + QStringLiteral(" #") + groupedCount(vertex.index);
}

QStringList vertexTipLines(const ShownDocument& shown, const VertexId& vertex) {
    const auto world = vertexPosition(shown.document, vertex);
    if (!world) return {};
    QStringList lines{vertexName(shown.document, vertex)};
    if (const QString value = valueOf(shown, vertex); !value.isEmpty()) lines << value;
    lines << VertexText::tr("world") + ' ' + position(glm::dvec3(*world));
    return lines;
}

QString vertexSummary(const ShownDocument& shown, const VertexId& vertex) {
    const Document& document = shown.document;
    QStringList parts = vertexTipLines(shown, vertex);
    if (parts.isEmpty()) return {};
    if (const ResultRef& result = document.run.shownResult(vertex.id)) {
        const glm::dvec3 world(*vertexPosition(document, vertex));
        parts << VertexText::tr("camera") + ' ' +
                     position(result->referenceCamera().toCamera(world));
    }
    return parts.join(QStringLiteral(" · "));
}

}  // namespace threefold::ui
