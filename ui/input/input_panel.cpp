#include "ui/input/input_panel.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/input/view_slots.h"
#include "ui/input/view_strip.h"
#include "ui/input/view_tile.h"
#include "ui/style/elided_label.h"
#include "ui/style/theme.h"

namespace threefold::ui {
namespace {

// Keys and wheels do not say when they are done: this long after the last one they are.
constexpr int kPause = 400;  // milliseconds

constexpr int kHeaderButton = 24;

QToolButton* headerButton(const QString& text, const QString& name, const QString& tooltip,
                          QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setText(text);
    button->setAccessibleName(name);
    button->setToolTip(tooltip);
    button->setFocusPolicy(Qt::TabFocus);
    button->setFixedWidth(kHeaderButton);
    setRank(*button, "flat");
    return button;
}

}  // namespace

InputPanel::InputPanel(QWidget* parent)
    : QWidget(parent),
      add_(headerButton(QStringLiteral("+"), tr("Add a slot"),
                        tr("Add a slot with the next free view; up to eight"), this)),
      remove_(headerButton(QStringLiteral("−"), tr("Remove the selected slot"),
                           tr("Take the selected slot away; two stay (Delete on a slot)"), this)),
      itemRow_(new QHBoxLayout),
      item_(new ElidedLabel(this)),
      invitation_(new QLabel(tr("Open a sample, or drop its folder here."), this)),
      stripHeading_(new QLabel(this)),
      slots_(new ViewSlots(this)),
      strip_(new ViewStrip(this)),
      belowSlots_(new QVBoxLayout),
      drag_(new ViewDrag(
          [this](const ViewTile& tile) {
              const bool isSlot = slots_->slotOf(&tile).has_value();
              if (isSlot && turning_) return ViewDrag::Gesture::turn;
              if (!isSlot && running_) return ViewDrag::Gesture::scrub;
              return ViewDrag::Gesture::carry;
          },
          this)) {
    auto* heading = new QLabel(tr("VIEWS"), this);
    setRank(*heading, "heading");
    setRank(*item_, "muted");
    setRank(*stripHeading_, "heading");
    item_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    setRank(*invitation_, "muted");
    invitation_->setWordWrap(true);
    itemRow_->setSpacing(4);
    itemRow_->addWidget(item_, 1);
    auto* header = new QHBoxLayout;
    header->setSpacing(4);
    header->addWidget(heading, 1);
    header->addWidget(remove_);
    header->addWidget(add_);
    belowSlots_->setSpacing(8);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 8, 16, 16);
    layout->setSpacing(8);
    auto* top = new QVBoxLayout;
    top->setSpacing(0);
    top->addLayout(header);
    top->addLayout(itemRow_);
    layout->addLayout(top);
    layout->addWidget(invitation_);
    layout->addWidget(slots_);
    layout->addLayout(belowSlots_);
    layout->addSpacing(8);
    layout->addWidget(stripHeading_);
    layout->addWidget(strip_);
    layout->addStretch(1);

    gestureEnd_.setSingleShot(true);
    gestureEnd_.setInterval(kPause);
    connect(&gestureEnd_, &QTimer::timeout, this, &InputPanel::endGesture);
    connectSlots();
    connectDrags();
    connect(&thumbnails_, &Thumbnails::ready, this,
            [this](const SampleRef& sample, int view, const QImage& image) {
                if (!sameItem(sample, state_.sample)) return;
                images_[view] = image;
                refresh();
                Q_EMIT imagesChanged();
            });
    refresh();
}

void InputPanel::connectSlots() {
    connect(add_, &QToolButton::clicked, this, &InputPanel::addSlot);
    connect(remove_, &QToolButton::clicked, this,
            [this] { removeSlot(state_.selection.selectedSlot()); });
    connect(slots_, &ViewSlots::slotSelected, this, [this](std::size_t slot) {
        InputState state = state_;
        state.selection.select(slot);
        takeState(std::move(state));
    });
    connect(slots_, &ViewSlots::swapAsked, this, &InputPanel::swapSlots);
    connect(slots_, &ViewSlots::removalAsked, this, &InputPanel::removeSlot);
    connect(slots_, &ViewSlots::wheelTurned, this,
            [this](std::size_t slot, double notches, bool* taken) {
                *taken = turning_ || running_;
                if (!*taken || notches == 0) return;
                touchGesture();
                if (turning_)
                    moveCamera(slot, notches);
                else
                    stepView(slot, notches > 0 ? -1 : 1);
            });
    connect(strip_, &ViewStrip::viewChosen, this, &InputPanel::choose);
    connect(strip_, &ViewStrip::viewPut, this, &InputPanel::putInto);
    connect(strip_, &ViewStrip::viewReached, this, [this](int view) {
        if (!running_) return;
        touchGesture();
        runTo(view);
    });
}

