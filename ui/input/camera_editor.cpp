#include "ui/input/camera_editor.h"

#include <cmath>

#include <QAction>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QToolButton>

#include <glm/trigonometric.hpp>

#include "ui/document/background.h"
#include "ui/input/input_panel.h"
#include "ui/input/photograph_sample.h"
#include "ui/shell/file_dialogs.h"
#include "ui/style/image_conversion.h"
#include "ui/style/path_text.h"

namespace threefold::ui {
namespace {

constexpr double kMinFocalLength = 5, kMaxFocalLength = 1000;  // mm, for a longer side of 36 mm

constexpr double kFilmSide = 36;  // mm

double focalLengthOf(const CameraRow& row) {
    if (!row.hasOwnFieldOfView()) return kFilmSide * kFocalLength / kInputSide;
    return kFilmSide / (2 * std::tan(glm::radians(row.fieldOfView) / 2));
}

void setFocalLength(CameraRow& row, double focal) {
    row.fieldOfView = glm::degrees(2 * std::atan(kFilmSide / (2 * focal)));
}

bool isSamePosition(const CameraRow& a, const CameraRow& b) {
    return a.azimuth == b.azimuth && a.elevation == b.elevation && a.distance == b.distance;
}

/// Problems of the chosen views and their cameras, one line each. `images`: the loaded thumbnails,
/// by view.
QStringList cameraWarnings(const InputState& state, const QMap<int, QImage>& images) {
    QStringList lines;
    if (!state.sample) return lines;
    const std::vector<int>& views = state.selection.views();
    const auto row = [&](int view) {
        return state.sample->cameraRows[static_cast<std::size_t>(view)];
    };
    for (std::size_t a = 0; a < views.size(); ++a) {
        for (std::size_t b = a + 1; b < views.size(); ++b) {
            if (isSamePosition(row(views[a]), row(views[b])))
                lines << CameraEditor::tr("Views %1 and %2 have the same camera.")
                             .arg(views[a])
                             .arg(views[b]);
        }
    }
    for (const int view : views) {
        const QImage image = images.value(view);
        if (image.isNull()) continue;
        if (image.width() != image.height())
            lines << CameraEditor::tr(
                         "View %1 is not square: give its focal length, or pad or crop it.")
                         .arg(view);
    }
    return lines;
}

}  // namespace

CameraEditor::CameraEditor(const FeatureContext& context, InputPanel& input)
    : QWidget(&input),
      context_(context),
      input_(input),
      toggle_(context.actions.add(
          {.menu = MenuSection::photographs,
           .text = tr("Edit &cameras"),
           .keys = Qt::Key_E,
           .tooltip = tr("Edit the camera of each view. Drag in a slot to orbit its camera; the "
                         "wheel changes the camera's distance")})),
      heading_(roleLabel("heading", this)),
      form_(new QFormLayout),
      azimuth_(named(
          addField(
              {.label = tr("Azimuth °"),
               .name = tr("Azimuth, degrees"),
               .tooltip = tr("Around the object's upright axis, degrees (drag a slot sideways)"),
               .min = -360,
               .max = 360,
               .decimals = 2}),
          "azimuth")),
      elevation_(addField(
          {.label = tr("Elevation °"),
           .name = tr("Elevation, degrees"),
           .tooltip = tr("Above the object's ground plane, degrees (drag a slot up or down)"),
           .min = -kMaxCameraElevation,
           .max = kMaxCameraElevation,
           .decimals = 2})),
      distance_(named(
          addField(
              {.label = tr("Distance"),
               .name = tr("Distance"),
               .tooltip = tr(
                   "Distance from the object's centre in ShapeNet's unit; ShapeNet's "
                   "renderings have 0.6 to 1. A photograph taken from outside this range is "
                   "scaled as if taken from 0.8. The wheel over a slot changes the distance, too"),
               .min = kMinCameraDistance,
               .max = kMaxCameraDistance,
               .step = 0.01,
               .decimals = 3}),
          "distance")),
      focalLength_(named(
          addField(
              {.label = tr("Focal length mm"),
               .name = tr("Focal length, millimetres"),
               .tooltip =
                   tr("Focal length for a longer side of 36 mm. At 3:2 enter the camera's \"35 mm "
                      "equivalent\", which is defined by the diagonal; at 4:3 enter 4 % more. "
                      "The photograph is resampled to the network's lens of 39.9 mm"),
               .min = kMinFocalLength,
               .max = kMaxFocalLength}),
          "focalLength")),
      roll_(named(
          addField({.label = tr("Roll °"),
                    .name = tr("Roll, degrees"),
                    .tooltip = tr("Roll of the camera, anticlockwise; the photograph is rotated "
                                  "back by this angle"),
                    .min = -180,
                    .max = 180}),
          "roll")),
      warnings_(new QLabel(this)),
      reset_(flatButton(tr("Reset"), tr("Restore all cameras as the sample was opened"), this)),
      question_(new QWidget(this)) {
    azimuth_->setWrapping(true);
    roll_->setWrapping(true);
    buildRows();
    toggle_->setCheckable(true);
    hide();
    input.addBelowSlots(*this);
    connectFields();
    sampleAsOpened_ = input.model().sample();
}

void CameraEditor::connectFields() {
    connect(toggle_, &QAction::toggled, this, [this](bool on) {
        setVisible(on);
        input_.setTurning(on);
        refresh();
        if (on) azimuth_->setFocus(Qt::OtherFocusReason);
    });
    for (const Field& field : fields())
        connect(field.spin, &QDoubleSpinBox::valueChanged, this, &CameraEditor::applyFields);
    connect(reset_, &QToolButton::clicked, this, &CameraEditor::reset);
    connect(&input_.model(), &InputModel::sampleChanged, this, [this] {
        sampleAsOpened_ = input_.model().sample();
        question_->hide();
    });
    connect(&input_.model(), &InputModel::stateChanged, this, &CameraEditor::refresh);
    connect(&input_, &InputPanel::imagesChanged, this, &CameraEditor::refresh);
}

QDoubleSpinBox* CameraEditor::addField(const FieldOptions& options) {
    QLabel* caption = roleLabel("muted", this, options.label);
    auto* spin = new QDoubleSpinBox(this);
    caption->setBuddy(spin);
    form_->addRow(caption, spin);
    spin->setDecimals(options.decimals);
    spin->setRange(options.min, options.max);
    spin->setSingleStep(options.step);
    spin->setAccelerated(true);
    spin->setFocusPolicy(Qt::StrongFocus);  // focus by click and Tab, not by the wheel
    spin->setAccessibleName(options.name);
    spin->setToolTip(options.tooltip);
    spin->setFont(numberFont(spin->font()));
    spin->setAlignment(Qt::AlignRight);
    spin->installEventFilter(this);
    for (auto* edit : spin->findChildren<QWidget*>()) edit->installEventFilter(this);
    return spin;
}

void CameraEditor::buildRows() {
    warnings_->setWordWrap(true);
    warnings_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* load =
        flatButton(tr("Load…"), tr("Load the cameras from a rendering_metadata.txt"), this);
    auto* save = flatButton(tr("Save…"),
                            tr("Write rendering_metadata.txt next to the images, which makes the "
                               "folder a sample"),
                            this);
    connect(load, &QToolButton::clicked, this, &CameraEditor::askForCameras);
    connect(save, &QToolButton::clicked, this, [this] { this->save(false); });

    form_->setContentsMargins(0, 0, 0, 0);
    form_->setHorizontalSpacing(12);
    form_->setVerticalSpacing(4);
    form_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);

