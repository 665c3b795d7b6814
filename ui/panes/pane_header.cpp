#include "ui/panes/pane_header.h"

#include <algorithm>
#include <cmath>

#include <QEvent>
#include <QFontMetrics>
#include <QMouseEvent>

#include "render/pane_view.h"
#include "ui/document/connections.h"
#include "ui/document/shown_values.h"
#include "ui/panes/pane_arrangement.h"
#include "ui/results/mesh_morph.h"
#include "ui/results/morphed_mesh.h"
#include "ui/results/quantities.h"
#include "ui/style/number_format.h"
#include "ui/style/theme.h"
#include "ui/style/widgets.h"

namespace threefold::ui {

const MeshMorph& shownMorph(const Document& document) {
    const ResultRef& result = document.run.shownResult(MeshId::result);
    return result ? result->morph : publishedMorph();
}

namespace {

// The stages between which the result's pane shows the mesh.
StageBlend shownBlend(const Document& document) {
    const float position = document.look.current().shownPosition();
    if (const ResultRef& result = document.run.shownResult(MeshId::result))
        return stageBlend(*result, position);
    const MeshMorph& morph = shownMorph(document);
    const float index = position + static_cast<float>(morph.resultIndex());
    const float clamped = std::clamp(index, 0.0F, static_cast<float>(morph.fittedIndex()));
    return {static_cast<std::size_t>(clamped), clamped - std::floor(clamped)};
}

// The title of a mesh that is being computed.
QString awaitedTitle(const Document& document, MeshId id) {
    if (id == MeshId::truth) return PaneHeader::tr("Truth");
    if (id == MeshId::textured) return PaneHeader::tr("Textured: not yet");
    if (id == MeshId::fitted) return PaneHeader::tr("Fitted: not yet");
    if (id == MeshId::hull) return PaneHeader::tr("Hull: not yet");
    const StageBlend blend = shownBlend(document);
    const MeshMorph& morph = shownMorph(document);
    const std::size_t first = morph.firstPublishedIndex();
    return id == MeshId::first || blend.from < first || blend == StageBlend{first, 0}
               ? stageTitle(morph.stages[first]) + QStringLiteral("…")
               : PaneHeader::tr("Refining…");
}

// Menu text, with a mnemonic.
QString choiceText(const MeshMorph& morph, MeshId id) {
    const QString title = '&' + meshTitle(morph, id);
    return id == MeshId::hull ? PaneHeader::tr("%1 (without depth)").arg(title) : title;
}

}  // namespace

QString shownStageTitle(const Document& document) {
    const StageBlend blend = shownBlend(document);
    const std::vector<MorphStage>& stages = shownMorph(document).stages;
    const QString from = stageTitle(stages[blend.from]);
    return blend.fraction == 0
               ? from
               : PaneHeader::tr("%1 → %2").arg(from, stageTitle(stages[blend.from + 1]));
}

namespace {

// The name of a mesh that is there, or that nothing will make.
QString nameOfContent(const Document& document, MeshId id) {
    if (id.isOpened()) return document.opened.find(id)->name();
    if (id == MeshId::result) return shownStageTitle(document);
    if (id == MeshId::textured)
        return PaneHeader::tr("%1, textured").arg(meshTitle(shownMorph(document), id));
    if (id == MeshId::fitted && document.fit.convergingMesh()) return PaneHeader::tr("Fitting…");
    if (id == MeshId::truth && !document.run.shownResult(id) && document.opened.reference())
        return document.opened.reference()->name();
    return meshTitle(shownMorph(document), id);
}

// Whether the header announces the mesh that is being computed instead of an outdated one.
bool isAwaited(const Document& document, MeshId id, const render::SceneMeshRef& mesh) {
    return id != MeshId::photograph && document.run.state().isReconstructing() &&
           (!mesh || document.isStale(id));
}

// Whether the quantity is one of the network's vertices, which this mesh does not have. The legend
// gives the reason only if no mesh has values.
bool lacksVertices(const Document& document, MeshId id, const render::SceneMeshRef& mesh) {
    const ResultRef& result = document.run.shownResult(id);
    return quantityInfo(paneQuantity(document, id)).ofFit != nullptr && result &&
           (mesh == result->hull ||
            (mesh == result->mesh(MeshId::fitted) && hasOwnFittedFaces(*result)));
}

QString titleOf(const Document& document, MeshId id, const render::SceneMeshRef& mesh) {
    const QString name = nameOfContent(document, id);
    if (id == MeshId::photograph) return name;
    if (id.isOpened() && document.isStale(id)) return name + QStringLiteral("…");
    if (isAwaited(document, id, mesh)) return awaitedTitle(document, id);
    if (mesh)
        return lacksVertices(document, id, mesh) ? PaneHeader::tr("%1 · no values").arg(name)
                                                 : name;
    if (document.run.showsAnotherSample())
        return PaneHeader::tr("%1: not yet").arg(meshTitle(shownMorph(document), id));
    if (id != MeshId::hull) return name;
    return document.fit.isPending() ? awaitedTitle(document, id)
                                    : PaneHeader::tr("No hull beside the fitted mesh");
}

QString detailOf(const ShownValues& shown, MeshId id, const render::SceneMeshRef& mesh) {
    const Document& document = shown.document;
    if (id.isOpened() && document.isStale(id)) return {};
    if (isAwaited(document, id, mesh))
        return id == MeshId::result || id == MeshId::first
                   ? PaneHeader::tr("%1 %").arg(qRound(100 * document.run.state().totalFraction()))
                   : QString();
    if (!mesh) return {};
    const QString size =
        (mesh->faces.empty() ? PaneHeader::tr("%1 points") : PaneHeader::tr("%1 v"))
            .arg(groupedCount(mesh->vertices.size()));
    return awaitsColours(shown, id, mesh) ? size + PaneHeader::tr(" · colouring…") : size;
}

QString noteOf(const ShownValues& shown, MeshId id, const render::SceneMeshRef& mesh) {
    const Document& document = shown.document;
    if ((id.isOpened() && document.isStale(id)) || isAwaited(document, id, mesh)) return {};
    if (mesh && lacksVertices(document, id, mesh)) return surfaceValues(shown, id).reason;
    return id == MeshId::hull
               ? PaneHeader::tr("The photographs' hull, before depth from photographs moved it")
               : QString();
}

}  // namespace

HeaderText headerText(const ShownValues& shown, MeshId id) {
    const render::SceneMeshRef mesh = meshOf(shown.document, id);
    HeaderText text;
    text.title = titleOf(shown.document, id, mesh);
    text.detail = detailOf(shown, id, mesh);
    text.note = noteOf(shown, id, mesh);
    return text;
}

PaneHeader::PaneHeader(QWidget* parent)
    : QWidget(parent),
      label_(new QLabel(this)),
      menu_(flatButton(QStringLiteral("▾"), tr("What this pane shows"), this,
                       tr("What this pane shows"))),
      row_(rowOf({stretched(label_), menu_})) {
    label_->setTextFormat(Qt::RichText);
    label_->setFont(numberFont(font()));
    label_->setMinimumWidth(0);
    label_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    setTextRole(*menu_, "inline");
    connect(menu_, &QToolButton::clicked, this,
            [this] { Q_EMIT menuRequested(menu_->mapToGlobal(QPoint(0, menu_->height()))); });
    row_->setContentsMargins(16, 8, 8, 8);
    setLayout(row_);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

void PaneHeader::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && rect().contains(event->position().toPoint()))
        Q_EMIT menuRequested(mapToGlobal(QPoint(0, height())));
}

