#include "ui/batch/batch_dialog.h"

#include <algorithm>

#include <QDialogButtonBox>
#include <QFileInfo>

#include "engine/views/network_input.h"
#include "ui/batch/batch_column_text.h"
#include "ui/batch/batch_columns.h"
#include "ui/document/background.h"
#include "ui/shell/file_dialogs.h"
#include "ui/style/path_text.h"
#include "ui/style/theme.h"
#include "ui/style/widgets.h"

namespace threefold::ui {
namespace {

enum class ProtocolChoice { published, surface, both };
enum class FitViewsChoice { none, chosen, all, number };

/// Adds an entry that stands for `value`, an enumerator.
template <class Choice>
void addChoice(QComboBox& box, Choice value, const QString& text) {
    box.addItem(text, static_cast<int>(value));
}
/// The value of the current entry, added by addChoice().
template <class Choice>
Choice choiceOf(const QComboBox& box) {
    return static_cast<Choice>(box.currentData().toInt());
}

std::filesystem::path pathIn(const QLineEdit& field) {
    return field.text().trimmed().toStdString();
}

QString nameOf(const std::filesystem::path& path) {
    const std::filesystem::path folder = path.has_filename() ? path : path.parent_path();
    return fileName(folder);
}

}  // namespace

BatchDialog::BatchDialog(QSettings& settings, QWidget* parent)
    : QDialog(parent),
      settings_(settings),
      source_(new QLineEdit(this)),
      images_(new QLineEdit(this)),
      truths_(new QLineEdit(this)),
      protocol_(named(new QComboBox(this), "protocol")),
      earthMovers_(new QCheckBox(tr("&Earth mover's distance too (seconds per sample)"), this)),
      fit_(named(new QComboBox(this), "fit")),
      fitNumber_(named(new QSpinBox(this), "fitNumber")),
      fitSurface_(named(new QComboBox(this), "fitSurface")),
      views_(named(new QLineEdit(this), "views")),
      output_(named(new QLineEdit(this), "output")),
      note_(roleLabel("muted", this)),
      overwrite_(named(new QCheckBox(tr("&Start over and delete its results"), this), "overwrite")),
      meshes_(new QCheckBox(tr("Save &meshes too, as OBJ and XYZ"), this)) {
    setWindowTitle(tr("Batch evaluation"));
    setModal(false);
    auto* form = new QFormLayout(this);
    form->setContentsMargins(16, 16, 16, 16);
    form->setVerticalSpacing(8);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    addSamples(*form);
    addMeasures(*form);
    addOutput(*form);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    accept_ = named(buttons->addButton(tr("Evaluate"), QDialogButtonBox::AcceptRole), "evaluate");
    accept_->setDefault(true);
    form->addRow(buttons);
    // Qt would align labels that are much less high than their fields to the top of the row.
    for (int row = 0; row < form->rowCount(); ++row) {
        const QLayoutItem* label = form->itemAt(row, QFormLayout::LabelRole);
        if (label != nullptr && label->widget() != nullptr)
            label->widget()->setMinimumHeight(protocol_->sizeHint().height());
    }
    setMinimumWidth(560);
    meshes_->setChecked(true);
    restore();

    connectFields();
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(this, &QDialog::accepted, this, &BatchDialog::saveChoices);
    ++requestedCheck_;
    checkOutput();
    refresh();
}

void BatchDialog::connectFields() {
    checkTimer_.setSingleShot(true);
    connect(&checkTimer_, &QTimer::timeout, this, &BatchDialog::checkOutput);
    connect(output_, &QLineEdit::textChanged, this, [this] {
        ++requestedCheck_;
        foundRun_.reset();
        problem_.clear();
        checkTimer_.start(200);
        refresh();
    });
    connect(source_, &QLineEdit::textChanged, this, &BatchDialog::refresh);
    connect(overwrite_, &QCheckBox::toggled, this, &BatchDialog::refresh);
    connect(protocol_, &QComboBox::currentIndexChanged, this, &BatchDialog::refresh);
    connect(fit_, &QComboBox::currentIndexChanged, this, &BatchDialog::refresh);
    connect(views_, &QLineEdit::textChanged, this, &BatchDialog::refresh);
}

QWidget* BatchDialog::fileField(QLineEdit& field, bool allowsList, const QString& title) {
    auto* container = new QWidget(this);
    auto* row = rowOf({stretched(&field)});
    container->setLayout(row);
    field.setAccessibleName(title);
    const auto addButton = [&](const QString& text, bool asList) {
        auto* button = new QToolButton(container);
        button->setText(text);
        button->setAccessibleName(text + QStringLiteral(" ") + title);
        button->setFocusPolicy(Qt::TabFocus);
        row->addWidget(button);
        connect(button, &QToolButton::clicked, this,
                [this, &field, asList, title] { browse(field, asList, title); });
    };
    if (allowsList) addButton(tr("List…"), true);
    addButton(tr("Folder…"), false);
    container->setFocusProxy(&field);
    return container;
}

void BatchDialog::addSamples(QFormLayout& form) {
    source_->setPlaceholderText(tr("a test list (.txt) or a folder of samples"));
    source_->setToolTip(tr("A list has one sample per line, such as 02691156_p0001_00.dat"));
    form.addRow(tr("S&amples"), fileField(*source_, true, tr("Samples to evaluate")));
    images_->setPlaceholderText(tr("next to the list, otherwise the data set on the left"));
    images_->setToolTip(tr("The folder with the listed samples, such as ShapeNetRendering"));
    form.addRow(tr("I&mages"), fileField(*images_, false, tr("Folder of the images")));
    truths_->setPlaceholderText(tr("in the gt folder next to the images"));
    truths_->setToolTip(tr("The folder with the ground truth files"));
    form.addRow(tr("&Truths"), fileField(*truths_, false, tr("Folder of the truths")));
}

void BatchDialog::addMeasures(QFormLayout& form) {
    addChoice(*protocol_, ProtocolChoice::published,
              tr("Published: vertices against the truth's points"));
    addChoice(*protocol_, ProtocolChoice::surface, tr("Surface: 10 000 points of each surface"));
    addChoice(*protocol_, ProtocolChoice::both, tr("Both"));
    form.addRow(tr("&Protocol"), protocol_);
    form.addRow(QString(), earthMovers_);
    views_->setPlaceholderText(
        tr("default: 0, 6, 7 of renderings; of photographs, views far apart"));
    views_->setToolTip(tr("Numbers of the views that the network sees, such as 0, 6, 7"));
    form.addRow(tr("&Views"), views_);
    addChoice(*fit_, FitViewsChoice::none, tr("No fit (as published)"));
    addChoice(*fit_, FitViewsChoice::chosen, tr("To the chosen views"));
    addChoice(*fit_, FitViewsChoice::all, tr("To all views of each sample"));
    addChoice(*fit_, FitViewsChoice::number, tr("To a number of views"));
    fit_->setToolTip(
        tr("After the network, move each mesh until its silhouette agrees with the "
           "photographs. The fitted meshes get columns of their own, which are not comparable with "
           "published numbers"));
    fitNumber_->setRange(1, 999);
    fitNumber_->setValue(8);
    fitNumber_->setToolTip(tr("Views to fit to, spread evenly over those of each sample"));
    fitNumber_->setAccessibleName(tr("Number of views to fit to"));
    auto* fit = new QWidget(this);
    fit->setLayout(rowOf({stretched(fit_), fitNumber_}));
    fit->setFocusProxy(fit_);
    fit_->setAccessibleName(tr("Fit to photographs"));
    form.addRow(tr("&Fit"), fit);
    addChoice(*fitSurface_, FitSource::automatic,
              tr("Automatic: network or hull, whichever agrees better"));
    addChoice(*fitSurface_, FitSource::depth, tr("Depth from photographs"));
    addChoice(*fitSurface_, FitSource::hull, tr("Hull"));
    addChoice(*fitSurface_, FitSource::network, tr("Network"));
    fitSurface_->setToolTip(
        tr("Automatic: with six photographs or more, whichever agrees better with photographs left "
           "out"));
    form.addRow(tr("&Surface of the fit"), fitSurface_);
}

void BatchDialog::addOutput(QFormLayout& form) {
    output_->setPlaceholderText(tr("none (results are not saved)"));
    output_->setToolTip(
        tr("Folder for report.html, metrics_results.csv, the journal and the other files that "
           "`threefold eval` writes. An unfinished evaluation in this folder is continued"));
    form.addRow(tr("&Output"), fileField(*output_, false, tr("Folder for the results")));
    note_->setWordWrap(true);
    form.addRow(QString(), note_);
    form.addRow(QString(), overwrite_);
    form.addRow(QString(), meshes_);
}

void BatchDialog::browse(QLineEdit& field, bool list, const QString& title) {
    const FileDialogOptions options{
        .parent = *this,
        .title = title,
        .filters = list ? QStringList{tr("Test lists (*.txt)")} : QStringList(),
        .folder = field.text().isEmpty() ? QString() : QFileInfo(field.text()).absolutePath()};
    const auto ask = list ? askForFile : askForFolder;
    ask(options, field,
        [&field](const std::filesystem::path& chosen) { field.setText(pathText(chosen)); });
}

std::vector<BatchDialog::Setting> BatchDialog::settings() const {
    return {{"batch/source", source_, "text"},
            {"batch/images", images_, "text"},
            {"batch/truths", truths_, "text"},
            {"batch/protocol", protocol_, "currentIndex"},
            {"batch/earthMovers", earthMovers_, "checked"},
            {"batch/fit", fit_, "currentIndex"},
            {"batch/fitNumber", fitNumber_, "value"},
            {"batch/fitFrom", fitSurface_, "currentIndex"},  // the key of earlier versions
            {"batch/views", views_, "text"},
            {"batch/output", output_, "text"},
            {"batch/meshes", meshes_, "checked"}};
}

void BatchDialog::restore() {
    for (const Setting& setting : settings()) {
        const QVariant value = settings_.value(setting.key);
        if (value.isValid()) setting.field->setProperty(setting.property, value);
    }
    for (QComboBox* box : {protocol_, fit_, fitSurface_})
        box->setCurrentIndex(qMax(0, box->currentIndex()));
}

void BatchDialog::saveChoices() {
    for (const Setting& setting : settings())
        settings_.setValue(setting.key, setting.field->property(setting.property));
}

std::optional<FitRequest> BatchDialog::chosenFit() const {
    switch (choiceOf<FitViewsChoice>(*fit_)) {
        case FitViewsChoice::none:
            return std::nullopt;
        case FitViewsChoice::chosen:
            return FitRequest{FitViews{FitViews::Kind::chosen}};
        case FitViewsChoice::all:
            return FitRequest{FitViews{FitViews::Kind::all}};
        case FitViewsChoice::number:
            return FitRequest{
                FitViews{FitViews::Kind::count, static_cast<std::size_t>(fitNumber_->value())}};
    }
    return std::nullopt;
}

std::optional<std::vector<int>> BatchDialog::chosenViews() const {
    std::vector<int> views;
    const QString text = views_->text().trimmed();
    if (text.isEmpty()) return views;
    for (const QString& part : text.split(',')) {
        bool isNumber = false;
        const int view = part.trimmed().toInt(&isNumber);
        if (!isNumber || view < 0 || std::ranges::count(views, view) > 0) return std::nullopt;
        views.push_back(view);
    }
    return views.size() >= kMinInputViews && views.size() <= kMaxInputViews ? std::optional(views)
                                                                            : std::nullopt;
}

BatchPlan BatchDialog::plan() const {
    BatchPlan plan;
    plan.source = pathIn(*source_);
    plan.name = nameOf(plan.source);
    plan.imageRoot = pathIn(*images_);
    plan.truthRoot = pathIn(*truths_);
    const auto protocol = choiceOf<ProtocolChoice>(*protocol_);
    plan.choices.measures.protocols.clear();
    if (protocol != ProtocolChoice::surface)
        plan.choices.measures.protocols.push_back(Protocol::published);
    if (protocol != ProtocolChoice::published)
        plan.choices.measures.protocols.push_back(Protocol::surface);
    plan.choices.measures.earthMovers = earthMovers_->isChecked();
    plan.choices.fit = chosenFit();
    // The source is always set, as it is in the journals that `eval` writes.
    if (plan.choices.fit) plan.choices.fit->source = choiceOf<FitSource>(*fitSurface_);
    plan.choices.measures.views = chosenViews().value_or(std::vector<int>());
    plan.output = pathIn(*output_);
    plan.overwrite = !plan.output.empty() && overwrite_->isChecked() && !overwrite_->isHidden();
    plan.meshes = !plan.output.empty() && meshes_->isChecked();
    return plan;
}

// Reads the output folder in the background; only the last of several calls counts.
void BatchDialog::checkOutput() {
    inBackground(
        this,
        [folder = pathIn(*output_)] { return folder.empty() ? std::nullopt : findRun(folder); },
        [this, check = requestedCheck_](const TaskResult<std::optional<FoundRun>>& outcome) {
            if (requestedCheck_ != check) return;
            finishedCheck_ = check;
            foundRun_ = outcome.value.value_or(std::nullopt);
            problem_ =
                outcome.problem ? QString::fromStdString(outcome.problem->problem) : QString();
            if (foundRun_ && foundRun_->isLocked)
                checkTimer_.start(1000);  // until the other run has ended
            refresh();
        });
}

void BatchDialog::refresh() {
    const bool savesResults = !output_->text().trimmed().isEmpty();
    const bool hasRun = foundRun_ && !foundRun_->isLocked;
    const bool continues = hasRun && !overwrite_->isChecked();
    note_->setText(foundRun_            ? textOf(*foundRun_)
                   : problem_.isEmpty() ? QString()
                                        : tr("The folder's journal.jsonl %1").arg(problem_));
    note_->setVisible(!note_->text().isEmpty());
    overwrite_->setVisible(hasRun || !problem_.isEmpty());
    meshes_->setEnabled(savesResults && !continues);
    protocol_->setEnabled(!continues);
    earthMovers_->setEnabled(!continues);
    fit_->setEnabled(!continues);
    fitNumber_->setEnabled(!continues);
    fitNumber_->setVisible(choiceOf<FitViewsChoice>(*fit_) == FitViewsChoice::number);
    fitSurface_->setEnabled(!continues && choiceOf<FitViewsChoice>(*fit_) != FitViewsChoice::none);
    views_->setEnabled(!continues);
    const auto protocol = choiceOf<ProtocolChoice>(*protocol_);
    protocol_->setToolTip(continues ? tr("Taken from the evaluation in the output folder")
                          : protocol == ProtocolChoice::surface ? protocolMeaning(Protocol::surface)
                          : protocol == ProtocolChoice::published
                              ? protocolMeaning(Protocol::published)
                              : protocolMeaning(Protocol::published) + '\n' +
                                    protocolMeaning(Protocol::surface));
    const bool hasSource = !source_->text().trimmed().isEmpty();
    const bool isLocked = foundRun_ && foundRun_->isLocked;
    const bool broken = !problem_.isEmpty() && !overwrite_->isChecked();
    accept_->setText(continues && foundRun_->done < foundRun_->total ? tr("Continue")
                                                                     : tr("Evaluate"));
    const bool badViews = !chosenViews() && !continues;
    accept_->setEnabled(hasSource && !isLocked && !broken && !badViews);
    accept_->setToolTip(!hasSource ? tr("Choose a list or a folder first.")
                        : isLocked ? tr("Choose another output folder, or wait.")
                        : badViews ? tr("Enter %1 to %2 different view numbers, separated by "
                                        "commas, or leave the field empty.")
                                         .arg(kMinInputViews)
                                         .arg(kMaxInputViews)
                        : broken ? tr("Choose another output folder, or start over.")
                                 : QString());
    adjustSize();
}

}  // namespace threefold::ui
