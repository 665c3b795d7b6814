#include "ui/panes/pane_header.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <QBoxLayout>
#include <QEvent>
#include <QFontMetrics>
#include <QLabel>
#include <QSlider>

#include "ui/document/measured_meshes.h"
#include "ui/document/mesh_morph.h"
#include "ui/document/quantities.h"
#include "ui/panes/compare_arrangement.h"
#include "ui/style/number_format.h"
#include "ui/style/theme.h"
#include "ui/style/widgets.h"

namespace threefold::ui {
namespace {

// Where the second mesh is, among the stages that there are.
float shownStage(const Document& document) {
    const float position = document.look().shownPosition();
    const ResultRef& result = document.shownResult(MeshRole::refined);
    if (!result) return position;
    const MorphPlace place = morphPlace(*result, position);
    return static_cast<float>(place.from) + place.share;
}

// The title of a mesh that is being computed.
QString awaitedTitle(MeshRole role, float position) {
    if (role == MeshRole::truth) return PaneHeader::tr("Truth");
    if (role == MeshRole::fitted) return PaneHeader::tr("Fitted: not yet");
    return role == MeshRole::coarse || position <= kMorphCoarse ? PaneHeader::tr("Coarse…")
                                                                : PaneHeader::tr("Refining…");
}

/// Adds the mesh's Chamfer distance, F(τ), and the difference of F(τ) to the stage before.
void addMeasures(HeaderText& text, const MeasuredMeshes& measured, MeshRole role) {
    const MeasuredMesh mesh = measured.mesh(role);
    if (!mesh.scores) return;
    text.parts << PaneHeader::tr("CD %1").arg(shortScientific(mesh.scores->measures.chamfer))
               << PaneHeader::tr("F(τ) %1 %").arg(fixed(mesh.scores->measures.atTau().f, 2));
    const MeasureRow f = measureRows(measured.meshes())[1];
    if (role == MeshRole::refined) {
        text.difference = f.difference;
        text.verdict = f.verdict;
    } else if (role == MeshRole::fitted) {
        text.difference = f.fittedDifference;
        text.verdict = f.fittedVerdict;
    }
}

/// The role whose measures are shown above a mesh; the refined one may be at any stage.
std::optional<MeshRole> measuredRole(MeshRole role, float position) {
    if (role == MeshRole::truth) return std::nullopt;
    if (role != MeshRole::refined) return role;
    if (position == kMorphCoarse) return MeshRole::coarse;
    if (position == kMorphRefined) return MeshRole::refined;
    if (position == kMorphFitted) return MeshRole::fitted;
    return std::nullopt;
}

}  // namespace

QString stageTitle(const Document& document) {
    const float position = shownStage(document);
    const QString names[] = {PaneHeader::tr("Template"),  PaneHeader::tr("Level 1"),
                             PaneHeader::tr("Level 2"),   PaneHeader::tr("Coarse"),
                             PaneHeader::tr("Refined 1"), PaneHeader::tr("Refined"),
                             PaneHeader::tr("Fitted")};
    const int stage = std::clamp(static_cast<int>(position), 0, 6);
    if (position == std::floor(position)) return names[stage];
    return PaneHeader::tr("%1 → %2").arg(names[stage], names[std::min(stage + 1, 6)]);
}

HeaderText headerText(const Document& document, MeshRole role) {
    HeaderText text;
    const ResultRef& result = document.shownResult(role);
    const float position = shownStage(document);
    switch (role) {
        case MeshRole::coarse:
            text.title = PaneHeader::tr("Coarse");
            break;
        case MeshRole::refined:
            text.title = stageTitle(document);
            break;
        case MeshRole::truth:
            text.title = result || !document.reference() ? PaneHeader::tr("Truth")
                                                         : document.reference()->name();
            break;
        case MeshRole::fitted:
            text.title =
                document.fitSoFar() ? PaneHeader::tr("Fitting…") : PaneHeader::tr("Fitted");
            break;
        case MeshRole::comparison:
            text.title = document.comparison()->name();
            break;
    }
    const render::SceneMeshRef mesh = meshOf(document, role);
    // The awaited mesh, not the previous one.
    if (role == MeshRole::comparison && document.stale(role)) {
        text.title += QStringLiteral("…");
        return text;
    }
    if (document.run().reconstructing() && (!mesh || document.stale(role))) {
        text.title = awaitedTitle(role, position);
        if (role == MeshRole::refined || role == MeshRole::coarse)
            text.parts << PaneHeader::tr("%1 %").arg(qRound(100 * document.run().done));
        return text;
    }
    if (!mesh) return text;
    const auto count = [](std::size_t n) { return groupedCount(static_cast<std::int64_t>(n)); };
    text.parts << (mesh->faces.empty()
                       ? PaneHeader::tr("%1 points").arg(count(mesh->vertices.size()))
                       : PaneHeader::tr("%1 v").arg(count(mesh->vertices.size())));
    const auto measured = measuredRole(role, position);
    if (measured && document.measured() != nullptr && result == document.result())
        addMeasures(text, *document.measured(), *measured);
    // The legend says why where no mesh has values; here the others have.
    const bool ofVertices = quantityInfo(document.quantity()).ofFit != nullptr;
    if (ofVertices && result && mesh == result->fitted && fittedApart(*result)) {
        text.title = PaneHeader::tr("%1 · no values").arg(text.title);
        text.note = surfaceValues(document, role).reason;
    }
    return text;
}

PaneHeader::PaneHeader(QWidget* parent)
    : QWidget(parent),
      title_(new QLabel(this)),
      detail_(new QLabel(this)),
      first_(rowOf({{title_, 1}})) {
    QFont bold = title_->font();
    bold.setBold(true);
    title_->setFont(bold);
    detail_->setTextFormat(Qt::RichText);
    detail_->setFont(numberFont(font()));
    for (QLabel* label : {title_, detail_}) {
        label->setMinimumWidth(0);
        label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    }
    title_->setTextFormat(Qt::PlainText);
    detail_->setToolTip(
        tr("Vertices · Chamfer distance in object units² · F-score at τ = 1e-4 in "
           "percent, by the inspector's protocol, and its difference to the stage before"));
    setLayout(columnOf({first_, detail_}, 2, {16, 8, 8, 8}));
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

void PaneHeader::addBeside(QWidget* widget) {
    first_->addWidget(widget);
}

void PaneHeader::setText(const HeaderText& text) {
    if (text == text_) return;
    text_ = text;
    refresh();
}

QString PaneHeader::detail() const {
    const QString plain = text_.parts.join(QStringLiteral(" · "));
    return text_.difference.isEmpty() ? plain : plain + ' ' + text_.difference;
}

void PaneHeader::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    const QEvent::Type type = event->type();
    if (type == QEvent::PaletteChange || type == QEvent::StyleChange) refresh();
}

void PaneHeader::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    refresh();
}

