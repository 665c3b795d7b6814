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
#include "ui/style/elided_label.h"
#include "ui/style/path_text.h"
#include "ui/style/theme.h"
#include "ui/style/widgets.h"

namespace threefold::ui {
namespace {

// While cameras are turned:
constexpr double kDegreesPerPixel = 0.5;          // of a drag over a slot
constexpr double kDistanceFactorPerNotch = 0.97;  // of the wheel over a slot

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

InputPanel::InputPanel(InputModel& model, std::shared_ptr<ViewCache> cache, QWidget* parent)
    : QWidget(parent),
      model_(model),
      cache_(std::move(cache)),
      add_(flatButton(QStringLiteral("+"), tr("Add a slot with the next free view; up to eight"),
                      this, tr("Add a slot"))),
      remove_(flatButton(QStringLiteral("−"),
                         tr("Remove the selected slot; at least two stay (Delete on a slot)"), this,
                         tr("Remove the selected slot"))),
      name_(new ElidedLabel(this)),
      sampleRow_(rowOf({stretched(name_)}, 4)),
      invitation_(roleLabel("muted", this, tr("Open a sample, or drop its folder here."))),
      stripHeading_(roleLabel("heading", this)),
      slots_(new ViewSlots(this)),
      strip_(new ViewStrip(this)),
      stripArea_(new StripArea(*strip_, this)),
      ring_(new CameraRing(slots_)),
      choiceRow_(rowOf({stretch()}, 4)),
      belowSlots_(columnOf({})),
      drag_(new ViewDrag(
          [this](const ViewTile& tile) {
              const bool isSlot = slots_->indexOf(&tile) >= 0;
              if (isSlot && turning_) return ViewDrag::Gesture::turn;
              if (!isSlot && scrubbing_) return ViewDrag::Gesture::scrub;
              return ViewDrag::Gesture::drop;
          },
          this)) {
    layOut();
    connect(&model, &InputModel::stateChanged, this, &InputPanel::updateFromState);
    connect(&model, &InputModel::sampleChanged, this, &InputPanel::imagesChanged);
    connectSlots();
    connectDrags();
    connect(&thumbnails_, &Thumbnails::ready, this,
            [this](const SampleRef& sample, int view, const QImage& image) {
                if (!isSameSample(sample, model_.sample())) return;
                images_[view] = image;
                refresh();
                Q_EMIT imagesChanged();
            });
    refresh();
}

void InputPanel::layOut() {
    for (QToolButton* button : {add_, remove_}) button->setFixedWidth(24);
    QLabel* heading = roleLabel("heading", this, tr("VIEWS"));
    setTextRole(*name_, "muted");
    name_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    invitation_->setWordWrap(true);
    slots_->setExtraCell(ring_);
    // The slots get height first, as far as shareHeight() allows, then the strip.
    QBoxLayout* column =
        columnOf({columnOf({rowOf({stretched(heading), remove_, add_}, 4), sampleRow_}, 0),
                  invitation_, stretched(slots_, 10000), choiceRow_, belowSlots_, stripHeading_,
                  stretched(stripArea_, 100)},
                 8, {16, 8, 16, 8});
    column->addStretch(1);
    setLayout(column);
}

void InputPanel::addChoiceButton(QWidget& button) {
    choiceRow_->insertWidget(choiceRow_->count() - 1, &button);  // before the stretch
}

void InputPanel::addSampleButton(QWidget& button) {
    sampleRow_->addWidget(&button);
}

void InputPanel::addBelowSlots(QWidget& widget) {
    belowSlots_->addWidget(&widget);
}

void InputPanel::connectSlots() {
    connect(add_, &QToolButton::clicked, &model_, &InputModel::addSlot);
    connect(remove_, &QToolButton::clicked, this,
            [this] { model_.removeSlot(model_.selection().selectedSlot()); });
    connect(slots_, &ViewSlots::chosen, &model_, &InputModel::select);
    connect(slots_, &ViewSlots::swapRequested, &model_, &InputModel::swapSlots);
    connect(slots_, &ViewSlots::removalRequested, &model_, &InputModel::removeSlot);
    connect(slots_, &ViewSlots::wheelTurned, this,
            [this](std::size_t slot, double notches, bool* accepted) {
                *accepted = turning_ || scrubbing_;
                if (!*accepted || notches == 0) return;
                model_.prolongGesture();
                if (turning_)
                    model_.scaleCameraDistance(slot, std::pow(kDistanceFactorPerNotch, notches));
                else
                    model_.stepView(slot, notches > 0 ? -1 : 1);
            });
    connect(strip_, &ViewStrip::chosen, &model_, &InputModel::putIntoSelectedSlot);
    connect(strip_, &ViewStrip::viewAssigned, &model_, &InputModel::putInto);
    const auto onReached = [this](int view) {
        if (!scrubbing_) return;
        model_.prolongGesture();
        model_.scrubSelectedSlot(view);
    };
    connect(strip_, &ViewStrip::viewFocused, this, onReached);
    connect(ring_, &CameraRing::viewFocused, this, onReached);
    connect(ring_, &CameraRing::viewChosen, &model_, &InputModel::putIntoSelectedSlot);
    connect(ring_, &CameraRing::slotChosen, &model_, &InputModel::select);
    connect(ring_, &CameraRing::viewAssigned, &model_, &InputModel::putInto);
    connect(ring_, &CameraRing::dragBegan, this, [this](std::size_t slot) {
        model_.select(slot);
        model_.beginGesture();
    });
    connect(ring_, &CameraRing::draggedTo, &model_, &InputModel::scrubSelectedSlot);
    connect(ring_, &CameraRing::dragEnded, &model_, &InputModel::endGesture);
}

bool InputPanel::event(QEvent* event) {
    if (event->type() == QEvent::LayoutRequest) shareHeight();
    return QWidget::event(event);
}

void InputPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    shareHeight();
}

// Slots get height first, since one row of the strip suffices. Height that enlarges no slot goes to
// the strip.
void InputPanel::shareHeight() {
    // Wrapped texts need more than the minimum size, which holds for any width.
    const int minimum = layout()->hasHeightForWidth() ? layout()->minimumHeightForWidth(width())
                                                      : layout()->minimumSize().height();
    const int fixedHeight = minimum - slots_->minimumSizeHint().height() - strip_->rowHeight();
    const int available = height() - fixedHeight;
    slots_->setMaximumHeight(slots_->heightWithin(available - strip_->rowHeight()));
    stripArea_->setMaximumHeight(strip_->heightForWidth(stripArea_->width()));
}

void InputPanel::connectDrags() {
    const auto watch = [this](ViewTile* tile) { drag_->watch(*tile); };
    connect(slots_, &ViewSlots::tileAdded, this, watch);
    connect(strip_, &ViewStrip::tileAdded, this, watch);
    connect(drag_, &ViewDrag::started, this, [this](ViewDrag::Gesture gesture, ViewTile* from) {
        if (gesture != ViewDrag::Gesture::drop) model_.beginGesture();
        if (gesture == ViewDrag::Gesture::scrub) model_.scrubSelectedSlot(strip_->indexOf(from));
    });
    connect(drag_, &ViewDrag::moved, this,
            [this](ViewDrag::Gesture gesture, ViewTile* from, QPoint position, QPoint step) {
                if (gesture == ViewDrag::Gesture::drop) markDropTarget(from, position);
                if (gesture == ViewDrag::Gesture::scrub)
                    model_.scrubSelectedSlot(strip_->indexAt(position));
                const int slot = slots_->indexOf(from);
                // The near side of the object follows the pointer.
                if (gesture == ViewDrag::Gesture::turn && slot >= 0)
                    model_.orbitCamera(static_cast<std::size_t>(slot), kDegreesPerPixel * step.x(),
                                       kDegreesPerPixel * step.y());
            });
    connect(drag_, &ViewDrag::ended, this,
            [this](ViewDrag::Gesture gesture, ViewTile* from, QPoint position, bool dropped) {
                for (ViewTile* tile : slots_->tiles()) tile->setDropTarget(false);
                if (gesture == ViewDrag::Gesture::drop && dropped) drop(from, position);
                if (gesture != ViewDrag::Gesture::drop) model_.endGesture();
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
    slot >= 0 ? model_.swapSlots(static_cast<std::size_t>(slot), to)
              : model_.putInto(to, strip_->indexOf(from));
}

void InputPanel::updateFromState() {
    const SampleRef& sample = model_.sample();
    const SampleRef before = std::exchange(shownSample_, sample);
    if (!isSameSample(before, sample)) {
        images_.clear();
        reloadImages();
    } else if (before &&
               !std::ranges::equal(before->cameraRows, sample->cameraRows, givesSameNetworkImage)) {
        reloadImages();
    }
    refresh();
}

void InputPanel::setTurning(bool turning) {
    const bool isChanged = std::exchange(turning_, turning) != turning;
    for (ViewTile* tile : slots_->tiles())
        tile->setCursor(turning_ ? Qt::SizeAllCursor : Qt::PointingHandCursor);
    if (isChanged) Q_EMIT turningChanged();
}

void InputPanel::refresh() {
    const SampleRef& sample = model_.sample();
    const ViewSelection& selection = model_.selection();
    const std::size_t count = sample ? sample->viewCount() : 0;
    if (sample) {
        name_->setFullText(sampleTitle(*sample), pathText(sample->folder));
        stripHeading_->setText(tr("ALL %1 VIEWS").arg(count));
    } else {
        name_->setFullText({});
    }
    invitation_->setVisible(!sample);
    stripHeading_->setVisible(count > 0);
    stripArea_->setVisible(count > 0);
    const std::size_t slotCount = selection.views().size();
    add_->setEnabled(slotCount < std::min(kMaxInputViews, count));
    remove_->setEnabled(slotCount > kMinInputViews);
    const std::vector<CameraRow> cameras = sample ? sample->cameraRows : std::vector<CameraRow>();
    slots_->setViews(selection, images_, cameras);
    ring_->setCameras(cameras, selection);
    strip_->setViews(count, selection, images_);
    setTurning(turning_);
}

}  // namespace threefold::ui
