#include "ui/input/enlarged_photograph.h"

#include "ui/document/document.h"
#include "ui/input/input_panel.h"
#include "ui/input/slot_outlines.h"
#include "ui/input/view_slots.h"
#include "ui/shell/banner.h"
#include "ui/shell/shell.h"
#include "ui/style/image_conversion.h"

namespace threefold::ui {

EnlargedPhotograph::EnlargedPhotograph(const WindowParts& parts, const SlotOutlines& outlines)
    : QObject(&parts.window), parts_(parts), outlines_(outlines) {
    connect(&parts.input.viewSlots(), &ViewSlots::enlargementAsked, this,
            &EnlargedPhotograph::enlarge);
    connect(&parts.input, &InputPanel::otherItemShown, this, [this] {
        reading_.cancel();
        if (window_) window_->close();
    });
    // The outline here changes with those of the slots.
    connect(&outlines, &SlotOutlines::drawn, this, &EnlargedPhotograph::drawOutline,
            Qt::QueuedConnection);
    connect(&outlines, &SlotOutlines::kindChanged, this, &EnlargedPhotograph::drawOutline);
}

PhotographWindow* EnlargedPhotograph::openWindow() const {
    return window_ && window_->isVisible() ? window_.data() : nullptr;
}

void EnlargedPhotograph::enlarge(std::size_t slot) {
    const InputState& state = parts_.input.state();
    if (!state.sample || slot >= state.selection.views().size()) return;
    const int view = state.selection.views()[slot];
    inBackground(
        this, reading_.start(),
        [sample = state.sample, view, cache = parts_.input.cache()] {
            if (sample->photos)
                return toQImage(readImage(sample->images[static_cast<std::size_t>(view)]));
            return toQImage(cache ? *cache->read(*sample, view) : networkView(*sample, view));
        },
        [this, view](const QImage& photograph) {
            view_ = view;
            if (!window_) {
                window_ = new PhotographWindow(&parts_.window);
                window_->setAttribute(Qt::WA_DeleteOnClose);
            }
            window_->showPhotograph(photograph, tr("Photograph · view %1").arg(view));
            drawOutline();
            window_->raise();
            window_->activateWindow();
        },
        [this](const ErrorReport& report) { parts_.banner.show(report); });
}

void EnlargedPhotograph::drawOutline() {
    const SampleRef& sample = parts_.input.sample();
    if (!window_ || !sample || static_cast<std::size_t>(view_) >= sample->viewCount()) return;
    const render::SceneMeshRef mesh = outlines_.mesh();
    const OutlineKind kind = outlines_.kind();
    if (!mesh || kind == OutlineKind::none) return window_->setOutline({});
    const auto view = static_cast<std::size_t>(view_);
    const Camera camera = Camera::fromRow(sample->cameraRows[view]);
    OutlinePlace place;
    if (const auto& own = sample->photos) place = toPhotograph(own->views[view], own->frame.world);
    window_->setOutline([mesh, kind, camera, place](QSize size, qreal pixelRatio) {
        return ui::drawOutline(mesh->vertices, mesh->faces, camera, {}, size, pixelRatio, kind,
                               place)
            .lines;
    });
}

}  // namespace threefold::ui
