#include "ui/panes/compare_hover.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QPainter>

#include "ui/document/connections.h"
#include "ui/document/shown_values.h"
#include "ui/panes/compare_arrangement.h"
#include "ui/panes/pane_header.h"
#include "ui/results/quantities.h"
#include "ui/style/number_format.h"

namespace threefold::ui {
namespace {

constexpr QMargins kMargins(8, 5, 8, 5);
constexpr int kGap = 18;  // logical pixels; more than the picking radius

// The tip's coordinate on one axis: after the pointer, or before it if `room` is too small.
int besidePointer(int pointer, int length, int room) {
    return pointer + kGap + length <= room ? pointer + kGap : pointer - kGap - length;
}

// A number with room for a sign, so that columns stay aligned.
QString signPadded(double value, int decimals) {
    const QString text = fixed(value, decimals);
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
        return id.number == 1 ? VertexHover::tr("opened")
                              : VertexHover::tr("opened %1").arg(id.number);
    return meshLabel(shownMorph(document), id);
}

QString valueOf(const ShownValues& shown, const PickedVertex& vertex) {
    const SurfaceValues values = surfaceValues(shown, vertex.id);
    if (!values.values || vertex.index >= values.values->size()) return {};
    const float value = (*values.values)[vertex.index];
    const QuantityInfo info = quantityInfo(shown.document.quantity());
    return std::isnan(value) ? VertexHover::tr("no value")
                             : signPadded(value, info.decimals) + ' ' + info.unit;
}

}  // namespace

QString vertexName(const Document& document, const PickedVertex& vertex) {
    return nameOf(document, vertex.id) + QStringLiteral(" #") + groupedCount(vertex.index);
}

QStringList vertexLines(const ShownValues& shown, const PickedVertex& vertex) {
    const auto world = vertexPosition(shown.document, vertex);
    if (!world) return {};
    QStringList lines{vertexName(shown.document, vertex)};
    if (const QString value = valueOf(shown, vertex); !value.isEmpty()) lines << value;
    lines << VertexHover::tr("world") + ' ' + position(glm::dvec3(*world));
    return lines;
}

QString describeVertex(const ShownValues& shown, const PickedVertex& vertex) {
    const Document& document = shown.document;
    QStringList parts = vertexLines(shown, vertex);
    if (parts.isEmpty()) return {};
    if (const ResultRef& result = document.run.shownResult(vertex.id)) {
        const glm::dvec3 world(*vertexPosition(document, vertex));
        parts << VertexHover::tr("camera") + ' ' +
                     position(result->referenceCamera().toView(world));
    }
    return parts.join(QStringLiteral(" · "));
}

NumberLabel::NumberLabel(QWidget* parent) : QWidget(parent) {
    setFont(numberFont(font()));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    setToolTip(tr(
        "The vertex under the pointer, or the marked one: index, value, position in "
        "ShapeNet's world and in the reference camera's space, object units. In the other panes "
        "a ring marks the same vertex, or the nearest vertex if a fitted mesh has other vertices"));
    hide();
}

void NumberLabel::setText(const QString& text) {
    if (text == text_) return;
    text_ = text;
    setAccessibleName(text);
    setVisible(!text.isEmpty());
    const int width = fontMetrics().horizontalAdvance(text) + 2;
    const int previous = std::exchange(widest_, text.isEmpty() ? 0 : std::max(width, widest_));
    if (widest_ > previous) updateGeometry();
    update();
}

void NumberLabel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setPen(themeColours(palette()).text);
    painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(text_, Qt::ElideRight, width()));
}

PointerTip::PointerTip(QWidget& window, const Viewport& panes) : QWidget(&window), panes_(panes) {
    setObjectName(QStringLiteral("pointerTip"));
    // Only another native window can lie above the Vulkan window.
    setAttribute(Qt::WA_NativeWindow);
    setAttribute(Qt::WA_DontCreateNativeAncestors);
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    setFont(numberFont(font()));
    hide();
}

void PointerTip::setLines(const QStringList& lines, QPoint pointer) {
    lines_ = lines;
    setAccessibleName(lines.join(QStringLiteral(", ")));
    if (lines.isEmpty()) return hide();
    int width = 0;
    for (const QString& line : lines)
        width = std::max(width, fontMetrics().horizontalAdvance(line));
    const int height = static_cast<int>(lines.size()) * fontMetrics().lineSpacing();
    const QSize size = QSize(width, height).grownBy(kMargins);
    const QPoint corner(besidePointer(pointer.x(), size.width(), panes_.width()),
                        besidePointer(pointer.y(), size.height(), panes_.height()));
    const auto areaAt = [&](int x, int y) {
        return QRect(QPoint(std::max(x, 0), std::max(y, 0)), size);
    };
    QRect area = areaAt(corner.x(), corner.y());
    if (area.contains(pointer)) return hide();  // no room in narrow panes
    const auto inWindow = [&](const QRect& rect) {
        return QRect(parentWidget()->mapFromGlobal(panes_.mapToGlobal(rect.topLeft())), size);
    };
    if (avoided_ != nullptr && avoided_->isVisible()) {
        const auto isFree = [&](const QRect& rect) {
            return !rect.contains(pointer) && !inWindow(rect).intersects(avoided_->geometry());
        };
        const int left = pointer.x() - kGap - size.width();
        const int above = pointer.y() - kGap - size.height();
        for (const QRect& other : {areaAt(corner.x(), above), areaAt(left, corner.y()),
                                   areaAt(left, above), areaAt(corner.x(), pointer.y() + kGap)})
            if (!isFree(area)) area = other;
    }
    setGeometry(inWindow(area));
    if (isHidden()) {
        QWidget::show();
        windowHandle()->setFlag(Qt::WindowTransparentForInput);
        raise();
    }
    update();
}

