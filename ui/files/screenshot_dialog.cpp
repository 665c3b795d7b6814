#include "ui/files/screenshot_dialog.h"

#include <QBoxLayout>
#include <QButtonGroup>
#include <QCheckBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QRadioButton>
#include <QSettings>
#include <QSpinBox>

#include "ui/style/widgets.h"

namespace threefold::ui {
namespace {

const QString kSizeKey = QStringLiteral("files/screenshotSize");
const QString kPixelsKey = QStringLiteral("files/screenshotPixels");
const QString kLabelledKey = QStringLiteral("files/screenshotLabelled");
const QString kTransparentKey = QStringLiteral("files/screenshotTransparent");

/// Ids of the choices of a size; any positive id is a multiple of the panes' size.
constexpr int kExact = 0;
constexpr int kWindow = -2;
constexpr int kDefault = 2;

QSpinBox* sideBox(int value, const QString& name, QWidget* parent) {
    auto* box = new QSpinBox(parent);
    box->setRange(1, ScreenshotDialog::kMaxPictureSide);
    box->setValue(value);
    box->setSuffix(QStringLiteral(" px"));
    box->setAccessibleName(name);
    return box;
}

}  // namespace

ScreenshotDialog::ScreenshotDialog(QSize panes, QSettings& settings, QWidget* parent)
    : QDialog(parent),
      panes_(panes.expandedTo({1, 1})),
      settings_(settings),
      sizes_(new QButtonGroup(this)),
      transparent_(new QCheckBox(tr("&Transparent background"), this)),
      labelled_(new QCheckBox(tr("&Legend, titles and scale"), this)),
      outcome_(roleLabel("muted", this)) {
    setWindowTitle(tr("Screenshot"));
    setModal(false);
    auto* column = columnOf({}, 8, {16, 16, 16, 16});
    setLayout(column);
    addSizes(*column);
    column->addWidget(transparent_);
    labelled_->setToolTip(
        tr("The panes' titles, a scale bar and the legend of the colours are "
           "drawn into the picture"));
    column->addWidget(labelled_);
    column->addWidget(outcome_);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    buttons->addButton(tr("Save as…"), QDialogButtonBox::AcceptRole)->setDefault(true);
    column->addWidget(buttons);

    QAbstractButton* last = sizes_->button(settings_.value(kSizeKey, kDefault).toInt());
    (last != nullptr ? last : sizes_->button(kDefault))->setChecked(true);
    labelled_->setChecked(settings_.value(kLabelledKey).toBool());
    transparent_->setChecked(settings_.value(kTransparentKey).toBool());
    setTabOrder(sizes_->buttons().last(), width_);
    setTabOrder(width_, height_);
    setTabOrder(height_, transparent_);
    setTabOrder(transparent_, labelled_);
    setTabOrder(labelled_, buttons);
    sizes_->checkedButton()->setFocus();
    connect(sizes_, &QButtonGroup::idToggled, this, &ScreenshotDialog::refresh);
    for (QSpinBox* box : {width_, height_})
        connect(box, &QSpinBox::valueChanged, this, &ScreenshotDialog::refresh);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(this, &QDialog::accepted, this, &ScreenshotDialog::saveChoice);
    refresh();
}

void ScreenshotDialog::addSizes(QBoxLayout& column) {
    const QSize exact = settings_.value(kPixelsKey, panes_).toSize();
    width_ = sideBox(exact.width(), tr("Width in pixels"), this);
    height_ = sideBox(exact.height(), tr("Height in pixels"), this);
    const std::pair<int, QString> choices[] = {{1, tr("Panes at &1×")},
                                               {2, tr("Panes at &2×")},
                                               {4, tr("Panes at &4×")},
                                               {kExact, tr("Panes at e&xactly")},
                                               {kWindow, tr("The whole &window")}};
    for (const auto& [id, name] : choices) {
        auto* button = new QRadioButton(name, this);
        sizes_->addButton(button, id);
        if (id != kExact) {
            column.addWidget(button);
            continue;
        }
        column.addLayout(
            rowOf({button, width_, new QLabel(QStringLiteral("×"), this), height_, stretch()}, 6));
    }
}

ScreenshotChoice ScreenshotDialog::choice() const {
    ScreenshotChoice choice;
    const int size = sizes_->checkedId();
    choice.wholeWindow = size == kWindow;
    choice.pixels = size > 0 ? panes_ * size : QSize(width_->value(), height_->value());
    choice.transparent = transparent_->isChecked();
    choice.labelled = labelled_->isChecked();
    return choice;
}

void ScreenshotDialog::setPanes(QSize panes) {
    panes_ = panes.expandedTo({1, 1});
    refresh();
}

void ScreenshotDialog::refresh() {
    const ScreenshotChoice chosen = choice();
    const bool exact = sizes_->checkedId() == kExact;
    width_->setEnabled(exact);
    height_->setEnabled(exact);
    transparent_->setEnabled(!chosen.wholeWindow);
    labelled_->setEnabled(!chosen.wholeWindow);
    outcome_->setText(
        chosen.wholeWindow
            ? tr("PNG, as on the screen")
            : tr("PNG, %1 × %2 pixels").arg(chosen.pixels.width()).arg(chosen.pixels.height()));
}

void ScreenshotDialog::saveChoice() {
    settings_.setValue(kSizeKey, sizes_->checkedId());
    settings_.setValue(kPixelsKey, QSize(width_->value(), height_->value()));
    settings_.setValue(kLabelledKey, labelled_->isChecked());
    settings_.setValue(kTransparentKey, transparent_->isChecked());
}

}  // namespace threefold::ui
