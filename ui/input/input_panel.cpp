#include "ui/input/input_panel.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QApplication>
#include <QBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QToolButton>

#include "ui/input/camera_ring.h"
#include "ui/input/view_slots.h"
#include "ui/input/view_strip.h"
#include "ui/style/control_names.h"
#include "ui/style/theme.h"
#include "ui/style/widgets.h"

namespace threefold::ui {
namespace {

// A gesture by keys or wheel ends this long after its last event.
constexpr int kGesturePause = 400;  // milliseconds

/// Scroll area of the strip; at least one row is always visible.
class StripArea : public QScrollArea {
  public:
    StripArea(ViewStrip& strip, QWidget* parent) : QScrollArea(parent), strip_(strip) {
        setWidget(&strip);
        setWidgetResizable(true);
        setFrameShape(QFrame::NoFrame);
        setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        setFocusPolicy(Qt::NoFocus);
        viewport()->setAutoFillBackground(false);
        strip.setAutoFillBackground(false);
        connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) {
            if (now != nullptr && strip_.isAncestorOf(now)) ensureWidgetVisible(now, 0, 2);
        });
        setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    }
    QSize sizeHint() const override { return minimumSizeHint(); }
    QSize minimumSizeHint() const override { return {0, strip_.rowHeight()}; }

  private:
    ViewStrip& strip_;
};

}  // namespace