void PaneHeader::refresh() {
    title_->setText(title_->fontMetrics().elidedText(text_.title, Qt::ElideMiddle,
                                                     std::max(title_->width(), 24)));
    title_->setToolTip(text_.note);
    const ThemeColours colours = themeColours(palette());
    // A narrow pane leaves out the first parts: whole numbers or none.
    QStringList parts = text_.parts;
    const QFontMetrics metrics(detail_->font());
    const QString separator = QStringLiteral(" · ");
    QString difference = text_.difference;
    const auto tooWide = [&] {
        return metrics.horizontalAdvance(parts.join(separator) + "   " + difference) >
               detail_->width();
    };
    const bool measured = parts.size() > 1;
    while (parts.size() > 1 && tooWide()) parts.removeFirst();
    // The number alone: the other parts make clear which measure it is.
    if (measured && tooWide()) parts.first() = parts.first().section(' ', 1, 1);
    if (tooWide()) difference.clear();
    if (tooWide() && !parts.isEmpty())
        parts.first() = metrics.elidedText(parts.first(), Qt::ElideRight, detail_->width());
    QString text = QStringLiteral("<span style='color:%1'>%2</span>")
                       .arg(colours.muted.name(), parts.join(separator));
    if (!difference.isEmpty()) {
        const QColor colour = text_.verdict == Verdict::better  ? colours.good
                              : text_.verdict == Verdict::worse ? colours.bad
                                                                : colours.muted;
        text += QStringLiteral("&nbsp; <span style='color:%1'>%2</span>")
                    .arg(colour.name(), difference);
    }
    detail_->setText(text);
    setAccessibleName(text_.title + QStringLiteral(": ") + detail());
}

