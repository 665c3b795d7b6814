#include "ui/panes/pane_header.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <QBoxLayout>
#include <QContextMenuEvent>
#include <QEvent>
#include <QFontMetrics>
#include <QLabel>
#include <QMenu>
#include <QMouseEvent>
#include <QSlider>
#include <QToolButton>

#include "render/pane_view.h"
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
        default:
            text.title = document.opened(role)->name();
            break;
    }
    const render::SceneMeshRef mesh = meshOf(document, role);
    // The awaited mesh, not the previous one.
    if (isOpened(role) && document.stale(role)) {
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
      menu_(flatButton(QStringLiteral("▾"), tr("What this pane shows"), this,
                       tr("What this pane shows"))),
      first_(rowOf({{title_, 1}, menu_})) {
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
    setRank(*menu_, "inline");
    connect(menu_, &QToolButton::clicked, this,
            [this] { Q_EMIT menuAsked(menu_->mapToGlobal(QPoint(0, menu_->height()))); });
    setLayout(columnOf({first_, detail_}, 2, {16, 8, 8, 8}));
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

void PaneHeader::setChoosable(bool on) {
    choosable_ = on;
    refresh();
}

void PaneHeader::addBeside(QWidget* widget) {
    first_->insertWidget(1, widget);
}

void PaneHeader::contextMenuEvent(QContextMenuEvent* event) {
    Q_EMIT menuAsked(event->globalPos());
}

void PaneHeader::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && rect().contains(event->position().toPoint()))
        Q_EMIT menuAsked(mapToGlobal(QPoint(0, height())));
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
    constexpr int kNarrow = 100;  // the title needs the button's room
    menu_->setVisible(choosable_ && width() > kNarrow);
    title_->setText(title_->fontMetrics().elidedText(
        text_.title, width() > kNarrow ? Qt::ElideMiddle : Qt::ElideRight,
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
      lower_(new QWidget),
      row_(rowOf({}, 0)),
      opacity_(new QSlider(Qt::Horizontal, this)) {
    QBoxLayout* below = rowOf({}, 0);
    for (std::size_t i = 0; i < headers_.size(); ++i) {
        headers_[i] = new PaneHeader(this);
        (i < kMostPanes ? row_ : below)->addWidget(headers_[i]);
        connect(headers_[i], &PaneHeader::menuAsked, this, [this, i](QPoint global) {
            if (places_[i]) popUp(*places_[i], global);
        });
    }
    setLayout(row_);
    lower_->setLayout(below);
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
    connect(&document_, &Document::resultChanged, this, &PaneHeaders::follow);
    connect(&document_, &Document::openedChanged, this, &PaneHeaders::followOpened);
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
    const std::vector<MeshRole> roles = shownRoles(document_);
    std::vector<HeaderText> texts;
    for (const MeshRole role : roles) texts.push_back(headerText(document_, role));
    if (roles.empty()) {
        const bool running = document_.run().reconstructing();
        texts.resize(2);
        texts[0].title = running ? awaitedTitle(MeshRole::coarse, kMorphCoarse) : tr("Coarse");
        texts[1].title = running ? awaitedTitle(MeshRole::refined, kMorphRefined) : tr("Refined");
    }
    const bool shared = this->shared();
    const std::size_t panes = texts.size() - (shared ? 1 : 0);
    const auto columns = static_cast<std::size_t>(render::panesInRow(static_cast<int>(panes)));
    const std::size_t above = columns + (shared ? 1 : 0);
    places_.assign(headers_.size(), std::nullopt);
    for (std::size_t i = 0; i < headers_.size(); ++i) {
        const bool lower = i >= kMostPanes;
        const std::size_t place = lower ? above + i - kMostPanes : i;
        const bool there = place < texts.size() && (lower || i < above);
        headers_[i]->setText(there ? texts[place] : HeaderText());
        // An empty pane at the end of the second row has an empty header.
        headers_[i]->setVisible(there || (lower && i - kMostPanes < columns));
        if (there && place < roles.size()) places_[i] = place;
        headers_[i]->setChoosable(places_[i].has_value());
        if (!lower) row_->setStretch(static_cast<int>(i), shared && i > 1 ? 2 : 1);
    }
    lower_->setVisible(texts.size() > above);
    opacity_->setVisible(look.layout == Layout::overlay && roles.size() > 1);
    opacity_->setValue(qRound(look.opacity * 100));
}

bool PaneHeaders::shared() const {
    return document_.look().layout != Layout::sideBySide && shownRoles(document_).size() != 1;
}

void PaneHeaders::popUp(std::size_t place, QPoint global) {
    QMenu* menu = passingMenu(this);
    fill(*menu, place);
    menu->popup(global);
}

void PaneHeaders::showMenu(std::size_t pane, float share, QPoint global) {
    const bool first =
        pane == 0 && !(document_.look().layout == Layout::wipe && share >= document_.look().wipe);
    const std::size_t place = !shared() ? pane : first ? 0 : pane + 1;
    if (place < shownRoles(document_).size()) popUp(place, global);
}

const PaneHeader* PaneHeaders::of(MeshRole role) const {
    const std::vector<MeshRole> roles = shownRoles(document_);
    for (std::size_t i = 0; i < places_.size(); ++i)
        if (places_[i] && roles[*places_[i]] == role) return headers_[i];
    return nullptr;
}

void PaneHeaders::followOpened() {
    const std::vector<MeshRole> now = document_.openedRoles();
    const std::vector<MeshRole> before = std::exchange(opened_, now);
    for (const MeshRole role : now)
        if (awaiting_ && std::ranges::count(before, role) == 0)
            showIn(*std::exchange(awaiting_, std::nullopt), role);
    follow();
}

void PaneHeaders::setPanes(std::vector<MeshRole> roles) {
    document_.changeLook([&](Look& look) {
        look.panes = std::move(roles);
        look.swapped = false;
    });
}

void PaneHeaders::showIn(std::size_t place, MeshRole role) {
    std::vector<MeshRole> roles = shownRoles(document_);
    const auto elsewhere = std::ranges::find(roles, role);
    if (place >= roles.size()) {
        if (elsewhere == roles.end()) roles.push_back(role);
    } else {
        if (elsewhere != roles.end()) *elsewhere = roles[place];
        roles[place] = role;
    }
    setPanes(std::move(roles));
}

void PaneHeaders::fill(QMenu& menu, std::size_t place) {
    awaiting_.reset();
    const std::vector<MeshRole> roles = shownRoles(document_);
    const auto addMeshes = [&](QMenu& to, std::size_t at) {
        for (const MeshRole role : kAllRoles) {
            const bool shown = std::ranges::count(roles, role) > 0;
            if (isOpened(role) ? !document_.opened(role) : !document_.result()) continue;
            if (at >= roles.size() && shown) continue;
            const QString names[] = {
                tr("&Coarse"), tr("&Refined"), tr("&Truth"), {}, tr("&Fitted")};
            QAction* action = to.addAction(isOpened(role) ? document_.opened(role)->name()
                                                          : names[static_cast<std::size_t>(role)]);
            action->setCheckable(true);
            action->setChecked(at < roles.size() && roles[at] == role);
            action->setEnabled(meshOf(document_, role) != nullptr);
            connect(action, &QAction::triggered, this, [this, at, role] { showIn(at, role); });
        }
    };
    addMeshes(menu, place);
    menu.addSeparator();
    for (const Filler& filler : fillers_) filler(menu, [this, place] { awaiting_ = place; });
    menu.addSeparator();
    QMenu* further = menu.addMenu(tr("&Add a pane"));
    addMeshes(*further, roles.size());
    further->menuAction()->setEnabled(!further->isEmpty() && roles.size() < kMostPanes);
    QAction* close = menu.addAction(tr("&Remove this pane"));
    close->setEnabled(roles.size() > 1);
    connect(close, &QAction::triggered, this, [this, place, roles = std::vector(roles)]() mutable {
        roles.erase(roles.begin() + static_cast<std::ptrdiff_t>(place));
        setPanes(std::move(roles));
    });
    QAction* usual = menu.addAction(tr("&Usual panes"));
    usual->setToolTip(tr("Coarse or opened, refined, and fitted"));
    usual->setEnabled(!usualPanes(document_));
    connect(usual, &QAction::triggered, this, [this] { setPanes({}); });
    menu.addSeparator();
    const std::size_t pane = place - (shared() && place > 0 ? 1 : 0);
    for (const PaneFiller& filler : paneFillers_) filler(menu, pane);
}

}  // namespace threefold::ui