InputPanel::InputPanel(QWidget* parent)
    : QWidget(parent),
      add_(flatButton(QStringLiteral("+"), tr("Add a slot with the next free view; up to eight"),
                      this, tr("Add a slot"))),
      remove_(flatButton(QStringLiteral("−"),
                         tr("Remove the selected slot; at least two stay (Delete on a slot)"), this,
                         tr("Remove the selected slot"))),
      name_(new ElidedLabel(this)),
      sampleRow_(rowOf({{name_, 1}}, 4)),
      invitation_(roleLabel("muted", this, tr("Open a sample, or drop its folder here."))),
      stripHeading_(roleLabel("heading", this)),
      slots_(new ViewSlots(this)),
      strip_(new ViewStrip(this)),
      stripArea_(new StripArea(*strip_, this)),
      ring_(new CameraRing(slots_)),
      choiceRow_(rowOf({}, 4)),
      belowSlots_(columnOf({})),
      drag_(new ViewDrag(
          [this](const ViewTile& tile) {
              const bool isSlot = slots_->indexOf(&tile) >= 0;
              if (isSlot && turning_) return ViewDrag::Gesture::turn;
              if (!isSlot && scrubbing_) return ViewDrag::Gesture::scrub;
              return ViewDrag::Gesture::drop;
          },
          this)) {
    for (QToolButton* button : {add_, remove_}) button->setFixedWidth(24);
    QLabel* heading = roleLabel("heading", this, tr("VIEWS"));
    setTextRole(*name_, "muted");
    name_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    invitation_->setWordWrap(true);
    slots_->setCompanion(ring_);
    // The slots get height first, as far as shareHeight() allows, then the strip.
    QBoxLayout* column =
        columnOf({columnOf({rowOf({{heading, 1}, remove_, add_}, 4), sampleRow_}, 0),
                  invitation_,
                  {slots_, 10000},
                  choiceRow_,
                  belowSlots_,
                  stripHeading_,
                  {stripArea_, 100}},
                 8, {16, 8, 16, 8});
    column->addStretch(1);
    setLayout(column);

    gestureEnd_.setSingleShot(true);
    gestureEnd_.setInterval(kGesturePause);
    connect(&gestureEnd_, &QTimer::timeout, this, &InputPanel::endGesture);
    connectSlots();
    connectDrags();
    connect(&thumbnails_, &Thumbnails::ready, this,
            [this](const SampleRef& sample, int view, const QImage& image) {
                if (!sameSample(sample, state_.sample)) return;
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
    connect(slots_, &ViewSlots::chosen, this, &InputPanel::select);
    connect(slots_, &ViewSlots::swapRequested, this, &InputPanel::swapSlots);
    connect(slots_, &ViewSlots::removalRequested, this, &InputPanel::removeSlot);
    connect(slots_, &ViewSlots::wheelTurned, this,
            [this](std::size_t slot, double notches, bool* taken) {
                *taken = turning_ || scrubbing_;
                if (!*taken || notches == 0) return;
                touchGesture();
                turning_ ? moveCamera(slot, notches) : stepView(slot, notches > 0 ? -1 : 1);
            });
    connect(strip_, &ViewStrip::chosen, this, &InputPanel::choose);
    connect(strip_, &ViewStrip::viewAssigned, this, &InputPanel::putInto);
    const auto onReached = [this](int view) {
        if (!scrubbing_) return;
        touchGesture();
        scrubTo(view);
    };
    connect(strip_, &ViewStrip::viewFocused, this, onReached);
    connect(ring_, &CameraRing::viewFocused, this, onReached);
    connect(ring_, &CameraRing::viewChosen, this, &InputPanel::choose);
    connect(ring_, &CameraRing::slotChosen, this, &InputPanel::select);
    connect(ring_, &CameraRing::viewAssigned, this, &InputPanel::putInto);
    connect(ring_, &CameraRing::dragBegan, this, [this](std::size_t slot) {
        select(slot);
        beginGesture();
    });
    connect(ring_, &CameraRing::draggedTo, this, &InputPanel::scrubTo);
    connect(ring_, &CameraRing::dragEnded, this, &InputPanel::endGesture);
}

bool InputPanel::event(QEvent* event) {
    if (event->type() == QEvent::LayoutRequest) shareHeight();
    return QWidget::event(event);
}

void InputPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    shareHeight();
}

// Slots get height first: one row of the strip suffices. Height that enlarges no slot goes to the
// strip.
void InputPanel::shareHeight() {
    const int fixedHeight =
        layout()->minimumSize().height() - slots_->minimumSizeHint().height() - strip_->rowHeight();
    const int available = height() - fixedHeight;
    slots_->setMaximumHeight(slots_->heightWithin(available - strip_->rowHeight()));
    stripArea_->setMaximumHeight(strip_->heightForWidth(stripArea_->width()));
}

void InputPanel::connectDrags() {
    const auto watch = [this](ViewTile* tile) { drag_->watch(*tile); };
    connect(slots_, &ViewSlots::tileAdded, this, watch);
    connect(strip_, &ViewStrip::tileAdded, this, watch);
    connect(drag_, &ViewDrag::started, this, [this](ViewDrag::Gesture gesture, ViewTile* from) {
        if (gesture != ViewDrag::Gesture::drop) beginGesture();
        if (gesture == ViewDrag::Gesture::scrub) scrubTo(strip_->indexOf(from));
    });
    connect(drag_, &ViewDrag::moved, this,
            [this](ViewDrag::Gesture gesture, ViewTile* from, QPoint position, QPoint step) {
                if (gesture == ViewDrag::Gesture::drop) markDropTarget(from, position);
                if (gesture == ViewDrag::Gesture::scrub) scrubTo(strip_->indexAt(position));
                const int slot = slots_->indexOf(from);
                if (gesture == ViewDrag::Gesture::turn && slot >= 0)
                    turnCamera(static_cast<std::size_t>(slot), step);
            });
    connect(drag_, &ViewDrag::ended, this,
            [this](ViewDrag::Gesture gesture, ViewTile* from, QPoint position, bool dropped) {
                for (ViewTile* tile : slots_->tiles()) tile->setDropTarget(false);
                if (gesture == ViewDrag::Gesture::drop && dropped) drop(from, position);
                if (gesture != ViewDrag::Gesture::drop) endGesture();
            });
}

void InputPanel::markDropTarget(ViewTile* from, QPoint position) {
    const int target = slots_->indexAt(position);
    for (ViewTile* tile : slots_->tiles())
        tile->setDropTarget(slots_->indexOf(tile) == target && tile != from);
}

void InputPanel::drop(ViewTile* from, QPoint position) {
    const int target = slots_->indexAt(position);
    if (target < 0 || from == nullptr) return;
    const auto to = static_cast<std::size_t>(target);
    const int slot = slots_->indexOf(from);
    slot >= 0 ? swapSlots(static_cast<std::size_t>(slot), to) : putInto(to, strip_->indexOf(from));
}

void InputPanel::setInput(const SampleRef& sample, const ViewSelection& selection) {
    const bool otherSample = !sameSample(sample, state_.sample);
    endGesture();
    if (otherSample) {
        images_.clear();
        if (sample) thumbnails_.load(sample, selection.views());
    }
    setState({sample, selection});
    if (!otherSample) return;
    Q_EMIT sampleChanged();
    Q_EMIT imagesChanged();
}

void InputPanel::restore(const InputState& state) {
    // Keeps a truth that was opened after the edit.
    const bool isSame = state.sample && sameSample(state.sample, state_.sample);
    setInput(isSame ? withTruthOf(state.sample, *state_.sample) : state.sample, state.selection);
    Q_EMIT stateRestored();
}

void InputPanel::setState(InputState state) {
    const SampleRef before = std::exchange(state_, std::move(state)).sample;
    if (before && sameSample(before, state_.sample) &&
        !std::ranges::equal(before->cameraRows, state_.sample->cameraRows, samePicture))
        reloadImages();
    refresh();
    Q_EMIT stateChanged();
}

void InputPanel::apply(InputState after, const QString& text, const QString& note) {
    InputEdit edit{state_, after, text, note, inGesture_ ? gestures_ : 0, inGesture_};
    setState(std::move(after));
    if (edit.after.sameInput(edit.before)) return;
    gestureEdited_ = gestureEdited_ || inGesture_;
    Q_EMIT edited(edit);
}

void InputPanel::applyPut(std::size_t slot, int view, bool moveOn) {
    if (!state_.sample || view < 0 ||
        static_cast<std::size_t>(view) >= state_.sample->viewCount() ||
        slot >= state_.selection.views().size())
        return;
    InputState after = state_;
    const auto outcome =
        moveOn ? after.selection.put(slot, view) : after.selection.replace(slot, view);
    const bool swapped = outcome == ViewSelection::Change::swapped;
    apply(std::move(after), tr("choose view %1").arg(view),
          swapped ? tr("That view was in another slot: the two slots are swapped.") : QString());
}

void InputPanel::scrubTo(int view) {
    // A view in another slot would swap the two slots.
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

void InputPanel::select(std::size_t slot) {
    InputState state = state_;
    state.selection.select(slot);
    setState(std::move(state));
}

void InputPanel::setViews(const std::vector<int>& views, const QString& text) {
    if (!state_.sample || views.size() < kMinViews) return;
    endGesture();
    InputState after = state_;
    after.selection = ViewSelection(views);
    apply(std::move(after), text);
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
    if (!state_.sample || view < 0 || static_cast<std::size_t>(view) >= state_.sample->viewCount())
        return;
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

void InputPanel::changeCamera(std::size_t slot, const std::function<void(CameraRow&)>& change) {
    if (!state_.sample || slot >= state_.selection.views().size()) return;
    const int view = state_.selection.views()[slot];
    CameraRow row = state_.sample->cameraRows[static_cast<std::size_t>(view)];
    change(row);
    setCamera(view, row);
}

void InputPanel::turnCamera(std::size_t slot, QPoint step) {
    constexpr double kDegreesPerPixel = 0.5;
    // The near side of the object follows the pointer.
    changeCamera(slot, [step](CameraRow& row) {
        constexpr double kMaxElevation = 89;
        row.azimuth = std::fmod(row.azimuth + step.x() * kDegreesPerPixel + 360.0, 360.0);
        row.elevation =
            std::clamp(row.elevation + step.y() * kDegreesPerPixel, -kMaxElevation, kMaxElevation);
    });
}

void InputPanel::moveCamera(std::size_t slot, double notches) {
    constexpr double kFactorPerNotch = 0.97;
    changeCamera(slot, [notches](CameraRow& row) {
        row.distance = std::clamp(row.distance * std::pow(kFactorPerNotch, notches),
                                  kMinCameraDistance, kMaxCameraDistance);
    });
}

void InputPanel::setTurning(bool turning) {
    turning_ = turning;
    for (ViewTile* tile : slots_->tiles())
        tile->setCursor(turning_ ? Qt::SizeAllCursor : Qt::PointingHandCursor);
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
    if (std::exchange(gestureEdited_, false)) Q_EMIT gestureEnded();
}

void InputPanel::refresh() {
    const std::size_t count = state_.sample ? state_.sample->viewCount() : 0;
    if (state_.sample) {
        name_->setWholeText(sampleTitle(*state_.sample), pathText(state_.sample->renderingFolder));
        stripHeading_->setText(tr("ALL %1 VIEWS").arg(count));
    } else {
        name_->setWholeText({});
    }
    invitation_->setVisible(!state_.sample);
    stripHeading_->setVisible(count > 0);
    stripArea_->setVisible(count > 0);
    const std::size_t slotCount = state_.selection.views().size();
    add_->setEnabled(slotCount < std::min(kMaxInputViews, count));
    remove_->setEnabled(slotCount > kMinViews);
    const std::vector<CameraRow> cameras =
        state_.sample ? state_.sample->cameraRows : std::vector<CameraRow>();
    slots_->setViews(state_.selection, images_, cameras);
    ring_->setCameras(cameras, state_.selection);
    strip_->setViews(count, state_.selection, images_);
    setTurning(turning_);
}

}  // namespace threefold::ui