PaneHeaders::PaneHeaders(Document& document, QWidget* parent)
    : QWidget(parent),
      document_(document),
      headers_{new PaneHeader(this), new PaneHeader(this), new PaneHeader(this),
               new PaneHeader(this)},
      row_(rowOf({headers_[0], headers_[1], headers_[2], headers_[3]}, 0)),
      opacity_(new QSlider(Qt::Horizontal, this)) {
    setLayout(row_);
    constexpr int kPercent = 100;
    opacity_->setRange(0, kPercent);
    opacity_->setSingleStep(5);
    opacity_->setPageStep(25);
    // No taller than the title beside it: the header keeps its height in every layout.
    opacity_->setFixedSize(96, fontMetrics().height());
    opacity_->setAccessibleName(tr("Opacity of the second mesh"));
    opacity_->setToolTip(tr("Opacity of the second mesh, in percent"));
    headers_[1]->addBeside(opacity_);
    connect(opacity_, &QSlider::valueChanged, this, [this](int value) {
        if (qRound(document_.look().opacity * kPercent) == value) return;
        document_.changeLook(
            [&](Look& look) { look.opacity = static_cast<float>(value) / kPercent; });
    });
    for (const auto signal : {&Document::resultChanged, &Document::comparisonChanged}) {
        connect(&document_, signal, this, &PaneHeaders::follow);
    }
    connect(&document_, &Document::measuresChanged, this, &PaneHeaders::follow);
    connect(&document_, &Document::blinkingChanged, this, &PaneHeaders::follow);
    connect(&document_, &Document::runChanged, this, &PaneHeaders::follow);
    connect(&document_, &Document::runAdvanced, this, &PaneHeaders::follow);
    connect(&document_, &Document::fitAdvanced, this, &PaneHeaders::follow);
    connect(&document_, &Document::lookChanged, this, &PaneHeaders::follow);
    follow();
}

void PaneHeaders::follow() {
    const Look& look = document_.look();
    auto [first, second] = compared(document_);
    const bool nothing = !first && !second;
    HeaderText texts[4];
    if (nothing) {
        const bool running = document_.run().reconstructing();
        texts[0].title = running ? awaitedTitle(MeshRole::coarse, kMorphCoarse) : tr("Coarse");
        texts[1].title = running ? awaitedTitle(MeshRole::refined, kMorphRefined) : tr("Refined");
    } else {
        texts[0] = headerText(document_, *first);
        if (second) texts[1] = headerText(document_, *second);
    }
    const bool fitted = showsFitted(document_);
    if (fitted) texts[2] = headerText(document_, MeshRole::fitted);
    const bool truth = showsTruth(document_);
    if (truth) texts[3] = headerText(document_, MeshRole::truth);
    const bool one = look.layout != Layout::sideBySide;  // pane for both
    const bool shown[] = {true, nothing || second.has_value(), fitted, truth};
    for (int i = 0; i < 4; ++i) {
        PaneHeader& header = *headers_[static_cast<std::size_t>(i)];
        header.setText(texts[i]);
        header.setVisible(shown[i]);
        row_->setStretch(i, i == 3 && one ? 2 : 1);
    }
    opacity_->setVisible(look.layout == Layout::overlay && second.has_value());
    opacity_->setValue(qRound(look.opacity * 100));
}

}  // namespace threefold::ui