    auto* text = new QLabel(tr("rendering_metadata.txt already exists."), question_);
    text->setWordWrap(true);
    text->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* replace =
        flatButton(tr("Replace"), tr("Overwrite the file with these cameras"), question_);
    auto* keep = flatButton(tr("Keep"), tr("Leave the file as it is"), question_);
    connect(replace, &QToolButton::clicked, this, [this] { this->save(true); });
    connect(keep, &QToolButton::clicked, question_, &QWidget::hide);
    question_->setLayout(rowOf({stretched(text), replace, keep}, 4));
    question_->hide();
    setLayout(
        columnOf({heading_, form_, warnings_, rowOf({reset_, stretch(), load, save}, 4), question_},
                 8, {0, 8, 0, 0}));
}

bool CameraEditor::eventFilter(QObject* watched, QEvent* event) {
    // Undo and redo belong to the window, not to the field's text.
    if (event->type() == QEvent::ShortcutOverride) {
        const auto& key = static_cast<QKeyEvent&>(*event);
        if (key.matches(QKeySequence::Undo) || key.matches(QKeySequence::Redo)) {
            event->ignore();
            return true;
        }
    }
    // The wheel scrolls the panel, whatever field is under the pointer.
    if (event->type() == QEvent::Wheel) {
        event->ignore();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

std::vector<CameraEditor::Field> CameraEditor::fields() const {
    const auto field = [](QDoubleSpinBox* spin, double CameraRow::*member) {
        return Field{spin, std::mem_fn(member),
                     [member](CameraRow& row, double value) { row.*member = value; }};
    };
    Field azimuth = field(azimuth_, &CameraRow::azimuth);
    // Files may have angles beyond the field's range.
    azimuth.value = [](const CameraRow& row) {
        return std::abs(row.azimuth) <= 360 ? row.azimuth : wrappedDegrees(row.azimuth);
    };
    return {azimuth, field(elevation_, &CameraRow::elevation),
            field(distance_, &CameraRow::distance),
            Field{focalLength_, focalLengthOf, setFocalLength},
            field(roll_, &CameraRow::inPlaneRotation)};
}

void CameraEditor::applyFields() {
    const InputState& state = input_.model().state();
    if (refreshing_ || !state.sample || state.selection.views().empty()) return;
    const int view = state.selection.views()[state.selection.selectedSlot()];
    CameraRow row = state.sample->cameraRows[static_cast<std::size_t>(view)];
    // Sets only the changed field, since the other fields keep digits that are not shown.
    for (const Field& field : fields())
        if (sender() == field.spin) field.set(row, field.spin->value());
    input_.model().setCamera(view, row);
}

void CameraEditor::refresh() {
    if (isHidden()) return;
    const InputState& state = input_.model().state();
    const bool usable = state.sample && !state.selection.views().empty();
    // A camera file fixes lens and roll.
    const bool fromFile = usable && state.sample->photos;
    for (const Field& field : fields())
        field.spin->setEnabled(usable &&
                               !(fromFile && (field.spin == focalLength_ || field.spin == roll_)));
    if (!usable) {
        heading_->setText(tr("CAMERA"));
        warnings_->hide();
        return;
    }
    const int view = state.selection.views()[state.selection.selectedSlot()];
    heading_->setText(tr("CAMERA OF VIEW %1").arg(view));
    // The shown camera is that of the resampled picture, not the camera in the file.
    heading_->setToolTip(state.sample->photos
                             ? tr("From %1. Camera of the resampled picture: it points at the "
                                  "object's centre, and the object is scaled to the size of the "
                                  "training objects")
                                   .arg(pathText(state.sample->photos->file))
                             : QString());
    const CameraRow& row = state.sample->cameraRows[static_cast<std::size_t>(view)];
    refreshing_ = true;
    for (const Field& field : fields()) {
        // A field in which the user types keeps its text.
        const double value = field.value(row);
        if (qAbs(field.spin->value() - value) > 0.5 * qPow(10, -field.spin->decimals()))
            field.spin->setValue(value);
    }
    refreshing_ = false;
    reset_->setEnabled(sampleAsOpened_ && isSameSample(sampleAsOpened_, state.sample) &&
                       !isSameInput(state, {sampleAsOpened_, state.selection}));
    const QStringList lines = cameraWarnings(state, input_.images());
    warnings_->setText(lines.join('\n'));
    warnings_->setVisible(!lines.isEmpty());
}

void CameraEditor::reset() {
    if (sampleAsOpened_) input_.model().setCameras(sampleAsOpened_->cameraRows);
}

void CameraEditor::save(bool replace) {
    const SampleRef sample = input_.model().sample();
    if (!sample) return;
    question_->hide();
    inBackground(
        this,
        [sample, replace] {
            return replace || !hasCameraFile(*sample) ? writeCameras(*sample)
                                                      : std::filesystem::path();
        },
        [this](const std::filesystem::path& file) {
            if (file.empty()) return question_->show();
            const QString name = pathText(file);
            context_.status.showMessage(tr("Saved %1").arg(name));
            Q_EMIT saved(name);
        },
        [this](const ErrorReport& report) { context_.banner.show(report); });
}

void CameraEditor::load(const std::filesystem::path& file) {
    const SampleRef sample = input_.model().sample();
    if (!sample) return;
    inBackground(
        this, [sample, file] { return readCamerasFor(*sample, file); },
        [this, sample](const std::vector<CameraRow>& rows) {
            if (isSameSample(sample, input_.model().sample())) input_.model().setCameras(rows);
        },
        [this](const ErrorReport& report) { context_.banner.show(report); });
}

void CameraEditor::askForCameras() {
    const SampleRef& sample = input_.model().sample();
    if (!sample) return;
    askForFile({.parent = context_.window,
                .title = tr("Load cameras from a file"),
                .filters = {tr("Cameras (*.txt)"), tr("All files (*)")},
                .folder = pathText(sample->folder)},
               *this, [this](const std::filesystem::path& file) { load(file); });
}

CameraEditor& addCameraEditor(const FeatureContext& context, InputPanel& input) {
    return *new CameraEditor(context, input);
}

}  // namespace threefold::ui
