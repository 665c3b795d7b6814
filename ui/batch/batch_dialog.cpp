#include "ui/batch/batch_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QSettings>
#include <QStandardPaths>
#include <QThreadPool>
#include <QToolButton>

#include "engine/error.h"
#include "ui/batch/batch_row.h"
#include "ui/style/theme.h"

namespace threefold::ui {
namespace {

const QString kSourceKey = QStringLiteral("batch/source");
const QString kImagesKey = QStringLiteral("batch/images");
const QString kTruthsKey = QStringLiteral("batch/truths");
const QString kProtocolKey = QStringLiteral("batch/protocol");
const QString kEarthMoversKey = QStringLiteral("batch/earthMovers");
const QString kOutputKey = QStringLiteral("batch/output");
const QString kMeshesKey = QStringLiteral("batch/meshes");

enum ProtocolChoice { published, surface, both };

std::filesystem::path pathIn(const QLineEdit& field) {
    return field.text().trimmed().toStdString();
}

QString nameOf(const std::filesystem::path& path) {
    const std::filesystem::path named = path.has_filename() ? path : path.parent_path();
    return QString::fromStdString(named.filename().string());
}

}  // namespace

BatchDialog::BatchDialog(QSettings& settings, QWidget* parent)
    : QDialog(parent),
      settings_(settings),
      source_(new QLineEdit(this)),
      images_(new QLineEdit(this)),
      truths_(new QLineEdit(this)),
      protocol_(new QComboBox(this)),
      earthMovers_(
          new QCheckBox(tr("&Earth mover's distance as well: takes seconds an item"), this)),
      output_(new QLineEdit(this)),
      note_(new QLabel(this)),
      again_(new QCheckBox(tr("&Begin anew: its results are removed"), this)),
      meshes_(new QCheckBox(tr("&Meshes as well, as OBJ and XYZ"), this)) {
    setWindowTitle(tr("Evaluate many"));
    setModal(false);
    auto* form = new QFormLayout(this);
    form->setContentsMargins(16, 16, 16, 16);
    form->setVerticalSpacing(8);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    addItems(*form);
    addMeasures(*form);
    addOutput(*form);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    accept_ = buttons->addButton(tr("Evaluate"), QDialogButtonBox::AcceptRole);
    accept_->setDefault(true);
    form->addRow(buttons);
    // Labels much lower than their fields are put at the top of the row: these fields are.
    for (int row = 0; row < form->rowCount(); ++row) {
        const QLayoutItem* label = form->itemAt(row, QFormLayout::LabelRole);
        if (label != nullptr && label->widget() != nullptr) {
            label->widget()->setMinimumHeight(protocol_->sizeHint().height());
        }
    }
    constexpr int kWidth = 560;
    setMinimumWidth(kWidth);
    restore();

    soon_.setSingleShot(true);
    constexpr int kRest = 200;
    soon_.setInterval(kRest);
    connect(&soon_, &QTimer::timeout, this, &BatchDialog::look);
    connect(output_, &QLineEdit::textChanged, this, [this] {
        ++asked_;
        found_.reset();
        problem_.clear();
        soon_.start();
        refresh();
    });
    connect(source_, &QLineEdit::textChanged, this, &BatchDialog::refresh);
    connect(again_, &QCheckBox::toggled, this, &BatchDialog::refresh);
    connect(protocol_, &QComboBox::currentIndexChanged, this, &BatchDialog::refresh);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(this, &QDialog::accepted, this, &BatchDialog::keep);
    ++asked_;
    look();
    refresh();
}

QWidget* BatchDialog::fileField(QLineEdit& field, bool lists, const QString& title) {
    auto* whole = new QWidget(this);
    auto* row = new QHBoxLayout(whole);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    row->addWidget(&field, 1);
    field.setAccessibleName(title);
    const auto addButton = [&](const QString& text, bool list) {
        auto* button = new QToolButton(whole);
        button->setText(text);
        button->setAccessibleName(text + QStringLiteral(" ") + title);
        button->setFocusPolicy(Qt::TabFocus);
        row->addWidget(button);
        connect(button, &QToolButton::clicked, this,
                [this, &field, list, title] { browse(field, list, title); });
    };
    if (lists) addButton(tr("List…"), true);
    addButton(tr("Folder…"), false);
    whole->setFocusProxy(&field);
    return whole;
}

void BatchDialog::addItems(QFormLayout& form) {
    source_->setPlaceholderText(tr("a test list (.txt), or a folder of items"));
    source_->setToolTip(tr("A list names one item a line, such as 02691156_p0001_00.dat"));
    form.addRow(tr("&Items"), fileField(*source_, true, tr("Items to evaluate")));
    images_->setPlaceholderText(tr("beside the list, else in the data set on the left"));
    images_->setToolTip(tr("Where a list's names are looked for: the ShapeNetRendering folder"));
    form.addRow(tr("I&mages"), fileField(*images_, false, tr("Folder of the images")));
    truths_->setPlaceholderText(tr("in the gt folder beside the images"));
    truths_->setToolTip(tr("Where the files of the ground truth are"));
    form.addRow(tr("&Truths"), fileField(*truths_, false, tr("Folder of the truths")));
}

void BatchDialog::addMeasures(QFormLayout& form) {
    protocol_->addItem(tr("Published: vertices against the truth's points"));
    protocol_->addItem(tr("Surface: 10 000 points of each surface"));
    protocol_->addItem(tr("Both"));
    form.addRow(tr("&Protocol"), protocol_);
    form.addRow(QString(), earthMovers_);
}

void BatchDialog::addOutput(QFormLayout& form) {
    output_->setPlaceholderText(tr("none: results are gone when the window closes"));
    output_->setToolTip(
        tr("For report.html, metrics_results.csv, the journal of the run and so on: the files that "
           "`threefold eval` writes. A run that is there already is gone on with"));
    form.addRow(tr("&Output"), fileField(*output_, false, tr("Folder for the results")));
    note_->setWordWrap(true);
    setRank(*note_, "muted");
    form.addRow(QString(), note_);
    form.addRow(QString(), again_);
    form.addRow(QString(), meshes_);
}

void BatchDialog::browse(QLineEdit& field, bool list, const QString& title) {
    auto* dialog = new QFileDialog(this, title);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    if (list) {
        dialog->setFileMode(QFileDialog::ExistingFile);
        dialog->setNameFilter(tr("Test lists (*.txt)"));
    } else {
        dialog->setFileMode(QFileDialog::Directory);
        dialog->setOption(QFileDialog::ShowDirsOnly);
    }
    const QString home = QStandardPaths::writableLocation(QStandardPaths::HomeLocation);
    dialog->setDirectory(field.text().isEmpty() ? home : QFileInfo(field.text()).absolutePath());
    connect(dialog, &QFileDialog::fileSelected, &field, &QLineEdit::setText);
    dialog->open();
}

void BatchDialog::setSource(const std::filesystem::path& source) {
    source_->setText(QString::fromStdString(source.string()));
}

void BatchDialog::restore() {
    source_->setText(settings_.value(kSourceKey).toString());
    images_->setText(settings_.value(kImagesKey).toString());
    truths_->setText(settings_.value(kTruthsKey).toString());
    protocol_->setCurrentIndex(qBound(0, settings_.value(kProtocolKey).toInt(), int{both}));
    earthMovers_->setChecked(settings_.value(kEarthMoversKey).toBool());
    output_->setText(settings_.value(kOutputKey).toString());
    meshes_->setChecked(settings_.value(kMeshesKey, true).toBool());
}

void BatchDialog::keep() {
    settings_.setValue(kSourceKey, source_->text());
    settings_.setValue(kImagesKey, images_->text());
    settings_.setValue(kTruthsKey, truths_->text());
    settings_.setValue(kProtocolKey, protocol_->currentIndex());
    settings_.setValue(kEarthMoversKey, earthMovers_->isChecked());
    settings_.setValue(kOutputKey, output_->text());
    settings_.setValue(kMeshesKey, meshes_->isChecked());
}

BatchPlan BatchDialog::plan() const {
    BatchPlan plan;
    plan.source = pathIn(*source_);
    plan.name = nameOf(plan.source);
    plan.imageRoot = pathIn(*images_);
    plan.truthRoot = pathIn(*truths_);
    const int protocol = protocol_->currentIndex();
    plan.choices.protocols.clear();
    if (protocol != surface) plan.choices.protocols.push_back(Protocol::published);
    if (protocol != published) plan.choices.protocols.push_back(Protocol::surface);
    plan.choices.earthMovers = earthMovers_->isChecked();
    plan.output = pathIn(*output_);
    plan.overwrite = !plan.output.empty() && again_->isChecked() && !again_->isHidden();
    plan.meshes = !plan.output.empty() && meshes_->isChecked();
    return plan;
}

QString BatchDialog::note() const {
    return note_->isHidden() ? QString() : note_->text();
}

// The window's thread reads no files; of several looks the last one counts.
void BatchDialog::look() {
    const QPointer<BatchDialog> self(this);
    QThreadPool::globalInstance()->start([self, asked = asked_, folder = pathIn(*output_)] {
        std::optional<FoundRun> found;
        QString problem;
        try {
            if (!folder.empty()) found = findRun(folder);
        } catch (const Error& error) {
            problem = QString::fromStdString(error.report().problem);
        }
        QMetaObject::invokeMethod(qApp, [self, asked, found, problem] {
            if (!self || self->asked_ != asked) return;
            self->looked_ = asked;
            self->found_ = found;
            self->problem_ = problem;
            self->refresh();
        });
    });
}

void BatchDialog::refresh() {
    const bool kept = !output_->text().trimmed().isEmpty();
    const bool there = found_ && !found_->held;
    const bool goesOn = there && !again_->isChecked();
    note_->setText(found_               ? textOf(*found_)
                   : problem_.isEmpty() ? QString()
                                        : tr("The folder's journal.jsonl %1").arg(problem_));
    note_->setVisible(!note_->text().isEmpty());
    again_->setVisible(there || !problem_.isEmpty());
    meshes_->setEnabled(kept && !goesOn);
    protocol_->setEnabled(!goesOn);
    earthMovers_->setEnabled(!goesOn);
    const int protocol = protocol_->currentIndex();
    protocol_->setToolTip(goesOn                  ? tr("The run in the output folder has its own")
                          : protocol == surface   ? protocolMeaning(Protocol::surface)
                          : protocol == published ? protocolMeaning(Protocol::published)
                                                  : protocolMeaning(Protocol::published) + '\n' +
                                                        protocolMeaning(Protocol::surface));
    const bool items = !source_->text().trimmed().isEmpty();
    const bool held = found_ && found_->held;
    const bool broken = !problem_.isEmpty() && !again_->isChecked();
    accept_->setText(goesOn && found_->done < found_->total ? tr("Go on") : tr("Evaluate"));
    accept_->setEnabled(items && !held && !broken);
    accept_->setToolTip(!items   ? tr("Choose a list or a folder first.")
                        : held   ? tr("Choose another output folder, or wait.")
                        : broken ? tr("Choose another output folder, or begin anew.")
                                 : QString());
    adjustSize();
}

}  // namespace threefold::ui
