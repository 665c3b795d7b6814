#include "ui/input/find_cameras_row.h"

#include <algorithm>
#include <memory>

#include <QBoxLayout>
#include <QLabel>
#include <QPushButton>

#include "engine/board/sheet.h"
#include "engine/photo_cameras/photo_cameras.h"
#include "ui/input/camera_editor.h"
#include "ui/input/input_panel.h"
#include "ui/input/own_images.h"
#include "ui/shell/file_dialogs.h"

namespace threefold::ui {

FindCamerasRow::FindCamerasRow(const WindowParts& parts, InputPanel& input, CameraEditor& cameras)
    : QWidget(&input),
      parts_(parts),
      input_(input),
      cameras_(cameras),
      label_(rankedLabel("muted", this)),
      button_(new QPushButton(tr("Find cameras"), this)) {
    setObjectName(QStringLiteral("boardRow"));
    setLayout(rowOf({label_, kStretch, button_}));
    input.belowSlots().insertWidget(0, this);
    hide();
    connect(button_, &QPushButton::clicked, this, &FindCamerasRow::calibrate);
    connect(&input, &InputPanel::stateChanged, this, &FindCamerasRow::follow);
    parts.actions.add(
        MenuName::file, tr("Save a &board to print…"), {},
        tr("Save the sheet of markers that photographs are taken on: it gives them their cameras"),
        this, &FindCamerasRow::saveBoard);
    connect(&parts.window, &Shell::requestBegan, this, [this] { opening_.cancel(); });
    connect(&parts.window, &Shell::requestFailed, this,
            [this](const ErrorReport&, const auto& location) { tryAsPhotographs(location); });
}

void FindCamerasRow::tryAsPhotographs(const std::filesystem::path& folder) {
    if (folder.empty()) return;
    inBackground(
        this, opening_.start(), [folder] { return photographsWithoutCameras(folder); },
        [this](const std::vector<std::filesystem::path>& images) {
            if (!images.empty()) open(images);
        },
        [](const ErrorReport&) {});  // the banner already has the report of opening it as a sample
}

void FindCamerasRow::open(const std::vector<std::filesystem::path>& images) {
    inBackground(
        this, opening_.start(), [images] { return ownSample(images); },
        [this](const OwnSample& own) {
            if (own.camerasKnown)
                return parts_.window.openSample(own.sample.renderingFolder, own.views);
            const auto sample = std::make_shared<const Sample>(own.sample);
            input_.setGuessed(sample);
            parts_.window.showInput(sample, own.views);
            parts_.status.say(tr("%1 photographs without cameras").arg(own.sample.viewCount()));
            findMarkers();
        },
        [this](const ErrorReport& report) { parts_.banner.show(report); }, "own images");
}

void FindCamerasRow::findMarkers() {
    photographs_ = input_.sample()->images;
    button_->setEnabled(false);
    label_->setText(tr("Looking for a board…"));
    show();
    const std::stop_token cancel = request_.start();
    inBackground(
        this, cancel,
        [photographs = photographs_, cancel] { return markersIn(photographs, cancel); },
        [this](const std::vector<std::size_t>& markers) { showMarkers(markers); },
        [this](const ErrorReport& report) { parts_.banner.show(report); });
}

void FindCamerasRow::showMarkers(const std::vector<std::size_t>& markers) {
    const auto boardCount =
        std::ranges::count_if(markers, [](std::size_t count) { return count > 1; });
    boardSeen_ = boardCount >= 2;
    button_->setEnabled(true);
    button_->setDefault(boardSeen_);  // the step to take next
    button_->setText(boardSeen_ ? tr("Find cameras") : tr("Turned evenly"));
    button_->setToolTip(
        (boardSeen_
             ? tr("Measure the cameras by the printed board")
             : tr("Find the cameras of an object that was turned by equal steps, or that you "
                  "walked around so, in the order of the photographs' names")) +
        tr(", cut the object out where that is not done yet, and write both beside the "
           "photographs: cameras.json and masks"));
    if (!boardSeen_) {
        label_->setText(tr("No board seen"));
        cameras_.toggle().setChecked(true);
        parts_.status.say(
            tr("No board in the photographs: set their cameras until the outline of "
               "the ellipsoid fits, then reconstruct."));
        return;
    }
    label_->setText(tr("Board in %1 of %2").arg(boardCount).arg(markers.size()));
    QStringList lines;
    for (std::size_t i = 0; i < markers.size(); ++i)
        lines << tr("%1: %2 markers").arg(fileName(photographs_[i])).arg(markers[i]);
    label_->setToolTip(lines.join('\n'));
}

void FindCamerasRow::calibrate() {
    button_->setEnabled(false);
    label_->setText(tr("Finding cameras and outlines…"));
    const auto find = [this](const auto& search, const auto& showResult) {
        const std::stop_token cancel = request_.start();
        inBackground(
            this, cancel,
            [search, photographs = photographs_, cancel] {
                return search(photographs, {}, cancel);
            },
            showResult,
            [this](const ErrorReport& report) {
                findMarkers();
                parts_.banner.show(report);
            });
    };
    if (boardSeen_) {
        find(calibrateByBoard, [this](const BoardResult& result) {
            std::vector<std::string> remarks;
            for (const BoardPhoto& photo : result.photos)
                remarks.insert(remarks.end(), {photo.problem, photo.maskError, photo.doubt});
            finish(result.file,
                   tr("Cameras of %1 of %2 photographs, %3 pixels off in the mean")
                       .arg(result.calibration.cameras.size())
                       .arg(result.photos.size())
                       .arg(result.calibration.error, 0, 'f', 2),
                   remarks);
        });
    } else {
        find(findTurntableCameras, [this](const TurntableResult& result) {
            std::vector<std::string> remarks = result.maskErrors;
            remarks.insert(remarks.end(), result.maskDoubts.begin(), result.maskDoubts.end());
            const std::vector<std::string>& doubts = result.found.doubts;
            remarks.insert(remarks.end(), doubts.begin(), doubts.end());
            finish(result.file,
                   (doubts.empty() ? tr("Cameras of %1 photographs, %2° from above")
                                   : tr("Cameras of %1 photographs, %2° from above, but not sure"))
                       .arg(result.photos.size())
                       .arg(result.found.elevation, 0, 'f', 1),
                   remarks);
        });
    }
}

void FindCamerasRow::finish(const std::filesystem::path& cameras, const QString& outcome,
                            const std::vector<std::string>& remarks) {
    photographs_.clear();
    input_.reloadImages();
    parts_.window.openSample(cameras);
    QStringList lines;
    for (const std::string& remark : remarks)
        if (!remark.empty()) lines << QString::fromStdString(remark);
    parts_.status.say(outcome, lines.join('\n'));
    if (!lines.isEmpty())
        parts_.banner.show({tr("Cameras").toStdString(), "", lines.join('\n').toStdString(), ""});
}

void FindCamerasRow::follow() {
    const SampleRef& sample = input_.sample();
    if (isHidden() || (sample && sample->images == photographs_)) return;
    request_.cancel();
    hide();
}

void FindCamerasRow::saveBoard() {
    askWhereToSave({.parent = parts_.window,
                    .title = tr("Save a board to print"),
                    .filters = {tr("PDF (*.pdf)"), tr("SVG (*.svg)")},
                    .name = QStringLiteral("board.pdf")},
                   *this, [this](const std::filesystem::path& file, const QString&) {
                       inBackground(
                           this, [file] { board::writeSheet(file, board::Paper::a4); },
                           [this, file] { parts_.status.showSavedFiles({file}); },
                           [this](const ErrorReport& report) { parts_.banner.show(report); });
                   });
}

}  // namespace threefold::ui
