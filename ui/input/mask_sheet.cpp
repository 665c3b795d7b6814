#include "ui/input/mask_sheet.h"

#include <algorithm>
#include <memory>

#include <QAction>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

#include "engine/masks/contradicting_masks.h"
#include "engine/views/foreground.h"
#include "ui/document/background.h"
#include "ui/input/input_panel.h"
#include "ui/input/photograph_viewer.h"
#include "ui/input/photographs_page.h"
#include "ui/style/image_conversion.h"
#include "ui/style/path_text.h"
#include "ui/style/theme.h"
#include "ui/style/widgets.h"

namespace threefold::ui {
namespace {

constexpr QSize kSheetPicture(160, 120);
constexpr int kFrame = 4;  // width of the frame around a picture to check, pixels

// False while the image is not loaded.
bool lacksMask(const QImage& image) {
    return !image.isNull() && !foregroundOf(fromQImage(image)).has_value();
}

QIcon framed(const QImage& picture, const QColor& colour) {
    QImage image = picture;
    QPainter painter(&image);
    painter.setPen(QPen(colour, kFrame));
    const qreal half = kFrame / 2.0;
    painter.drawRect(QRectF(image.rect()).adjusted(half, half, -half, -half));
    painter.end();
    return QIcon(QPixmap::fromImage(image));
}

}  // namespace

QImage maskPicture(const QImage& photograph, QSize size) {
    QImage picture(size, QImage::Format_RGB32);
    picture.fill(QColor(70, 90, 120));  // a colour that neither objects nor paper have
    if (photograph.isNull()) return picture;
    const QImage scaled = photograph.convertToFormat(QImage::Format_ARGB32_Premultiplied)
                              .scaled(size, Qt::KeepAspectRatio, Qt::SmoothTransformation);
    QPainter painter(&picture);
    painter.drawImage((size.width() - scaled.width()) / 2, (size.height() - scaled.height()) / 2,
                      scaled);
    return picture;
}

MaskSheet::MaskSheet(InputPanel& input, QWidget* parent)
    : QDialog(parent),
      input_(input),
      list_(named(new QListWidget(this), "masks")),
      note_(roleLabel("muted", this)) {
    setObjectName(QStringLiteral("maskSheet"));
    setWindowTitle(tr("Masks of the photographs"));
    setModal(false);
    list_->setViewMode(QListView::IconMode);
    list_->setIconSize(kSheetPicture);
    list_->setResizeMode(QListView::Adjust);
    list_->setMovement(QListView::Static);
    list_->setSpacing(8);
    list_->setUniformItemSizes(true);
    list_->setAccessibleName(tr("Photographs with their masks"));
    note_->setWordWrap(true);
    auto* close = new QPushButton(tr("Close"), this);
    close->setAutoDefault(false);
    setLayout(columnOf({note_, stretched(list_), rowOf({stretch(), close})}, 8, {16, 16, 16, 16}));
    resize(760, 560);
    connect(close, &QPushButton::clicked, this, &QDialog::close);
    connect(list_, &QListWidget::itemActivated, this,
            [this](const QListWidgetItem* item) { Q_EMIT viewChosen(list_->row(item)); });
    connect(&input, &InputPanel::imagesChanged, this, &MaskSheet::refresh);
    connect(&input.model(), &InputModel::sampleChanged, this, &QDialog::close);
    connect(&input.model(), &InputModel::stateChanged, this, [this] {
        const SampleRef& sample = input_.model().sample();
        if (sample != judgedSample_ && isSameSample(sample, judgedSample_)) judge();
    });
    judge();
}

void MaskSheet::judge() {
    const SampleRef sample = input_.model().sample();
    judgedSample_ = sample;
    contradictions_.clear();
    lowOverlap_.reset();
    judged_ = false;
    const std::stop_token cancel = judgeTask_.restart();
    inBackground(
        this, cancel, [sample, cancel] { return compareMasks(*sample, cancel); },
        [this](const MaskComparison& found) {
            for (const ContradictingMask& mask : found.contradicting)
                contradictions_[mask.view] = QString::fromStdString(mask.reason);
            if (found.disagreesAsAWhole()) lowOverlap_ = found.overlap;
            judged_ = true;
            refresh();
        },
        [this](const ErrorReport& report) {
            judged_ = true;
            refresh();
            note_->setText(QString::fromStdString(report.problem));
        });
    refresh();
}

QString MaskSheet::reasonToCheck(int view) const {
    if (const auto found = contradictions_.find(view); found != contradictions_.end())
        return found->second;
    return lacksMask(input_.images().value(view)) ? tr("still has its background") : QString();
}

void MaskSheet::refresh() {
    const SampleRef& sample = input_.model().sample();
    if (!sample) return;
    const ThemeColours colours = themeColours(palette());
    const auto count = static_cast<int>(sample->viewCount());
    while (list_->count() < count) new QListWidgetItem(list_);
    int doubtful = 0;
    for (int view = 0; view < count; ++view) {
        QListWidgetItem& item = *list_->item(view);
        const QImage picture = maskPicture(input_.images().value(view), kSheetPicture);
        const QString why = reasonToCheck(view);
        if (!why.isEmpty()) ++doubtful;
        item.setIcon(why.isEmpty() ? QIcon(QPixmap::fromImage(picture))
                                   : framed(picture, colours.bad));
        const QString name =
            tr("%1 · %2").arg(view).arg(fileName(sample->images[static_cast<std::size_t>(view)]));
        item.setText(name);
        item.setToolTip(why.isEmpty() ? name : tr("%1: %2").arg(name, why));
    }
    note_->setText(verdict(doubtful));
}

QString MaskSheet::verdict(int count) const {
    if (!judged_) return tr("Comparing the masks…");
    const QString masks =
        count == 1
            ? tr("1 mask should be checked: it is outlined in red. A double click opens it.")
            : tr("%1 masks should be checked: they are outlined in red. A double click opens one.")
                  .arg(count);
    if (!lowOverlap_)
        return count > 0 ? masks
                         : tr("No mask contradicts the others. A double click opens a "
                              "photograph, to correct its mask.");
    const QString whole =
        tr("Masks and cameras disagree as a whole: they overlap by %1 only, and %2 or more is "
           "good. Check that the cameras are right, then cut the object out again by a box.")
            .arg(*lowOverlap_, 0, 'f', 2)
            .arg(MaskComparison::kMinOverlap);
    return whole + ' ' +
           (count > 0 ? masks
                      : tr("No single mask can be blamed. A double click opens a photograph, to "
                           "correct its mask."));
}

/// Adds "Check masks…", in the menu and on the page of the photographs.
void addMaskSheet(const FeatureContext& context, InputPanel& input, PhotographsPage& page,
                  PhotographViewer& viewer) {
    struct MaskSheetFeature {
        Q_DECLARE_TR_FUNCTIONS(MaskSheetFeature)
    };
    QAction* action = context.actions.add(
        {.menu = MenuSection::photographs,
         .text = MaskSheetFeature::tr("Check &masks…"),
         .tooltip = MaskSheetFeature::tr(
             "All photographs with their masks; those that contradict the others "
             "are outlined")});
    QToolButton* button =
        flatButton(MaskSheetFeature::tr("Check masks…"), action->toolTip(), &input);
    page.maskButtons().addWidget(button);
    QObject::connect(button, &QToolButton::clicked, action, &QAction::trigger);
    QObject::connect(action, &QAction::triggered, &context.window,
                     [context, &input, &viewer, open = std::make_shared<QPointer<MaskSheet>>()] {
                         if (!input.model().sample()) return;
                         if (!*open) {
                             *open = new MaskSheet(input, &context.window);
                             (*open)->setAttribute(Qt::WA_DeleteOnClose);
                             QObject::connect(*open, &MaskSheet::viewChosen, &viewer,
                                              &PhotographViewer::enlargeView);
                         }
                         (*open)->show();
                         (*open)->raise();
                         (*open)->activateWindow();
                     });
    const auto refresh = [action, button, &input] {
        const SampleRef& sample = input.model().sample();
        action->setEnabled(sample && sample->viewCount() > 0);
        button->setVisible(sample && (sample->photos || input.model().camerasAreGuessed()));
    };
    QObject::connect(&input.model(), &InputModel::stateChanged, button, refresh);
    refresh();
}

}  // namespace threefold::ui