void InputPanel::connectDrags() {
    const auto watch = [this](ViewTile* tile) { drag_->watch(*tile); };
    connect(slots_, &ViewSlots::tileAdded, this, watch);
    connect(strip_, &ViewStrip::tileAdded, this, watch);
    connect(drag_, &ViewDrag::started, this, [this](ViewDrag::Gesture gesture, ViewTile* from) {
        if (gesture != ViewDrag::Gesture::carry) beginGesture();
        if (gesture == ViewDrag::Gesture::scrub) runTo(strip_->viewOf(from));
    });
    connect(drag_, &ViewDrag::moved, this,
            [this](ViewDrag::Gesture gesture, ViewTile* from, QPoint position, QPoint step) {
                if (gesture == ViewDrag::Gesture::carry) markDropTarget(from, position);
                if (gesture == ViewDrag::Gesture::scrub) runTo(strip_->viewAt(position));
                if (gesture == ViewDrag::Gesture::turn) {
                    if (const auto slot = slots_->slotOf(from)) turnCamera(*slot, step);
                }
            });
    connect(drag_, &ViewDrag::ended, this,
            [this](ViewDrag::Gesture gesture, ViewTile* from, QPoint position, bool dropped) {
                for (ViewTile* tile : slots_->tiles()) tile->setDropTarget(false);
                if (gesture == ViewDrag::Gesture::carry && dropped) drop(from, position);
                if (gesture != ViewDrag::Gesture::carry) endGesture();
            });
}

void InputPanel::markDropTarget(ViewTile* from, QPoint position) {
    const auto target = slots_->slotAt(position);
    for (std::size_t slot = 0; slot < slots_->tiles().size(); ++slot) {
        ViewTile* tile = slots_->tiles()[slot];
        tile->setDropTarget(target == slot && tile != from);
    }
}

void InputPanel::drop(ViewTile* from, QPoint position) {
    const auto target = slots_->slotAt(position);
    if (!target || from == nullptr) return;
    if (const auto slot = slots_->slotOf(from)) {
        swapSlots(*slot, *target);
    } else {
        putInto(*target, strip_->viewOf(from));
    }
}

void InputPanel::show(const SampleRef& sample, const ViewSelection& selection) {
    const bool other = !sameItem(sample, state_.sample);
    endGesture();
    if (other) {
        images_.clear();
        if (sample) thumbnails_.load(sample, selection.views());
    }
    takeState({sample, selection});
    if (!other) return;
    Q_EMIT otherItemShown();
    Q_EMIT imagesChanged();
}

void InputPanel::restore(const InputState& state) {
    // A truth that was opened since is no step that could be taken back.
    const bool same = state.sample && sameItem(state.sample, state_.sample);
    show(same ? withTruthOf(state.sample, *state_.sample) : state.sample, state.selection);
    Q_EMIT restored();
}

void InputPanel::takeState(InputState state) {
    state_ = std::move(state);
    refresh();
    Q_EMIT stateChanged();
}

void InputPanel::apply(InputState after, const QString& text, const QString& note) {
    InputEdit edit;
    edit.before = state_;
    edit.text = text;
    edit.note = note;
    edit.live = inGesture_;
    edit.gesture = inGesture_ ? gestures_ : 0;
    takeState(std::move(after));
    edit.after = state_;
    if (edit.after.sameInput(edit.before)) return;
    gestureEdited_ = gestureEdited_ || inGesture_;
    Q_EMIT edited(edit);
}

void InputPanel::applyPut(std::size_t slot, int view, bool moveOn) {
    if (!state_.sample || view < 0 ||
        static_cast<std::size_t>(view) >= state_.sample->viewCount() ||
        slot >= state_.selection.views().size()) {
        return;
    }
    InputState after = state_;
    const auto outcome =
        moveOn ? after.selection.put(slot, view) : after.selection.replace(slot, view);
    const bool swapped = outcome == ViewSelection::Outcome::swapped;
    apply(std::move(after), tr("choose view %1").arg(view),
          swapped ? tr("That view was in another slot: the two slots have changed places.")
                  : QString());
}

void InputPanel::choose(int view) {
    applyPut(state_.selection.selectedSlot(), view, true);
}

void InputPanel::putInto(std::size_t slot, int view) {
    applyPut(slot, view, true);
}

void InputPanel::runTo(int view) {
    // Running over a view of another slot would swap, and leave the two mixed up behind it.
    if (view < 0 || state_.selection.slotOf(view) >= 0) return;
    applyPut(state_.selection.selectedSlot(), view, false);
}