void PaneHeader::setText(const HeaderText& text, bool choosable) {
    // Called for nine headers at every step of a run; refresh() parses HTML.
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
    constexpr int kNarrow = 100;  // the title needs the room of the button
    menu_->setVisible(choosable_ && width() > kNarrow);
    QFont bold = label_->font();
    bold.setBold(true);
    const int swatchWidth =
        text_.swatch.isEmpty() ? 0 : label_->fontMetrics().horizontalAdvance(QStringLiteral("■ "));
    const int room = std::max(label_->width() - swatchWidth, 24);
    const QString title = QFontMetrics(bold).elidedText(
        text_.title, width() > kNarrow ? Qt::ElideMiddle : Qt::ElideRight, room);
    const QString detail = QStringLiteral("  ") + text_.detail;
    const bool showsDetail = QFontMetrics(bold).horizontalAdvance(title) +
                                 label_->fontMetrics().horizontalAdvance(detail) <=
                             room;
    const QString swatch =
        text_.swatch.isEmpty()
            ? QString()
            : QStringLiteral("<span style='color:%1'>■ </span>").arg(text_.swatch);
    label_->setText(swatch +
                    QStringLiteral("<b>%1</b><span style='color:%2; white-space:pre'>%3</span>")
                        .arg(title.toHtmlEscaped(), themeColours(palette()).muted.name(),
                             showsDetail ? detail : QString()));
    label_->setToolTip(text_.note);
    setAccessibleName(text_.title + QStringLiteral(": ") + text_.detail);
}

