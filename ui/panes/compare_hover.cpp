#include "ui/panes/compare_hover.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QPainter>

#include "ui/document/shown_values.h"
#include "ui/panes/compare_arrangement.h"
#include "ui/panes/pane_header.h"
#include "ui/results/quantities.h"
#include "ui/style/number_format.h"

namespace threefold::ui {
namespace {

constexpr QMargins kMargins(8, 5, 8, 5);
constexpr int kGap = 18;  // logical pixels; wider than the circle in which a vertex is found

// Beyond `at`, or before it if there is no room; never over it.
int placed(int at, int length, int room) {
    return at + kGap + length <= room ? at + kGap : at - kGap - length;
}

// Equally wide with and without a sign.
QString steady(double value, int decimals) {
    const QString text = fixed(value, decimals);
    return std::signbit(value) && text.startsWith(QChar(0x2212)) ? text : QChar(0x2007) + text;
}

QString position(const glm::dvec3& p) {
    constexpr int kDecimals = 3;
    return QStringLiteral("%1 %2 %3")
        .arg(steady(p.x, kDecimals), steady(p.y, kDecimals), steady(p.z, kDecimals));
}

QString nameOf(const Document& document, MeshId id) {
    if (id == MeshId::result) return shownStageTitle(document).toLower();
    if (id.isOpened())
        return id.number == 1 ? CompareHover::tr("opened")
                              : CompareHover::tr("opened %1").arg(id.number);
    return meshLabel(shownMorph(document), id);
}

QString valueOf(const Document& document, const PickedVertex& vertex) {
    const SurfaceValues values = surfaceValues(document, vertex.id);
    if (!values.values || vertex.index >= values.values->size()) return {};
    const float value = (*values.values)[vertex.index];
    const QuantityInfo info = quantityInfo(document.quantity());
    return std::isnan(value) ? CompareHover::tr("no value")
                             : steady(value, info.decimals) + ' ' + info.unit;
}

}  // namespace

QString vertexName(const Document& document, const PickedVertex& vertex) {
    return nameOf(document, vertex.id) + QStringLiteral(" #") + groupedCount(vertex.index);
}

QStringList vertexLines(const Document& document, const PickedVertex& vertex) {
    const auto place = placeOf(document, vertex);
    if (!place) return {};
    QStringList lines{vertexName(document, vertex)};
    if (const QString value = valueOf(document, vertex); !value.isEmpty()) lines << value;
    lines << CompareHover::tr("world") + ' ' + position(glm::dvec3(*place));
    return lines;
}

QString describeVertex(const Document& document, const PickedVertex& vertex) {
    QStringList parts = vertexLines(document, vertex);
    if (parts.isEmpty()) return {};
    if (const ResultRef& result = document.shownResult(vertex.id)) {
        const glm::dvec3 world(*placeOf(document, vertex));
        parts << CompareHover::tr("camera") + ' ' +
                     position(result->referenceCamera().toView(world));
    }
    return parts.join(QStringLiteral(" · "));
}

ReadOut::ReadOut(QWidget* parent) : QWidget(parent) {
    setFont(numberFont(font()));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    setToolTip(
        tr("The vertex under the pointer, or the marked one: index, value, position in "
           "ShapeNet's world and in the reference camera's space, object units. In the other panes "
           "a ring marks the same vertex, or the nearest one where a fitted mesh has its own"));
    hide();
}

void ReadOut::setText(const QString& text) {
    if (text == text_) return;
    text_ = text;
    setAccessibleName(text);
    setVisible(!text.isEmpty());
    const int width = fontMetrics().horizontalAdvance(text) + 2;
    const int before = std::exchange(widest_, text.isEmpty() ? 0 : std::max(width, widest_));
    if (widest_ > before) updateGeometry();
    update();
}

void ReadOut::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setPen(themeColours(palette()).text);
    painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(text_, Qt::ElideRight, width()));
}

