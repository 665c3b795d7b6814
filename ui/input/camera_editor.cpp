#include "ui/input/camera_editor.h"

#include <algorithm>
#include <exception>
#include <utility>

#include <QAction>
#include <QApplication>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPointer>
#include <QThreadPool>
#include <QToolButton>
#include <QVBoxLayout>

#include "engine/error.h"
#include "engine/views/foreground.h"
#include "ui/input/input_panel.h"
#include "ui/input/own_images.h"
#include "ui/shell/actions.h"
#include "ui/shell/banner.h"
#include "ui/shell/shell.h"
#include "ui/shell/status_line.h"
#include "ui/style/image_conversion.h"
#include "ui/style/theme.h"

namespace threefold::ui {
namespace {

QToolButton* flatButton(const QString& text, const QString& tooltip, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setText(text);
    button->setToolTip(tooltip);
    button->setFocusPolicy(Qt::TabFocus);
    setRank(*button, "flat");
    return button;
}

bool samePlace(const CameraRow& a, const CameraRow& b) {
    return a.azimuth == b.azimuth && a.elevation == b.elevation && a.distance == b.distance;
}

}  // namespace

QStringList cameraWarnings(const InputState& state, const std::map<int, QImage>& images) {
    QStringList lines;
    if (!state.sample) return lines;
    const std::vector<int>& views = state.selection.views();
    const auto row = [&](int view) {
        return state.sample->cameraRows[static_cast<std::size_t>(view)];
    };
    for (std::size_t a = 0; a < views.size(); ++a) {
        for (std::size_t b = a + 1; b < views.size(); ++b) {
            if (samePlace(row(views[a]), row(views[b])))
                lines << CameraEditor::tr("Views %1 and %2 have the same camera.")
                             .arg(views[a])
                             .arg(views[b]);
        }
    }
    for (const int view : views) {
        const auto found = images.find(view);
        if (found == images.end() || found->second.isNull()) continue;
        const QImage& image = found->second;
        if (image.width() != image.height())
            lines << CameraEditor::tr("View %1 is not square: the network sees it stretched.")
                         .arg(view);
        if (!foregroundOf(fromQImage(image)))
            lines << CameraEditor::tr(
                         "View %1 has no foreground: neither transparency nor a white background.")
                         .arg(view);
    }
    return lines;
}

CameraEditor::CameraEditor(const WindowParts& parts)
    : QWidget(&parts.input),
      parts_(parts),
      toggle_(parts.actions.add(MenuName::edit, tr("&Cameras by hand"), Qt::Key_E,
                                tr("Edit the camera of each view; drag a slot to turn its camera, "
                                   "turn the wheel to move it"))),
      heading_(new QLabel(this)),
      azimuth_(field(tr("Azimuth, degrees"),
                     tr("Around the object's upright axis, degrees (drag a slot sideways)"), -360,
                     360, 1, 2)),
      elevation_(field(tr("Elevation, degrees"),
                       tr("Above the object's ground plane, degrees (drag a slot up or down)"), -89,
                       89, 1, 2)),
      distance_(field(tr("Distance"),
                      tr("From the object's centre, in ShapeNet's ratio: its renderings lie "
                         "between 0.6 and 1 (turn the wheel over a slot)"),
                      kNearestCamera, kFarthestCamera, 0.01, 3)),
      warnings_(new QLabel(this)),
      reset_(
          flatButton(tr("Reset"), tr("All cameras as they were when the item was opened"), this)),
      question_(new QWidget(this)) {
    azimuth_->setWrapping(true);
    buildRows();
    toggle_->setCheckable(true);
    hide();
    parts.input.belowSlots().addWidget(this);
    connect(toggle_, &QAction::toggled, this, [this](bool on) {
        setVisible(on);
        parts_.input.setTurning(on);
        showState();
        if (on) azimuth_->setFocus(Qt::OtherFocusReason);
    });
    for (QDoubleSpinBox* spin : {azimuth_, elevation_, distance_}) {
        connect(spin, &QDoubleSpinBox::valueChanged, this, &CameraEditor::takeFields);
    }
    connect(reset_, &QToolButton::clicked, this, &CameraEditor::reset);
    InputPanel& input = parts.input;
    connect(&input, &InputPanel::otherItemShown, this, [this] {
        opened_ = parts_.input.sample();
        question_->hide();
    });
    connect(&input, &InputPanel::stateChanged, this, &CameraEditor::showState);
    connect(&input, &InputPanel::imagesChanged, this, &CameraEditor::showState);
    opened_ = input.sample();
}

QDoubleSpinBox* CameraEditor::field(const QString& name, const QString& tooltip, double lowest,
                                    double highest, double step, int decimals) {
    auto* spin = new QDoubleSpinBox(this);
    spin->setDecimals(decimals);
    spin->setRange(lowest, highest);
    spin->setSingleStep(step);
    spin->setAccelerated(true);
    spin->setAccessibleName(name);
    spin->setToolTip(tooltip);
    spin->setFont(numberFont(spin->font()));
    spin->setAlignment(Qt::AlignRight);
    spin->installEventFilter(this);
    for (auto* edit : spin->findChildren<QWidget*>()) edit->installEventFilter(this);
    return spin;
}

void CameraEditor::buildRows() {
    setRank(*heading_, "heading");
    warnings_->setWordWrap(true);
    warnings_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* load =
        flatButton(tr("Load…"), tr("Take the cameras from a rendering_metadata.txt"), this);
    auto* save =
        flatButton(tr("Save…"),
                   tr("Write rendering_metadata.txt beside the images: the folder is a sample "
                      "from then on"),
                   this);
    connect(load, &QToolButton::clicked, this, &CameraEditor::askForFile);
    connect(save, &QToolButton::clicked, this, [this] { this->save(false); });

    auto* form = new QFormLayout;
    form->setContentsMargins(0, 0, 0, 0);
    form->setHorizontalSpacing(12);
    form->setVerticalSpacing(4);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    const auto addRow = [&](const QString& text, QWidget* spin) {
        auto* label = new QLabel(text, this);
        label->setBuddy(spin);
        setRank(*label, "muted");
        form->addRow(label, spin);
    };
    addRow(tr("Azimuth °"), azimuth_);
    addRow(tr("Elevation °"), elevation_);
    addRow(tr("Distance"), distance_);

    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(4);
    buttons->addWidget(reset_);
    buttons->addStretch(1);
    buttons->addWidget(load);
    buttons->addWidget(save);

    auto* text = new QLabel(tr("rendering_metadata.txt is there already."), question_);
    text->setWordWrap(true);
    text->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* replace = flatButton(tr("Replace"), tr("Write the new cameras in its place"), question_);
    auto* keep = flatButton(tr("Keep"), tr("Leave the file as it is"), question_);
    connect(replace, &QToolButton::clicked, this, [this] { this->save(true); });
    connect(keep, &QToolButton::clicked, question_, &QWidget::hide);
    auto* answers = new QHBoxLayout(question_);
    answers->setContentsMargins(0, 0, 0, 0);
    answers->setSpacing(4);
    answers->addWidget(text, 1);
    answers->addWidget(replace);
    answers->addWidget(keep);
    question_->hide();

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 8, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(heading_);
    layout->addLayout(form);
    layout->addWidget(warnings_);
    layout->addLayout(buttons);
    layout->addWidget(question_);
}

bool CameraEditor::eventFilter(QObject* watched, QEvent* event) {
    // A field's own undo knows only its text; the window's knows the cameras.
    if (event->type() == QEvent::ShortcutOverride) {
        const auto& key = static_cast<QKeyEvent&>(*event);
        if (key.matches(QKeySequence::Undo) || key.matches(QKeySequence::Redo)) {
            event->ignore();
            return true;
        }
    }
    // Turned over an unfocused field, the wheel means the panel.
    auto* spin = qobject_cast<QDoubleSpinBox*>(watched);
    if (event->type() == QEvent::Wheel && spin != nullptr && !spin->hasFocus()) {
        event->ignore();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

QString CameraEditor::warnings() const {
    return warnings_->text();
}

void CameraEditor::takeFields() {
    const InputState& state = parts_.input.state();
    if (showing_ || !state.sample || state.selection.views().empty()) return;
    const int view = state.selection.views()[state.selection.selectedSlot()];
    CameraRow row = state.sample->cameraRows[static_cast<std::size_t>(view)];
    // Only what was changed: the others keep the digits that the fields do not show.
    const QObject* changed = sender();
    if (changed == azimuth_) row.azimuth = azimuth_->value();
    if (changed == elevation_) row.elevation = elevation_->value();
    if (changed == distance_) row.distance = distance_->value();
    parts_.input.setCamera(view, row);
}

void CameraEditor::showState() {
    if (isHidden()) return;
    const InputState& state = parts_.input.state();
    const bool usable = state.sample && !state.selection.views().empty();
    for (QWidget* part : {static_cast<QWidget*>(azimuth_), static_cast<QWidget*>(elevation_),
                          static_cast<QWidget*>(distance_)}) {
        part->setEnabled(usable);
    }
    if (!usable) {
        heading_->setText(tr("CAMERA"));
        warnings_->hide();
        return;
    }
    const int view = state.selection.views()[state.selection.selectedSlot()];
    heading_->setText(tr("CAMERA OF VIEW %1").arg(view));
    // What is changed by hand then is where the network takes the photograph to be from.
    heading_->setToolTip(state.sample->own
                             ? tr("From %1: resampled to the network's lens, looking at the object")
                                   .arg(QString::fromStdString(state.sample->own->file.string()))
                             : QString());
    const CameraRow& row = state.sample->cameraRows[static_cast<std::size_t>(view)];
    showing_ = true;
    const auto set = [](QDoubleSpinBox* spin, double value) {
        // A field that is being typed into keeps its text.
        if (qAbs(spin->value() - value) > 0.5 * qPow(10, -spin->decimals())) spin->setValue(value);
    };
    set(azimuth_, row.azimuth);
    set(elevation_, row.elevation);
    set(distance_, row.distance);
    showing_ = false;
    reset_->setEnabled(opened_ && sameItem(opened_, state.sample) &&
                       !state.sameInput({opened_, state.selection}));
    const QStringList lines = cameraWarnings(state, parts_.input.images());
    warnings_->setText(lines.join('\n'));
    warnings_->setVisible(!lines.isEmpty());
}

void CameraEditor::reset() {
    if (opened_) parts_.input.setCameras(opened_->cameraRows);
}

void CameraEditor::inBackground(std::function<std::function<void()>()> work) {
    QThreadPool::globalInstance()->start([self = QPointer(this), work = std::move(work)] {
        std::function<void()> answer;
        try {
            answer = work();
        } catch (const Error& error) {
            answer = [self, report = error.report()] { self->parts_.banner.show(report); };
        } catch (const std::exception& error) {
            answer = [self, report = ErrorReport{"", "", error.what(), ""}] {
                self->parts_.banner.show(report);
            };
        }
        QMetaObject::invokeMethod(
            qApp,
            [self, answer = std::move(answer)] {
                if (self && answer) answer();
            },
            Qt::QueuedConnection);
    });
}

void CameraEditor::save(bool replace) {
    const SampleRef sample = parts_.input.sample();
    if (!sample) return;
    question_->hide();
    inBackground([this, sample, replace]() -> std::function<void()> {
        if (!replace && hasCameraFile(*sample)) return [this] { question_->show(); };
        const std::filesystem::path file = writeCameras(*sample);
        return [this, name = QString::fromStdString(file.string())] {
            parts_.status.say(tr("Cameras written to %1").arg(name));
            Q_EMIT saved(name);
        };
    });
}

void CameraEditor::load(const std::filesystem::path& file) {
    const SampleRef sample = parts_.input.sample();
    if (!sample) return;
    inBackground([this, sample, file]() -> std::function<void()> {
        return [this, sample, rows = readCamerasFor(*sample, file)] {
            if (sameItem(sample, parts_.input.sample())) parts_.input.setCameras(rows);
        };
    });
}

void CameraEditor::askForFile() {
    const SampleRef& sample = parts_.input.sample();
    if (!sample) return;
    auto* dialog = new QFileDialog(&parts_.window, tr("Take the cameras from a file"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters({tr("Cameras (*.txt)"), tr("All files (*)")});
    dialog->setDirectory(QString::fromStdString(sample->renderingFolder.string()));
    connect(dialog, &QFileDialog::fileSelected, this,
            [this](const QString& file) { load(file.toStdString()); });
    dialog->open();
}

}  // namespace threefold::ui
