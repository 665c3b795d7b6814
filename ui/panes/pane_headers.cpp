#include "ui/panes/pane_headers.h"

#include <algorithm>
#include <utility>

#include "render/pane_view.h"
#include "ui/document/connections.h"
#include "ui/panes/pane_arrangement.h"
#include "ui/style/theme.h"
#include "ui/style/widgets.h"

namespace threefold::ui {
namespace {

// Menu text of a mesh, with a mnemonic.
QString choiceText(const MeshMorph& morph, MeshId id) {
    const QString title = '&' + meshTitle(morph, id);
    return id == MeshId::hull ? PaneHeader::tr("%1 (without depth)").arg(title) : title;
}

}  // namespace

PaneHeaders::PaneHeaders(Document& document, const ShownDocument& shown, QWidget* parent)
    : QWidget(parent),
      document_(document),
      shown_(shown),
      lower_(new QWidget),
      row_(rowOf({}, 0)),
      opacity_(named(new QSlider(Qt::Horizontal, this), "opacity")) {
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
    // The slider is no taller than the title, so that the header keeps its height in every layout.
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
        texts[0].title = running ? pendingTitle(document_, MeshId::firstPublished)
                                 : meshTitle(shownMorph(document_), MeshId::firstPublished);
        texts[1].title = running ? tr("Refining…") : shownStageTitle(document_);
    }
    const bool shared = firstTwoShareAPane();
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
    opacity_->setVisible(look.paneLayout == PaneLayout::overlay && ids.size() > 1);
    opacity_->setValue(qRound(look.opacity * 100));
}

bool PaneHeaders::firstTwoShareAPane() const {
    return document_.look.current().paneLayout != PaneLayout::sideBySide &&
           shownIds(document_).size() != 1;
}

void PaneHeaders::popUp(std::size_t index, QPoint global) {
    QMenu* menu = transientMenu(this);
    fillMenu(*menu, index);
    menu->popup(global);
}

void PaneHeaders::showMenu(std::size_t pane, float fraction, QPoint global) {
    const bool first = pane == 0 && !(document_.look.current().paneLayout == PaneLayout::wipe &&
                                      fraction >= document_.look.current().seamPosition);
    const std::size_t index = !firstTwoShareAPane() ? pane : first ? 0 : pane + 1;
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
    for (const MeshId id : opened) {
        if (std::ranges::count(before, id) > 0) continue;
        if (awaiting_)
            showAt(*std::exchange(awaiting_, std::nullopt), id);
        else
            addPaneFor(id);
    }
    refresh();
}

// The new pane is the last one; without room for more panes it replaces the last one. Among the
// default panes each opened mesh has a pane anyway.
void PaneHeaders::addPaneFor(MeshId opened) {
    const bool isChosen = std::ranges::count(document_.look.current().panes, opened) > 0;
    if (isChosen || showsDefaultPanes(document_) || !document_.opened.find(opened)->takesPane)
        return;
    document_.look.change([&](Look& look) {
        std::erase_if(look.panes,
                      [&](MeshId id) { return id.isOpened() && !document_.opened.find(id); });
        const bool addsTruth = look.truthPane && std::ranges::count(look.panes, MeshId::truth) == 0;
        const std::size_t others = kMaxPanes - 1 - (addsTruth ? 1 : 0);
        look.panes.resize(std::min(look.panes.size(), others));
        look.panes.push_back(opened);
    });
}

void PaneHeaders::setPanes(std::vector<MeshId> ids) {
    document_.look.change([&](Look& look) {
        look.panes = std::move(ids);
        look.swapped = false;
    });
}

void PaneHeaders::showAt(std::size_t index, MeshId id) {
    std::vector<MeshId> ids = paneIds(document_);
    const auto previous = std::ranges::find(ids, id);
    if (index >= ids.size()) {
        if (previous == ids.end()) ids.push_back(id);
    } else {
        if (previous != ids.end()) *previous = ids[index];
        ids[index] = id;
    }
    setPanes(std::move(ids));
}

void PaneHeaders::addChoice(QMenu& menu, const QString& text, std::size_t index, MeshId id) {
    const std::vector<MeshId> ids = paneIds(document_);
    QAction* action = menu.addAction(text);
    action->setCheckable(true);
    action->setChecked(index < ids.size() && ids[index] == id);
    action->setEnabled(std::ranges::count(kPaneOnlyIds, id) > 0 ||
                       meshOf(document_, id) != nullptr);
    connect(action, &QAction::triggered, this, [this, index, id] { showAt(index, id); });
}

void PaneHeaders::addChoices(QMenu& menu, std::size_t index) {
    const std::vector<MeshId> ids = paneIds(document_);
    // A new pane is offered only meshes that have no pane.
    const auto isOffered = [&](MeshId id) {
        return index < ids.size() || std::ranges::count(ids, id) == 0;
    };
    for (const MeshId id : document_.opened.idsWithResult()) {
        if (id.isOpened() ? !document_.opened.find(id) : !document_.result.current()) continue;
        if (id == MeshId::firstPublished && shownMorph(document_).hasOnePublished()) continue;
        if (isOffered(id))
            addChoice(menu,
                      id.isOpened() ? document_.opened.find(id)->name()
                                    : choiceText(shownMorph(document_), id),
                      index, id);
    }
    if (!document_.result.current()) return;
    menu.addSeparator();
    const QString texts[] = {tr("&Photograph"), tr("Best mesh, te&xtured")};
    for (std::size_t i = 0; i < std::size(kPaneOnlyIds); ++i)
        if (isOffered(kPaneOnlyIds[i])) addChoice(menu, texts[i], index, kPaneOnlyIds[i]);
}

void PaneHeaders::addPaneCommands(QMenu& menu, std::size_t index) {
    const std::vector<MeshId> ids = paneIds(document_);
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
    defaults->setEnabled(!showsDefaultPanes(document_));
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
    const std::size_t pane = index - (firstTwoShareAPane() && index > 0 ? 1 : 0);
    for (const PaneCommands& add : paneCommands_) add(menu, pane);
}

}  // namespace threefold::ui