void PointerTip::paintEvent(QPaintEvent*) {
    const ThemeColours colours = themeColours(palette());
    QPainter painter(this);
    painter.setPen(colours.border);
    painter.setBrush(colours.raised);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
    int y = kMargins.top() + fontMetrics().ascent();
    for (int i = 0; i < lines_.size(); ++i, y += fontMetrics().lineSpacing()) {
        painter.setPen(i == 0 ? colours.text : colours.muted);
        painter.drawText(kMargins.left(), y, lines_[i]);
    }
}

VertexHover::VertexHover(const FeatureContext& parts, const ShownValues& shown, Viewport& viewport,
                         PickTrees& trees)
    : QObject(&parts.window),
      document_(parts.document),
      shown_(shown),
      viewport_(viewport),
      trees_(trees),
      readout_(new NumberLabel),
      tip_(new PointerTip(parts.window, viewport)) {
    parts.status.add(*readout_);
    connect(&viewport_, &Viewport::pointerMoved, this, [this](QPointF position) {
        pointer_ = position;
        pick();
    });
    connect(&viewport_, &Viewport::pointerLeft, this, [this] {
        pointer_.reset();
        pick();
    });
    // A moved camera changes what is under a resting pointer.
    connect(&viewport_, &Viewport::camerasChanged, this, &VertexHover::pick);
    connect(&trees_, &PickTrees::ready, this, &VertexHover::pick);
    connect(&document_.look, &LookModel::changed, this, [this](const Look& before) {
        // While the stages play, every frame would need a new PickTree.
        if (before.morphPosition == document_.look.current().morphPosition) pick();
        updateText();
    });
    connectChanged(this, &VertexHover::updateText, document_.result, document_.opened);
    connectAll(&document_.pointed, this, &VertexHover::updateText, &PointedVertices::hoveredChanged,
               &PointedVertices::markedChanged);
}

void VertexHover::pick() {
    document_.pointed.setHovered(pointer_ ? vertexAt(*pointer_).vertex : std::nullopt);
    updateText();  // also for the same vertex: the tip follows the pointer
}

VertexHover::Hit VertexHover::vertexAt(QPointF position) {
    constexpr float kRadius = 12.0F;  // logical pixels
    constexpr float kPixelBin = 2.0F;
    const auto ratio = static_cast<float>(viewport_.devicePixelRatio());
    const Viewport::PanePosition location = viewport_.panePositionAt(position);
    const std::vector<ArrangedPane> panes = arrangePanes(document_);
    if (location.pane >= panes.size()) return {};
    const PaneCameras& cameras = viewport_.cameras();
    const PickView view{cameras.camera(location.pane), cameras.paneSize(), location.position,
                        kRadius * ratio};
    const float fraction = location.position.x / view.size.x;

    Hit hit;
    std::optional<PickedVertex>& best = hit.vertex;
    std::pair<float, float> bestKey;
    for (const ArrangedMesh& mesh : panes[location.pane].meshes) {
        if (fraction < mesh.from || fraction >= mesh.to || mesh.opacity <= 0) continue;
        // A converging mesh would need a new PickTree at each step.
        if (mesh.id == MeshId::fitted && mesh.mesh == document_.fit.meshSoFar()) continue;
        const PickTreeRef tree = trees_.find(mesh.mesh);
        hit.awaitsTree = hit.awaitsTree || (mesh.mesh && !tree);
        const std::optional<Pick> candidate = tree ? tree->pick(view) : std::nullopt;
        if (!candidate) continue;
        const std::pair key(std::floor(candidate->pixels / kPixelBin), candidate->depth);
        if (best && key >= bestKey) continue;
        best = PickedVertex{mesh.id, candidate->index};
        bestKey = key;
    }
    return hit;
}

void VertexHover::updateText() {
    const auto& vertex =
        document_.pointed.hovered() ? document_.pointed.hovered() : document_.pointed.marked();
    readout_->setText(vertex ? describeVertex(shown_, *vertex) : QString());
    const bool showsTip = pointer_ && document_.pointed.hovered();
    tip_->setLines(showsTip ? vertexLines(shown_, *document_.pointed.hovered()) : QStringList(),
                   pointer_.value_or(QPointF()).toPoint());
}

}  // namespace threefold::ui
