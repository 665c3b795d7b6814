#include "ui/input/slot_outlines.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include <QAction>
#include <QBoxLayout>
#include <QMenu>
#include <QSettings>
#include <QToolButton>

#include "ui/document/document.h"
#include "ui/input/input_panel.h"
#include "ui/input/projected_mesh.h"
#include "ui/input/view_slots.h"
#include "ui/input/view_tiles.h"
#include "ui/results/mesh_morph.h"
#include "ui/results/morphed_mesh.h"

namespace threefold::ui {
namespace {

const QString kKindKey = QStringLiteral("input/outline");
const QString kMeshKey = QStringLiteral("input/outlineOf");
constexpr std::array kKindNames{"none", "outline", "wireframe"};

OutlineKind kindIn(const QSettings& settings) {
    const auto* const match = std::ranges::find(kKindNames, settings.value(kKindKey).toString());
    return match == kKindNames.end() ? OutlineKind::outline
                                     : static_cast<OutlineKind>(match - kKindNames.begin());
}

MeshId outlinedIn(const QSettings& settings) {
    const auto saved = MeshId::fromName(settings.value(kMeshKey).toString().toStdString());
    const bool known = saved && std::ranges::count(kOutlinedMeshes, *saved) > 0;
    return known ? *saved : MeshId::result;
}

render::SceneMeshRef makePlaceholder() {
    Mesh mesh = placeholderMesh();
    auto scene = std::make_shared<render::SceneMesh>();
    scene->vertices = std::move(mesh.vertices);
    scene->faces = std::move(mesh.faces);
    return scene;
}

QString noteOf(const OutlinePicture& picture) {
    if (!picture.score) return {};
    QString text = SlotOutlines::tr("IoU %1").arg(picture.score->overlap, 0, 'f', 2);
    if (!picture.fittedOverlap) return text;
    return SlotOutlines::tr("%1 → %2").arg(text).arg(*picture.fittedOverlap, 0, 'f', 2);
}

QString agreementText(const OutlinePicture& picture) {
    const std::optional<SilhouetteScore>& score = picture.score;
    if (!score) return {};
    QString text = SlotOutlines::tr("Overlap of mesh and photograph %1 (intersection over union)")
                       .arg(score->overlap, 0, 'f', 3);
    if (score->outlineDistance)
        text += SlotOutlines::tr("\nDistance of the outlines: %1 pixels on average, %2 at most")
                    .arg(score->outlineDistance->mean, 0, 'f', 1)
                    .arg(score->outlineDistance->hausdorff, 0, 'f', 1);
    if (picture.fittedOverlap)
        text += SlotOutlines::tr("\nOverlap of the fitted mesh: %1")
                    .arg(*picture.fittedOverlap, 0, 'f', 3);
    return text;
}

}  // namespace

SlotOutlines::SlotOutlines(const FeatureContext& context, InputPanel& input)
    : QObject(&context.window),
      context_(context),
      input_(input),
      kind_(kindIn(context.settings)),
      outlined_(outlinedIn(context.settings)),
      placeholder_(makePlaceholder()) {
    buildMenu();
    connect(this, &SlotOutlines::drawn, this, &SlotOutlines::showPictures, Qt::QueuedConnection);
    Document& document = context.document;
    connect(&document.result, &ResultModel::changed, this, &SlotOutlines::request);
    connect(&document.run, &RunModel::changed, this, &SlotOutlines::request);
    connect(&document.opened, &OpenedMeshes::changed, this, [this] {
        if (outlined_ == MeshId::opened(1)) request();
    });
    connect(&document.look, &LookModel::changed, this, [this](const Look& before) {
        if (outlined_ == MeshId::result &&
            before.morphPosition != context_.document.look.current().morphPosition)
            request();
    });
    connect(&input.model(), &InputModel::stateChanged, this, &SlotOutlines::request);
    connect(&input, &InputPanel::imagesChanged, this, &SlotOutlines::request);
    connect(&input, &InputPanel::turningChanged, this, &SlotOutlines::request);
    const auto connectTile = [this](ViewTile* tile) {
        connect(tile, &ViewTile::resized, this, &SlotOutlines::request);
    };
    for (ViewTile* tile : input.viewSlots().tiles()) connectTile(tile);
    connect(&input.viewSlots(), &ViewSlots::tileAdded, this, connectTile);
}

void SlotOutlines::buildMenu() {
    auto* menu = new QMenu(tr("&Outline in the slots"), &context_.window);
    menu->setToolTipsVisible(true);
    kinds_ =
        exclusiveActions({tr("&None"), tr("&Outline"), tr("&Wireframe")}, this,
                         [this](std::size_t index) { setKind(static_cast<OutlineKind>(index)); });
    QStringList meshes;
    for (const MeshId id : kOutlinedMeshes)
        meshes << (id.isOpened() ? tr("Of the o&pened mesh")
                                 : tr("Of the %1 mesh").arg('&' + meshLabel(publishedMorph(), id)));
    meshes_ = exclusiveActions(meshes, this,
                               [this](std::size_t index) { setOutlined(kOutlinedMeshes[index]); });
    kinds_[static_cast<int>(kind_)]->setChecked(true);
    choiceOf(outlined_)->setChecked(true);

    QAction* next = menu->addAction(tr("Next &outline"), Qt::Key_U, this, [this] {
        setKind(
            static_cast<OutlineKind>((static_cast<std::size_t>(kind_) + 1) % kKindNames.size()));
    });
    next->setToolTip(
        tr("Draw nothing, the mesh's outline or its wireframe over the photographs (U)"));
    menu->insertActions(next, kinds_);
    menu->addSeparator();
    menu->addActions(meshes_);
    context_.actions.addSubmenu(MenuSection::view, *menu);

    auto* button = flatButton(tr("Outline ▾"), tr("Choose what is drawn over the photographs (U)"),
                              &input_, tr("Outline in the slots"));
    button->setMenu(menu);
    button->setPopupMode(QToolButton::InstantPopup);
    input_.addSampleButton(*button);
}

void SlotOutlines::setKind(OutlineKind kind) {
    kinds_[static_cast<int>(kind)]->setChecked(true);
    if (kind == kind_) return;
    kind_ = kind;
    context_.settings.setValue(kKindKey, kKindNames[static_cast<std::size_t>(kind)]);
    Q_EMIT kindChanged();
    request();
}

QAction* SlotOutlines::choiceOf(MeshId id) const {
    return meshes_[std::ranges::find(kOutlinedMeshes, id) - kOutlinedMeshes.begin()];
}

void SlotOutlines::setOutlined(MeshId id) {
    choiceOf(id)->setChecked(true);
    if (id == outlined_) return;
    outlined_ = id;
    context_.settings.setValue(kMeshKey, QString::fromStdString(id.name()));
    request();
}

render::SceneMeshRef SlotOutlines::mesh() const {
    if (outlined_ == MeshId::opened(1)) {
        const OpenedMeshRef& opened = context_.document.opened.first();
        return opened ? opened->mesh : nullptr;
    }
    const Document& document = context_.document;
    if (const ReconstructionRun* run = document.run.state().reconstruction())
        return run->partial ? run->partial->mesh(MeshId::firstPublished) : nullptr;
    const ResultRef& result = document.result.current();
    if (!result || !isSameSample(result->sample, input_.model().sample())) return placeholder_;
    if (outlined_ == MeshId::firstPublished) return result->mesh(MeshId::firstPublished);
    if (outlined_ == MeshId::fitted && result->mesh(MeshId::fitted))
        return result->mesh(MeshId::fitted);
    return morphedMesh(*result, document.look.current().morphPosition);
}

render::SceneMeshRef SlotOutlines::meshIn(int view) const {
    render::SceneMeshRef mesh = this->mesh();
    const InputModel& input = input_.model();
    if (mesh != placeholder_ || !input.isCameraGuessed(view)) return mesh;
    const ViewSelection& selection = input.selection();
    const bool isEdited = input_.isTurning() && selection.slotOf(view) == selection.selectedSlot();
    return isEdited ? mesh : nullptr;
}

// The placeholder shows no score, which could be mistaken for the score of a result.
bool SlotOutlines::showsScoreOf(const render::SceneMeshRef& mesh) const {
    if (outlined_ == MeshId::opened(1)) return true;
    const ResultRef& result = context_.document.result.current();
    return mesh != placeholder_ &&
           (outlined_ == MeshId::firstPublished || mesh == fitted() ||
            context_.document.run.state().isReconstructing() || !result ||
            context_.document.look.current().morphPosition >=
                morphPositionOf(result->morph, result->morph.firstPublishedIndex()));
}

// The fitted mesh, for comparison with the outlined mesh.
render::SceneMeshRef SlotOutlines::fitted() const {
    const ResultRef& result = context_.document.result.current();
    const bool shown = result && !context_.document.run.state().isReconstructing() &&
                       isSameSample(result->sample, input_.model().sample());
    return shown && outlined_ != MeshId::opened(1) ? result->mesh(MeshId::fitted) : nullptr;
}

void SlotOutlines::clearStale() {
    const std::vector<ViewTile*>& tiles = input_.viewSlots().tiles();
    const std::vector<int>& views = input_.model().selection().views();
    for (std::size_t slot = 0; slot < tiles.size(); ++slot) {
        if (slot < views_.size() && slot < views.size() && views[slot] == views_[slot]) continue;
        tiles[slot]->setOverlay({});
        tiles[slot]->setNote({});
    }
    views_ = views;
}

void SlotOutlines::request() {
    clearStale();
    Job job;
    job.serial = ++requested_;
    job.kind = kind_;
    job.mesh = mesh();
    if (!showsScoreOf(job.mesh)) job.score = Score::none;
    job.fitted = job.score != Score::none ? fitted() : nullptr;
    if (job.fitted == job.mesh) job.fitted = nullptr;
    const SampleRef& sample = input_.model().sample();
    const ResultRef& result = context_.document.result.current();
    const bool isFitted =
        result && result->sample == sample && result->fitted() && result->fitted()->fit.result;
    if (isFitted && job.mesh == result->mesh(MeshId::result)) job.score = Score::beforeFit;
    if (isFitted && job.mesh == result->mesh(MeshId::fitted)) job.score = Score::afterFit;
    const std::vector<ViewTile*>& tiles = input_.viewSlots().tiles();
    // There may be fewer tiles than views, since request() also runs while tiles are added and
    // removed one by one.
    const std::size_t count = sample ? std::min(tiles.size(), views_.size()) : 0;
    for (std::size_t slot = 0; slot < count; ++slot) {
        const auto view = static_cast<std::size_t>(views_[slot]);
        job.pixelRatio = tiles[slot]->devicePixelRatioF();
        job.slotViews.push_back({views_[slot],
                                 sample->cameraRows[view],
                                 tiles[slot]->image(),
                                 tiles[slot]->photographRect().size(),
                                 meshIn(views_[slot]) != nullptr,
                                 {}});
        if (!isFitted) continue;
        const std::vector<FitAgreement>& scores = result->fitted()->fit.result->agreements;
        const auto match = std::ranges::find(scores, views_[slot], &FitAgreement::view);
        if (match != scores.end()) job.slotViews.back().agreement = *match;
    }
    if (kind_ == OutlineKind::none || !job.mesh || job.slotViews.empty()) {
        showPictures(job.serial, views_, std::vector<OutlinePicture>(job.slotViews.size()));
        return;
    }
    thread_.clear();  // drop older requests
    thread_.start([this, job = std::move(job)] { draw(job); });
}

void SlotOutlines::draw(const Job& job) {
    std::vector<OutlinePicture> pictures;
    std::vector<int> views;
    for (const Slot& slot : job.slotViews) {
        views.push_back(slot.view);
        if (!slot.hasOutline) {
            pictures.emplace_back();
            continue;
        }
        pictures.push_back(drawOutline(job.mesh->vertices, job.mesh->faces,
                                       Camera::fromRow(slot.camera), slot.photograph, slot.size,
                                       job.pixelRatio, job.kind));
        OutlinePicture& picture = pictures.back();
        if (job.score == Score::none) picture.score.reset();
        if (job.score == Score::beforeFit && slot.agreement) picture.score = slot.agreement->before;
        if (job.score == Score::afterFit && slot.agreement) picture.score = slot.agreement->after;
        if (job.fitted)
            picture.fittedOverlap = slot.agreement
                                        ? slot.agreement->after.overlap
                                        : overlapOf(job.fitted->vertices, job.fitted->faces,
                                                    Camera::fromRow(slot.camera), slot.photograph);
    }
    Q_EMIT drawn(job.serial, views, pictures);
}

void SlotOutlines::showPictures(quint64 serial, const std::vector<int>& views,
                                const std::vector<OutlinePicture>& pictures) {
    const std::vector<ViewTile*>& tiles = input_.viewSlots().tiles();
    // During a gesture, an older picture of the same views is better than none.
    if (serial <= shown_ || views != views_ || pictures.size() != tiles.size()) return;
    shown_ = serial;
    for (std::size_t slot = 0; slot < tiles.size(); ++slot) {
        const OutlinePicture& picture = pictures[slot];
        tiles[slot]->setOverlay(picture.lines);
        const QString details = agreementText(picture);
        tiles[slot]->setNote(noteOf(picture), details);
        tiles[slot]->setAccessibleDescription(details);
    }
}

SlotOutlines& addSlotOutlines(const FeatureContext& context, InputPanel& input) {
    return *new SlotOutlines(context, input);
}

}  // namespace threefold::ui
