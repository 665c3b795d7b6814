#include "ui/panes/pane_header.h"

#include <algorithm>
#include <cmath>

#include <QEvent>
#include <QFontMetrics>
#include <QMouseEvent>

#include "render/pane_view.h"
#include "ui/document/shown_values.h"
#include "ui/panes/compare_arrangement.h"
#include "ui/results/mesh_morph.h"
#include "ui/results/morphed_mesh.h"
#include "ui/results/quantities.h"
#include "ui/style/number_format.h"
#include "ui/style/theme.h"
#include "ui/style/widgets.h"

namespace threefold::ui {
namespace {

// The stages of the result that the second pane shows; before there is one the published model's.
const MeshMorph& shownMorph(const Document& document) {
    static const MeshMorph kPublished = publishedMorph();
    const ResultRef& result = document.shownResult(MeshRole::refined);
    return result ? result->morph : kPublished;
}

// Where the second mesh is, among the stages that there are.
MorphPlace shownPlace(const Document& document) {
    const float position = document.look().shownPosition();
    if (const ResultRef& result = document.shownResult(MeshRole::refined))
        return morphPlace(*result, position);
    const MeshMorph& morph = shownMorph(document);
    const float at = position + static_cast<float>(morph.result());
    const float inside = std::clamp(at, 0.0F, static_cast<float>(morph.fitted()));
    return {static_cast<std::size_t>(inside), inside - std::floor(inside)};
}

// The title of a mesh that is being computed.
QString awaitedTitle(const Document& document, MeshRole role) {
    if (role == MeshRole::truth) return PaneHeader::tr("Truth");
    if (role == MeshRole::fitted) return PaneHeader::tr("Fitted: not yet");
    if (role == MeshRole::hull) return PaneHeader::tr("Hull: not yet");
    const MorphPlace place = shownPlace(document);
    const MeshMorph& morph = shownMorph(document);
    const std::size_t first = morph.firstPublished();
    return role == MeshRole::coarse || place.from < first || place == MorphPlace{first, 0}
               ? stageTitle(morph.stages[first]) + QStringLiteral("…")
               : PaneHeader::tr("Refining…");
}

QString firstTitle(const Document& document) {
    const MeshMorph& morph = shownMorph(document);
    return stageTitle(morph.stages[morph.firstPublished()]);
}

}  // namespace

QString shownStageTitle(const Document& document) {
    const MorphPlace place = shownPlace(document);
    const std::vector<MorphStage>& stages = shownMorph(document).stages;
    const QString from = stageTitle(stages[place.from]);
    return place.share == 0
               ? from
               : PaneHeader::tr("%1 → %2").arg(from, stageTitle(stages[place.from + 1]));
}

HeaderText headerText(const Document& document, MeshRole role) {
    HeaderText text;
    const ResultRef& result = document.shownResult(role);
    text.title = isOpened(role)              ? document.opened(role)->name()
                 : role == MeshRole::coarse  ? firstTitle(document)
                 : role == MeshRole::refined ? shownStageTitle(document)
                 : role == MeshRole::hull    ? PaneHeader::tr("Hull")
                 : role == MeshRole::fitted
                     ? (document.fitSoFar() ? PaneHeader::tr("Fitting…") : PaneHeader::tr("Fitted"))
                 : result || !document.reference() ? PaneHeader::tr("Truth")
                                                   : document.reference()->name();
    const render::SceneMeshRef mesh = meshOf(document, role);
    // The awaited mesh, not the previous one.
    if (isOpened(role) && document.stale(role)) {
        text.title += QStringLiteral("…");
        return text;
    }
    if (document.run().reconstructing() && (!mesh || document.stale(role))) {
        text.title = awaitedTitle(document, role);
        if (role == MeshRole::refined || role == MeshRole::coarse)
            text.detail = PaneHeader::tr("%1 %").arg(qRound(100 * document.run().done));
        return text;
    }
    if (role == MeshRole::hull) {
        text.note = PaneHeader::tr("The photographs' hull, before depth from photographs moved it");
        if (!mesh)
            text.title = document.awaitsFit() ? awaitedTitle(document, role)
                                              : PaneHeader::tr("No hull beside the fitted mesh");
    }
    if (!mesh) return text;
    text.detail = (mesh->faces.empty() ? PaneHeader::tr("%1 points") : PaneHeader::tr("%1 v"))
                      .arg(groupedCount(mesh->vertices.size()));
    // The legend says why where no mesh has values; here the others have.
    const bool ofVertices = quantityInfo(document.quantity()).ofFit != nullptr;
    if (ofVertices && result &&
        (mesh == result->hull || (mesh == result->fitted && fittedApart(*result)))) {
        text.title = PaneHeader::tr("%1 · no values").arg(text.title);
        text.note = surfaceValues(document, role).reason;
    }
    return text;
}

PaneHeader::PaneHeader(QWidget* parent)
    : QWidget(parent),
      label_(new QLabel(this)),
      menu_(flatButton(QStringLiteral("▾"), tr("What this pane shows"), this,
                       tr("What this pane shows"))),
      row_(rowOf({{label_, 1}, menu_})) {
    label_->setTextFormat(Qt::RichText);
    label_->setFont(numberFont(font()));
    label_->setMinimumWidth(0);
    label_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    setRank(*menu_, "inline");
    connect(menu_, &QToolButton::clicked, this,
            [this] { Q_EMIT menuAsked(menu_->mapToGlobal(QPoint(0, menu_->height()))); });
    row_->setContentsMargins(16, 8, 8, 8);
    setLayout(row_);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

void PaneHeader::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && rect().contains(event->position().toPoint()))
        Q_EMIT menuAsked(mapToGlobal(QPoint(0, height())));
}

