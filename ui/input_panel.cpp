#include "ui/input_panel.h"

#include <QLabel>
#include <QVBoxLayout>

#include "ui/theme.h"
#include "ui/view_slots.h"
#include "ui/view_strip.h"

namespace threefold::ui {

InputPanel::InputPanel(QWidget* parent)
    : QWidget(parent),
      item_(new QLabel(this)),
      stripHeading_(new QLabel(this)),
      slots_(new ViewSlots(this)),
      strip_(new ViewStrip(this)) {
    auto* heading = new QLabel(QStringLiteral("VIEWS"), this);
    setRank(*heading, "heading");
    setRank(*item_, "muted");
    setRank(*stripHeading_, "heading");
    item_->setTextInteractionFlags(Qt::TextSelectableByMouse);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 12, 16, 16);
    layout->setSpacing(8);
    layout->addWidget(heading);
    layout->addWidget(item_);
    layout->addWidget(slots_);
    layout->addSpacing(8);
    layout->addWidget(stripHeading_);
    layout->addWidget(strip_);
    layout->addStretch(1);

    connect(slots_, &ViewSlots::slotSelected, this, [this](std::size_t slot) {
        selection_.select(slot);
        refresh();
    });
    connect(strip_, &ViewStrip::viewChosen, this, &InputPanel::choose);
    connect(&thumbnails_, &Thumbnails::ready, this,
            [this](const SampleRef& sample, int view, const QImage& image) {
                if (sample != sample_) return;
                images_[view] = image;
                refresh();
            });
    refresh();
}

void InputPanel::show(const SampleRef& sample, const ViewSelection& selection) {
    const bool other = sample != sample_;
    sample_ = sample;
    selection_ = selection;
    if (other) {
        images_.clear();
        if (sample_) thumbnails_.load(sample_, selection_.views());
    }
    refresh();
}

void InputPanel::choose(int view) {
    const ViewSelection::Outcome outcome = selection_.choose(view);
    refresh();
    if (outcome != ViewSelection::Outcome::unchanged) {
        Q_EMIT viewsChanged(selection_.views(), outcome == ViewSelection::Outcome::swapped);
    }
}

void InputPanel::refresh() {
    const std::size_t count = sample_ ? sample_->viewCount() : 0;
    if (sample_) {
        const QString category = QString::fromStdString(sample_->category);
        const QString item = QString::fromStdString(sample_->item);
        item_->setText(category.isEmpty() ? item : category + " / " + item);
        item_->setToolTip(QString::fromStdString(sample_->renderingFolder.string()));
        stripHeading_->setText(QStringLiteral("ALL %1 VIEWS").arg(count));
    } else {
        item_->setText(QStringLiteral("Open a sample, or drop its folder here."));
    }
    item_->setWordWrap(!sample_);
    stripHeading_->setVisible(count > 0);
    slots_->show(selection_, images_);
    strip_->show(count, selection_, images_);
}

}  // namespace threefold::ui
