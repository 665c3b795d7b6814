#include "ui/figure/figure_dialog.h"

#include <algorithm>
#include <iterator>

#include <QFormLayout>

#include "ui/figure/figure_content.h"
#include "ui/results/mesh_morph.h"
#include "ui/style/elided_label.h"
#include "ui/style/number_format.h"
#include "ui/style/theme.h"
#include "ui/style/widgets.h"

namespace threefold::ui {
namespace {

constexpr int kPreviewSide = 1400;  // the longer side, pixels

int rowsWith(const FigurePage& page, MeshId column) {
    return static_cast<int>(std::ranges::count_if(page.rows, [&](const FigureRow& row) {
        return row.has(column) &&
               !(column == MeshId::firstPublished && row.result->morph.hasOnePublished());
    }));
}

}  // namespace

FigureDialog::FigureDialog(FigurePage page, QThreadPool& thread, QWidget* parent)
    : QDialog(parent),
      page_(std::move(page)),
      thread_(thread),
      width_(new QSpinBox(this)),
      background_(named(new QComboBox(this), "background")),
      picture_(new QLabel(this)),
      note_(roleLabel("muted", this)),
      save_(named(new QPushButton(tr("&Save…"), this), "save")),
      cache_(std::make_shared<FigureCache>()) {
    setObjectName(QStringLiteral("figureDialog"));
    setWindowTitle(tr("Export a figure"));
    setModal(false);
    layOut();
    connectChoices();
    draw();
}

QBoxLayout* FigureDialog::makeColumnBoxes() {
    QBoxLayout* columns = columnOf({}, 4);
    for (const MeshId column : figureColumns()) {
        const int rows = rowsWith(page_, column);
        if (rows == 0) continue;
        const int all = static_cast<int>(page_.rows.size());
        const QString title = column == MeshId::photograph
                                  ? tr("Photograph")
                                  : meshTitle(page_.rows.front().result->morph, column);
        auto* box = new QCheckBox(
            rows == all ? title : tr("%1 (%2 of %3 results)").arg(title).arg(rows).arg(all), this);
        box->setChecked(true);
        columns->addWidget(box);
        columns_[column] = box;
    }
    return columns;
}

void FigureDialog::layOut() {
    constexpr int kMinMillimetres = 40;
    constexpr int kMaxMillimetres = 1000;
    width_->setRange(kMinMillimetres, kMaxMillimetres);
    width_->setSuffix(tr(" mm"));
    width_->setValue(qRound(page_.widthMillimetres));
    background_->addItems({tr("White"), tr("Transparent"), tr("As in the window")});
    auto* form = new QFormLayout;
    QStringList rows;
    for (const FigureRow& row : page_.rows)
        if (row.result) rows << sampleTitle(*row.result->sample);
    auto* results = new ElidedLabel(this);
    results->setFullText(
        tr("%1: %2").arg(groupedCount(std::ssize(page_.rows)), rows.join(QStringLiteral(", "))),
        tr("The figure has a row for each pinned result, or for each recent result if none is "
           "pinned:\n%1")
            .arg(rows.join('\n')));
    form->addRow(tr("Results"), results);
    form->addRow(tr("Columns"), makeColumnBoxes());
    form->addRow(tr("&Width"), width_);
    form->addRow(tr("&Background"), background_);
    picture_->setAlignment(Qt::AlignCenter);
    picture_->setMinimumSize(320, 240);
    picture_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    picture_->setAccessibleName(tr("Preview of the figure"));
    note_->setWordWrap(true);
    auto* cancel = new QPushButton(tr("Close"), this);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    save_->setDefault(true);
    QBoxLayout* side = columnOf({form, note_}, 16);
    side->addStretch(1);
    setLayout(columnOf({rowOf({side, stretched(picture_)}, 16), rowOf({stretch(), save_, cancel})},
                       16, {16, 16, 16, 16}));
    static_cast<QBoxLayout*>(layout())->setStretch(0, 1);
    resize(900, 560);
}

void FigureDialog::connectChoices() {
    constexpr int kPause = 200;  // milliseconds
    timer_.setSingleShot(true);
    timer_.setInterval(kPause);
    connect(&timer_, &QTimer::timeout, this, &FigureDialog::draw);
    connect(width_, &QSpinBox::valueChanged, this, &FigureDialog::redraw);
    connect(background_, &QComboBox::currentIndexChanged, this, &FigureDialog::redraw);
    for (const auto& [column, box] : columns_)
        connect(box, &QCheckBox::toggled, this, &FigureDialog::redraw);
    connect(save_, &QPushButton::clicked, this, [this] { Q_EMIT saveRequested(this->page()); });
}

void FigureDialog::redraw() {
    request_.cancel();
    timer_.start();
}

FigurePage FigureDialog::page() const {
    FigurePage page = page_;
    for (const auto& [column, box] : columns_)
        if (box->isChecked()) page.columns.push_back(column);
    // Puts the columns into the order of figureColumns().
    std::vector<MeshId> order = figureColumns();
    std::erase_if(order, [&](MeshId column) {
        return std::ranges::find(page.columns, column) == page.columns.end();
    });
    page.columns = order.size() == columns_.size() ? std::vector<MeshId>{} : order;
    page.widthMillimetres = width_->value();
    page.background = static_cast<FigureBackground>(background_->currentIndex());
    page.dark = themeColours(palette()).dark;
    return page;
}

void FigureDialog::draw() {
    const bool any =
        std::ranges::any_of(columns_, [](const auto& entry) { return entry.second->isChecked(); });
    save_->setEnabled(any);
    if (!any) {
        request_.cancel();
        preview_ = {};
        note_->setText(tr("Select at least one column."));
        return showPreview();
    }
    note_->setText(tr("Drawing…"));
    ++running_;
    const std::stop_token cancel = request_.restart();
    const auto showProgress = [this, cancel](double fraction) {
        if (!cancel.stop_requested())
            note_->setText(tr("Drawing… %1 %").arg(static_cast<int>(100 * fraction)));
    };
    const FigureTask task{.cancel = cancel,
                          .progress =
                              [receiver = QPointer<QObject>(this), showProgress](double fraction) {
                                  callOnGuiThread(receiver, [=] { showProgress(fraction); });
                              },
                          .cache = cache_};
    inBackground(
        this, [page = page(), task] { return figurePreview(page, kPreviewSide, task); },
        [this, cancel](const TaskResult<QImage>& outcome) {
            --running_;
            if (cancel.stop_requested()) return;
            preview_ = outcome.value.value_or(QImage());
            note_->setText(outcome.problem ? QString::fromStdString(outcome.problem->problem)
                                           : QString());
            showPreview();
        },
        "figure", thread_);
}

void FigureDialog::showPreview() {
    if (preview_.isNull()) return picture_->clear();
    const qreal ratio = devicePixelRatioF();
    QPixmap scaled = QPixmap::fromImage(
        preview_.scaled(picture_->size() * ratio, Qt::KeepAspectRatio, Qt::SmoothTransformation));
    scaled.setDevicePixelRatio(ratio);
    picture_->setPixmap(scaled);
}

void FigureDialog::resizeEvent(QResizeEvent* event) {
    QDialog::resizeEvent(event);
    showPreview();
}

}  // namespace threefold::ui
