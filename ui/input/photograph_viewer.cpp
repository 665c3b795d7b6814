#include "ui/input/photograph_viewer.h"

#include <algorithm>
#include <utility>

#include <QEvent>

#include "engine/formats/pictures/mask_paths.h"
#include "engine/views/foreground.h"
#include "ui/document/background.h"
#include "ui/input/input_panel.h"
#include "ui/input/outline_picture.h"
#include "ui/input/photograph_sample.h"
#include "ui/input/reopen_masked.h"
#include "ui/input/slot_outlines.h"
#include "ui/input/view_slots.h"
#include "ui/style/image_conversion.h"

namespace threefold::ui {
namespace {

constexpr int kMaxDepthSide = 1600;

struct LoadedPhotograph {
    QImage photograph;
    MaskBrush mask;  // null: there is none to correct
};

// Loads a photograph of the user's own with its mask, or else the network's input. `cache`: of the
// network's inputs; null: none.
LoadedPhotograph load(const Sample& sample, int view, ViewCache* cache) {
    if (!sample.photos)
        return {toQImage(cache != nullptr ? *cache->read(sample, view)
                                          : readNetworkImage(sample, view)),
                {}};
    Image photograph = readViewPhoto(sample, view);
    const auto pixels = static_cast<std::size_t>(photograph.width) * photograph.height;
    const std::optional<Mask> mask = foregroundOf(photograph);
    // Makes the background opaque, so that its colours are shown.
    for (std::size_t i = 0; i < pixels; ++i) photograph.rgba[4 * i + 3] = 255;
    return {toQImage(photograph),
            MaskBrush(mask.value_or(
                Mask{photograph.width, photograph.height, std::vector<std::uint8_t>(pixels)}))};
}

}  // namespace

PhotographViewer::PhotographViewer(const FeatureContext& context, InputPanel& input,
                                   const SlotOutlines& outlines)
    : QObject(&context.window), context_(context), input_(input), outlines_(outlines) {
    connect(&input.viewSlots(), &ViewSlots::enlargementRequested, this, &PhotographViewer::enlarge);
    connect(&input.model(), &InputModel::sampleChanged, this, [this] {
        readTask_.cancel();
        maskTask_.cancel();
        if (window_) window_->close();
    });
    context.window.installEventFilter(this);
    // Redraws the outline whenever the outlines of the slots are drawn.
    connect(&outlines, &SlotOutlines::drawn, this, &PhotographViewer::drawOutline,
            Qt::QueuedConnection);
    connect(&outlines, &SlotOutlines::kindChanged, this, &PhotographViewer::drawOutline);
    connect(&context.document.result, &ResultModel::changed, this, &PhotographViewer::drawDepth);
    connect(&context.document.fit, &FitModel::intermediateDepthsChanged, this,
            &PhotographViewer::drawDepth);
    connect(&context.document.look, &LookModel::changed, this, [this](const Look& before) {
        if (before.map != context_.document.look.current().map) drawDepth();
    });
}

void PhotographViewer::enlarge(std::size_t slot) {
    const InputState& state = input_.model().state();
    if (state.sample && slot < state.selection.views().size())
        enlargeView(state.selection.views()[slot]);
}

void PhotographViewer::open(int view, bool marks) {
    if (PhotographWindow* window = openWindow())
        window->leaveMask([this, view, marks] { read(view, marks); });
    else
        read(view, marks);
}

bool PhotographViewer::showsInput() const {
    return isSameSample(shownSample_, input_.model().sample());
}

bool PhotographViewer::eventFilter(QObject* watched, QEvent* event) {
    PhotographWindow* window = openWindow();
    if (watched != &context_.window || event->type() != QEvent::Close || window == nullptr ||
        !window->hasUnsavedMask())
        return QObject::eventFilter(watched, event);
    event->ignore();
    window->raise();
    window->activateWindow();
    window->leaveMask([this] { context_.window.close(); });
    return true;
}

void PhotographViewer::read(int view, bool marks) {
    const InputState& state = input_.model().state();
    if (!state.sample || view < 0 || static_cast<std::size_t>(view) >= state.sample->viewCount())
        return;
    inBackground(
        this, readTask_.restart(),
        [sample = state.sample, view, cache = input_.cache()] {
            return load(*sample, view, cache.get());
        },
        [this, sample = state.sample, view, marks](const LoadedPhotograph& loaded) {
            maskTask_.cancel();
            shownSample_ = sample;
            view_ = view;
            PhotographWindow& window = ensureWindow();
            window.showPhotograph(loaded.photograph, tr("Photograph · view %1").arg(view));
            window.setMask(loaded.mask);
            window.setMarking(marks);
            window.setDepth({});
            drawOutline();
            drawDepth();
            window.raise();
            window.activateWindow();
        },
        [this](const ErrorReport& report) { context_.banner.show(report); });
}

PhotographWindow& PhotographViewer::ensureWindow() {
    if (!window_) {
        window_ = new PhotographWindow(&context_.window);
        window_->setAttribute(Qt::WA_DeleteOnClose);
        window_->setCuttingOut(cuttingOut_);
        connect(window_, &PhotographWindow::saveRequested, this, &PhotographViewer::saveMask);
        connect(window_, &PhotographWindow::cutOutRequested, this,
                &PhotographViewer::requestCutOut);
    }
    return *window_;
}

void PhotographViewer::saveMask() {
    if (!window_ || !shownSample_ || !shownSample_->photos) return;
    const SampleRef sample = shownSample_;
    const int view = view_;
    inBackground(
        this,
        [file = sample->images[static_cast<std::size_t>(view)], mask = window_->mask().mask()] {
            return writeOwnMask(file, mask);
        },
        [this, sample, view, written = window_->mask()](const std::filesystem::path& file) {
            context_.status.showSavedFiles({file});
            if (isSameSample(input_.model().sample(), sample))
                reopenMasked(context_.opener, input_);
            if (window_ && shownSample_ == sample && view_ == view) window_->setMaskSaved(written);
        },
        [this](const ErrorReport& report) {
            if (window_) window_->setMaskNotSaved();
            context_.banner.show(report);
        });
}

void PhotographViewer::markObject() {
    const InputState& state = input_.model().state();
    if (!state.sample || !state.sample->photos) return;
    if (openWindow() == nullptr || !showsInput()) {
        const std::vector<int>& views = state.selection.views();
        if (!views.empty()) open(views[state.selection.selectedSlot()], true);
        return;
    }
    window_->setMarking(true);
    window_->raise();
    window_->activateWindow();
}

void PhotographViewer::requestCutOut() {
    const SampleRef& sample = input_.model().sample();
    if (!window_ || !window_->mark() || !sample || !sample->photos || !showsInput()) return;
    Q_EMIT cutOutRequested(
        hintOf(*window_->mark(), sample->images[static_cast<std::size_t>(view_)]));
}

void PhotographViewer::setCuttingOut(bool on) {
    if (std::exchange(cuttingOut_, on) == on) return;
    if (window_) window_->setCuttingOut(on);
}

void PhotographViewer::reloadMask(const SampleRef& sample) {
    if (openWindow() == nullptr || !showsInput() || !isSameSample(sample, shownSample_)) return;
    inBackground(
        this, maskTask_.restart(),
        [sample, view = view_] { return load(*sample, view, nullptr).mask; },
        [this](const MaskBrush& mask) {
            if (window_) window_->replaceMask(mask);
        },
        [this](const ErrorReport& report) { context_.banner.show(report); });
}

void PhotographViewer::drawOutline() {
    const SampleRef& sample = input_.model().sample();
    if (!window_ || !sample) return;
    if (!showsInput()) return window_->setOutline({});
    const render::SceneMeshRef mesh = outlines_.meshIn(view_);
    const OutlineKind kind = outlines_.kind();
    if (!mesh || kind == OutlineKind::none) return window_->setOutline({});
    const auto view = static_cast<std::size_t>(view_);
    const Camera camera = Camera::fromRow(sample->cameraRows[view]);
    PhotographMapping mapping;
    if (const auto& own = sample->photos)
        mapping = virtualCameraOfPhoto(own->views[view], own->frame.photosToObjectSpace).toPhoto();
    window_->setOutline([mesh, kind, camera, mapping](QSize size, qreal pixelRatio) {
        return ui::drawOutline(mesh->vertices, mesh->faces, camera, {}, size, pixelRatio, kind,
                               mapping)
            .lines;
    });
}

void PhotographViewer::drawDepth() {
    if (!window_) return;
    const SampleRef& sample = input_.model().sample();
    const std::stop_token request = depthMapTask_.restart();
    if (!showsInput()) return window_->setDepth({});
    const KnownDepths known = depthOf(context_.document, sample, view_);
    if (known.map == nullptr) return window_->setDepth({});
    PhotographMapping mapping;
    double cameraUnitsPerObjectUnit = 0;
    QSize size(known.map->side, known.map->side);
    if (const auto& own = sample->photos) {
        const PosedPhoto& photo = own->views[static_cast<std::size_t>(view_)];
        mapping = virtualCameraOfPhoto(photo, own->frame.photosToObjectSpace).toPhoto();
        cameraUnitsPerObjectUnit = 1 / own->frame.photosToObjectSpace.scale;
        size = window_->photograph().size();
        if (std::max(size.width(), size.height()) > kMaxDepthSide)
            size.scale(kMaxDepthSide, kMaxDepthSide, Qt::KeepAspectRatio);
    }
    inBackground(
        this, request,
        [depths = *known.map, isConsistent = known.isConsistent, size,
         map = context_.document.look.current().map, mapping, cameraUnitsPerObjectUnit] {
            DepthPicture picture = depthPicture(depths, size, map, mapping);
            picture.cameraUnitsPerObjectUnit = cameraUnitsPerObjectUnit;
            picture.isConsistent = isConsistent;
            return picture;
        },
        [this](DepthPicture picture) {
            if (window_) window_->setDepth(std::move(picture));
        },
        [this](const ErrorReport& report) { context_.banner.show(report); });
}

PhotographViewer& addPhotographViewer(const FeatureContext& context, InputPanel& input,
                                      const SlotOutlines& outlines) {
    return *new PhotographViewer(context, input, outlines);
}

}  // namespace threefold::ui