PointerTip::PointerTip(QWidget& window, const Viewport& panes) : QWidget(&window), panes_(panes) {
    setObjectName(QStringLiteral("pointerTip"));
    // Only another native window can be above the panes.
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
    const QPoint corner(placed(pointer.x(), size.width(), panes_.width()),
                        placed(pointer.y(), size.height(), panes_.height()));
    const QRect place(QPoint(std::max(corner.x(), 0), std::max(corner.y(), 0)), size);
    if (place.contains(pointer)) return hide();  // in narrow panes
    setGeometry(QRect(parentWidget()->mapFromGlobal(panes_.mapToGlobal(place.topLeft())), size));
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

CompareHover::CompareHover(const WindowParts& parts, Viewport& viewport, PickTrees& trees)
    : QObject(&parts.window),
      document_(parts.document),
      viewport_(viewport),
      trees_(trees),
      readOut_(new ReadOut),
      tip_(new PointerTip(parts.window, viewport)) {
    parts.status.add(*readOut_);
    connect(&viewport_, &Viewport::pointerMoved, this, [this](QPointF position) {
        pointer_ = position;
        pick();
    });
    connect(&viewport_, &Viewport::pointerLeft, this, [this] {
        pointer_.reset();
        pick();
    });
    // A moved camera changes what is under a resting pointer.
    connect(&viewport_, &Viewport::camerasChanged, this, &CompareHover::pick);
    connect(&trees_, &PickTrees::ready, this, &CompareHover::pick);
    connect(&document_, &Document::lookChanged, this, [this](const Look& before) {
        // While the stages play, every frame would need another tree.
        if (before.morphPosition == document_.look().morphPosition) pick();
        read();
    });
    connectAll(&document_, this, &CompareHover::read, &Document::resultChanged,
               &Document::openedChanged, &Document::hoveredChanged, &Document::markedChanged);
}

void CompareHover::pick() {
    document_.setHovered(pointer_ ? vertexAt(*pointer_) : std::nullopt);
    read();  // the same vertex, but the pointer has moved
}

std::optional<PickedVertex> CompareHover::vertexAt(QPointF position) {
    constexpr float kRadius = 12.0F;  // logical pixels
    constexpr float kSame = 2.0F;
    const auto ratio = static_cast<float>(viewport_.devicePixelRatio());
    const Viewport::Place place = viewport_.placeOf(position);
    const std::vector<ArrangedPane> panes = arrangePanes(document_);
    if (place.pane >= panes.size()) return std::nullopt;
    const PaneCameras& cameras = viewport_.cameras();
    const PickView view{cameras.camera(place.pane), cameras.paneSize(), place.position,
                        kRadius * ratio};
    const float share = place.position.x / view.size.x;

    std::optional<PickedVertex> best;
    std::pair<float, float> bestKey;
    for (const ArrangedMesh& mesh : panes[place.pane].meshes) {
        if (share < mesh.from || share >= mesh.to || mesh.opacity <= 0) continue;
        // A converging mesh would need another tree at each step.
        if (mesh.id == MeshId::fitted && mesh.mesh == document_.fitSoFar()) continue;
        const PickTreeRef tree = trees_.find(mesh.mesh);
        const std::optional<Pick> found = tree ? tree->pick(view) : std::nullopt;
        if (!found) continue;
        const std::pair key(std::floor(found->pixels / kSame), found->depth);
        if (best && key >= bestKey) continue;
        best = PickedVertex{mesh.id, found->index};
        bestKey = key;
    }
    return best;
}

void CompareHover::read() {
    const auto& vertex = document_.hovered() ? document_.hovered() : document_.marked();
    readOut_->setText(vertex ? describeVertex(document_, *vertex) : QString());
    const bool pointed = pointer_ && document_.hovered();
    tip_->setLines(pointed ? vertexLines(document_, *document_.hovered()) : QStringList(),
                   pointer_.value_or(QPointF()).toPoint());
}

}  // namespace threefold::ui