void PaneHeader::setText(const HeaderText& text, bool choosable) {
    // Asked at every step of a run, of nine headers, each of which would parse its HTML.
    if (text == text_ && choosable == choosable_) return;
    text_ = text;
    choosable_ = choosable;
    refresh();
}

bool PaneHeader::event(QEvent* event) {
    const bool handled = QWidget::event(event);
    const QEvent::Type type = event->type();
    if (type == QEvent::PaletteChange || type == QEvent::StyleChange || type == QEvent::Resize)
        refresh();
    return handled;
}

void PaneHeader::refresh() {
    constexpr int kNarrow = 100;  // the title needs the button's room
    menu_->setVisible(choosable_ && width() > kNarrow);
    QFont bold = label_->font();
    bold.setBold(true);
    const int room = std::max(label_->width(), 24);
    const QString title = QFontMetrics(bold).elidedText(
        text_.title, width() > kNarrow ? Qt::ElideMiddle : Qt::ElideRight, room);
    const QString detail = QStringLiteral("  ") + text_.detail;
    const bool both = QFontMetrics(bold).horizontalAdvance(title) +
                          label_->fontMetrics().horizontalAdvance(detail) <=
                      room;
    label_->setText(QStringLiteral("<b>%1</b><span style='color:%2; white-space:pre'>%3</span>")
                        .arg(title.toHtmlEscaped(), themeColours(palette()).muted.name(),
                             both ? detail : QString()));
    label_->setToolTip(text_.note);
    setAccessibleName(text_.title + QStringLiteral(": ") + text_.detail);
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
    connectAll(&document_, this, &PaneHeaders::follow, &Document::resultChanged,
               &Document::blinkingChanged, &Document::runChanged, &Document::runAdvanced,
               &Document::fitAdvanced, &Document::lookChanged);
    connect(&document_, &Document::openedChanged, this, &PaneHeaders::followOpened);
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
        texts[0].title =
            running ? awaitedTitle(document_, MeshRole::coarse) : firstTitle(document_);
        texts[1].title = running ? tr("Refining…") : shownStageTitle(document_);
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
        // An empty pane at the end of the second row has an empty header.
        headers_[i]->setVisible(there || (lower && i - kMostPanes < columns));
        if (there && place < roles.size()) places_[i] = place;
        headers_[i]->setText(there ? texts[place] : HeaderText(), places_[i].has_value());
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
            const QString names[] = {tr("&Coarse"),
                                     tr("&Refined"),
                                     tr("&Truth"),
                                     {},
                                     tr("&Fitted"),
                                     {},
                                     {},
                                     tr("&Hull (without depth)")};
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
    usual->setEnabled(!defaultPanes(document_));
    connect(usual, &QAction::triggered, this, [this] { setPanes({}); });
    menu.addSeparator();
    const std::size_t pane = place - (shared() && place > 0 ? 1 : 0);
    for (const PaneFiller& filler : paneFillers_) filler(menu, pane);
}

}  // namespace threefold::ui