PaneHeaders::PaneHeaders(Document& document, const ShownValues& shown, QWidget* parent)
    : QWidget(parent),
      document_(document),
      shown_(shown),
      lower_(new QWidget),
      row_(rowOf({}, 0)),
      opacity_(new QSlider(Qt::Horizontal, this)) {
    QBoxLayout* below = rowOf({}, 0);
    for (std::size_t i = 0; i < headers_.size(); ++i) {
        headers_[i] = new PaneHeader(this);
        (i < kMaxPanes ? row_ : below)->addWidget(headers_[i]);
        connect(headers_[i], &PaneHeader::menuRequested, this, [this, i](QPoint global) {
            if (meshIndices_[i]) popUp(*meshIndices_[i], global);
        });
    }
    setLayout(row_);
    lower_->setLayout(below);
    constexpr int kPercent = 100;
    opacity_->setRange(0, kPercent);
    opacity_->setSingleStep(5);
    opacity_->setPageStep(25);
    // No taller than the title, so that the header keeps its height in every layout.
    opacity_->setFixedSize(96, fontMetrics().height());
    opacity_->setAccessibleName(tr("Opacity of the second mesh"));
    opacity_->setToolTip(tr("Opacity of the second mesh, in percent"));
    headers_[1]->addWidget(opacity_);
    connect(opacity_, &QSlider::valueChanged, this, [this](int value) {
        if (qRound(document_.look.current().opacity * kPercent) == value) return;
        document_.look.change(
            [&](Look& look) { look.opacity = static_cast<float>(value) / kPercent; });
    });
    connectChanged(this, &PaneHeaders::refresh, document_.result, document_.run, document_.look);
    connect(&document_.look, &LookModel::blinkingChanged, this, &PaneHeaders::refresh);
    connect(&document_.run, &RunModel::advanced, this, &PaneHeaders::refresh);
    connect(&document_.fit, &FitModel::convergingMeshChanged, this, &PaneHeaders::refresh);
    connect(&document_.opened, &OpenedMeshes::changed, this, &PaneHeaders::updateFromOpened);
    refresh();
}

void PaneHeaders::refresh() {
    const Look& look = document_.look.current();
    const std::vector<MeshId> ids = shownIds(document_);
    std::vector<HeaderText> texts;
    for (const MeshId id : ids) texts.push_back(headerText(shown_, id));
    if (const auto colours = overlayColours(document_, themeColours(palette())))
        for (std::size_t i = 0; i < 2; ++i) texts[i].swatch = (*colours)[i].name();
    if (ids.empty()) {
        const bool running = document_.run.state().isReconstructing();
        texts.resize(2);
        texts[0].title = running ? awaitedTitle(document_, MeshId::first)
                                 : meshTitle(shownMorph(document_), MeshId::first);
        texts[1].title = running ? tr("Refining…") : shownStageTitle(document_);
    }
    const bool shared = firstTwoShare();
    const std::size_t panes = texts.size() - (shared ? 1 : 0);
    const auto columns = static_cast<std::size_t>(render::panesInRow(static_cast<int>(panes)));
    const std::size_t firstRow = columns + (shared ? 1 : 0);
    meshIndices_.assign(headers_.size(), std::nullopt);
    for (std::size_t i = 0; i < headers_.size(); ++i) {
        const bool inSecondRow = i >= kMaxPanes;
        const std::size_t index = inSecondRow ? firstRow + i - kMaxPanes : i;
        const bool hasMesh = index < texts.size() && (inSecondRow || i < firstRow);
        // An empty pane at the end of the second row has an empty header.
        headers_[i]->setVisible(hasMesh || (inSecondRow && i - kMaxPanes < columns));
        if (hasMesh && index < ids.size()) meshIndices_[i] = index;
        headers_[i]->setText(hasMesh ? texts[index] : HeaderText(), meshIndices_[i].has_value());
        if (!inSecondRow) row_->setStretch(static_cast<int>(i), shared && i > 1 ? 2 : 1);
    }
    lower_->setVisible(texts.size() > firstRow);
    opacity_->setVisible(look.layout == Layout::overlay && ids.size() > 1);
    opacity_->setValue(qRound(look.opacity * 100));
}

bool PaneHeaders::firstTwoShare() const {
    return document_.look.current().layout != Layout::sideBySide && shownIds(document_).size() != 1;
}

void PaneHeaders::popUp(std::size_t index, QPoint global) {
    QMenu* menu = transientMenu(this);
    fillMenu(*menu, index);
    menu->popup(global);
}

void PaneHeaders::showMenu(std::size_t pane, float fraction, QPoint global) {
    const bool first = pane == 0 && !(document_.look.current().layout == Layout::wipe &&
                                      fraction >= document_.look.current().seamPosition);
    const std::size_t index = !firstTwoShare() ? pane : first ? 0 : pane + 1;
    if (index < shownIds(document_).size()) popUp(index, global);
}