void InputPanel::stepView(std::size_t slot, int step) {
    if (!state_.sample || slot >= state_.selection.views().size()) return;
    applyPut(slot,
             nextFreeView(state_.selection, state_.selection.views()[slot], step,
                          state_.sample->viewCount()),
             false);
}

void InputPanel::swapSlots(std::size_t from, std::size_t to) {
    InputState after = state_;
    if (after.selection.swapSlots(from, to)) apply(std::move(after), tr("swap slots"));
}

void InputPanel::addSlot() {
    if (!state_.sample) return;
    InputState after = state_;
    const int view = nextFreeView(after.selection, 0, 1, after.sample->viewCount());
    if (view >= 0 && after.selection.add(view)) apply(std::move(after), tr("add a slot"));
}

void InputPanel::removeSlot(std::size_t slot) {
    InputState after = state_;
    if (after.selection.remove(slot)) apply(std::move(after), tr("remove a slot"));
}

void InputPanel::setCamera(int view, const CameraRow& row) {
    if (!state_.sample || view < 0 ||
        static_cast<std::size_t>(view) >= state_.sample->viewCount()) {
        return;
    }
    if (sameCamera(state_.sample->cameraRows[static_cast<std::size_t>(view)], row)) return;
    if (!drag_->active()) touchGesture();
    InputState after = state_;
    after.sample = withCamera(*state_.sample, view, row);
    apply(std::move(after), tr("camera of view %1").arg(view));
}

void InputPanel::setCameras(const std::vector<CameraRow>& rows) {
    if (!state_.sample || rows.size() != state_.sample->viewCount()) return;
    endGesture();
    InputState after = state_;
    auto sample = std::make_shared<Sample>(*state_.sample);
    sample->cameraRows = rows;
    after.sample = std::move(sample);
    apply(std::move(after), tr("all cameras"));
}

void InputPanel::turnCamera(std::size_t slot, QPoint step) {
    constexpr double kDegreesPerPixel = 0.5;
    constexpr double kSteepest = 89;
    if (!state_.sample || slot >= state_.selection.views().size()) return;
    const int view = state_.selection.views()[slot];
    CameraRow row = state_.sample->cameraRows[static_cast<std::size_t>(view)];
    // As if one took hold of the object: what is near follows the pointer.
    row.azimuth = std::fmod(row.azimuth + step.x() * kDegreesPerPixel + 360.0, 360.0);
    row.elevation = std::clamp(row.elevation + step.y() * kDegreesPerPixel, -kSteepest, kSteepest);
    setCamera(view, row);
}

void InputPanel::moveCamera(std::size_t slot, double notches) {
    constexpr double kNearer = 0.97;
    if (!state_.sample || slot >= state_.selection.views().size()) return;
    const int view = state_.selection.views()[slot];
    CameraRow row = state_.sample->cameraRows[static_cast<std::size_t>(view)];
    row.distance =
        std::clamp(row.distance * std::pow(kNearer, notches), kNearestCamera, kFarthestCamera);
    setCamera(view, row);
}

void InputPanel::setRunning(bool running) {
    running_ = running;
}

void InputPanel::setTurning(bool turning) {
    turning_ = turning;
    for (ViewTile* tile : slots_->tiles()) {
        tile->setCursor(turning_ ? Qt::SizeAllCursor : Qt::PointingHandCursor);
    }
}

void InputPanel::beginGesture() {
    endGesture();
    inGesture_ = true;
    ++gestures_;
}

void InputPanel::touchGesture() {
    if (!inGesture_) beginGesture();
    gestureEnd_.start();
}

void InputPanel::endGesture() {
    gestureEnd_.stop();
    inGesture_ = false;
    if (std::exchange(gestureEdited_, false)) Q_EMIT settled();
}

void InputPanel::offerImages(const std::vector<std::filesystem::path>& images) {
    Q_EMIT imagesOffered(images);
}

void InputPanel::refresh() {
    const std::size_t count = state_.sample ? state_.sample->viewCount() : 0;
    if (state_.sample) {
        const QString category = QString::fromStdString(state_.sample->category);
        const QString item = QString::fromStdString(state_.sample->item);
        item_->setWholeText(category.isEmpty() ? item : category + " / " + item,
                            QString::fromStdString(state_.sample->renderingFolder.string()));
        stripHeading_->setText(tr("ALL %1 VIEWS").arg(count));
    } else {
        item_->setWholeText({});
    }
    invitation_->setVisible(!state_.sample);
    stripHeading_->setVisible(count > 0);
    const std::size_t slotCount = state_.selection.views().size();
    add_->setEnabled(slotCount < std::min(kMostViews, count));
    remove_->setEnabled(slotCount > kFewestViews);
    slots_->show(state_.selection, images_);
    strip_->show(count, state_.selection, images_);
    setTurning(turning_);
}

}  // namespace threefold::ui