const PaneHeader* PaneHeaders::headerOf(MeshId id) const {
    const std::vector<MeshId> ids = shownIds(document_);
    for (std::size_t i = 0; i < meshIndices_.size(); ++i)
        if (meshIndices_[i] && ids[*meshIndices_[i]] == id) return headers_[i];
    return nullptr;
}

void PaneHeaders::updateFromOpened() {
    const std::vector<MeshId> opened = document_.opened.ids();
    const std::vector<MeshId> before = std::exchange(opened_, opened);
    for (const MeshId id : opened)
        if (awaiting_ && std::ranges::count(before, id) == 0)
            showAt(*std::exchange(awaiting_, std::nullopt), id);
    refresh();
}

void PaneHeaders::setPanes(std::vector<MeshId> ids) {
    document_.look.change([&](Look& look) {
        look.panes = std::move(ids);
        look.swapped = false;
    });
}

void PaneHeaders::showAt(std::size_t index, MeshId id) {
    std::vector<MeshId> ids = shownIds(document_);
    const auto previous = std::ranges::find(ids, id);
    if (index >= ids.size()) {
        if (previous == ids.end()) ids.push_back(id);
    } else {
        if (previous != ids.end()) *previous = ids[index];
        ids[index] = id;
    }
    setPanes(std::move(ids));
}

void PaneHeaders::addChoice(QMenu& menu, const QString& text, std::size_t slot, MeshId id) {
    const std::vector<MeshId> ids = shownIds(document_);
    QAction* action = menu.addAction(text);
    action->setCheckable(true);
    action->setChecked(slot < ids.size() && ids[slot] == id);
    action->setEnabled(std::ranges::count(kPaneOnlyIds, id) > 0 ||
                       meshOf(document_, id) != nullptr);
    connect(action, &QAction::triggered, this, [this, slot, id] { showAt(slot, id); });
}

void PaneHeaders::addChoices(QMenu& menu, std::size_t slot) {
    const std::vector<MeshId> ids = shownIds(document_);
    // A further pane shows none of the meshes that have one.
    const auto isOffered = [&](MeshId id) {
        return slot < ids.size() || std::ranges::count(ids, id) == 0;
    };
    for (const MeshId id : document_.opened.idsWithResult()) {
        if (id.isOpened() ? !document_.opened.find(id) : !document_.result.current()) continue;
        if (id == MeshId::first && shownMorph(document_).hasOnePublished()) continue;
        if (isOffered(id))
            addChoice(menu,
                      id.isOpened() ? document_.opened.find(id)->name()
                                    : choiceText(shownMorph(document_), id),
                      slot, id);
    }
    if (!document_.result.current()) return;
    menu.addSeparator();
    const QString texts[] = {tr("&Photograph"), tr("Best mesh, te&xtured")};
    for (std::size_t i = 0; i < std::size(kPaneOnlyIds); ++i)
        if (isOffered(kPaneOnlyIds[i])) addChoice(menu, texts[i], slot, kPaneOnlyIds[i]);
}

void PaneHeaders::addPaneCommands(QMenu& menu, std::size_t index) {
    const std::vector<MeshId> ids = shownIds(document_);
    QMenu* further = menu.addMenu(tr("&Add a pane"));
    addChoices(*further, ids.size());
    further->menuAction()->setEnabled(!further->isEmpty() && ids.size() < kMaxPanes);
    QAction* close = menu.addAction(tr("&Remove this pane"));
    close->setEnabled(ids.size() > 1);
    connect(close, &QAction::triggered, this, [this, index, ids = std::vector(ids)]() mutable {
        ids.erase(ids.begin() + static_cast<std::ptrdiff_t>(index));
        setPanes(std::move(ids));
    });
    QAction* defaults = menu.addAction(tr("&Default panes"));
    defaults->setToolTip(
        tr("The network's first mesh or an opened one, its result, and the fitted mesh"));
    defaults->setEnabled(!defaultPanes(document_));
    connect(defaults, &QAction::triggered, this, [this] { setPanes({}); });
}

void PaneHeaders::fillMenu(QMenu& menu, std::size_t index) {
    awaiting_.reset();
    addChoices(menu, index);
    menu.addSeparator();
    for (const OpenCommands& add : openCommands_) add(menu, [this, index] { awaiting_ = index; });
    menu.addSeparator();
    addPaneCommands(menu, index);
    menu.addSeparator();
    const std::size_t pane = index - (firstTwoShare() && index > 0 ? 1 : 0);
    for (const PaneCommands& add : paneCommands_) add(menu, pane);
}

}  // namespace threefold::ui
