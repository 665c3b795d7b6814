#include "ui/input/find_cameras_row.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>

#include <QAction>
#include <QBoxLayout>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QToolButton>

#include "engine/board/board_file.h"
#include "engine/formats/files/temporary_folder.h"
#include "engine/photo_cameras/board_photos.h"
#include "engine/photo_cameras/markerless_cameras.h"
#include "engine/photo_cameras/turntable_photos.h"
#include "ui/input/camera_editor.h"
#include "ui/input/input_panel.h"
#include "ui/shell/file_dialogs.h"
#include "ui/style/path_text.h"

namespace threefold::ui {

FindCamerasRow::FindCamerasRow(const FeatureContext& context, InputPanel& input,
                               CameraEditor& cameras, QBoxLayout& page)
    : QWidget(&input),
      context_(context),
      input_(input),
      cameras_(cameras),
      label_(roleLabel("muted", this)),
      button_(new QPushButton(tr("Find cameras"), this)),
      colmap_(new QPushButton(this)),
      otherMethods_(new QWidget(this)),
      turntableButton_(flatButton(tr("Equal turns"), {}, otherMethods_)) {
    setObjectName(QStringLiteral("findCamerasRow"));
    colmap_->setObjectName(QStringLiteral("colmap"));
    addCommands();
    turntableButton_->setToolTip(turntableTooltip());
    auto* file = flatButton(tr("From a file…"),
                            tr("Cameras of another program: COLMAP, Meshroom, Metashape, "
                               "transforms.json and others"),
                            otherMethods_);
    otherMethods_->setLayout(rowOf({turntableButton_, file, stretch()}, 4));
    // The label has a row of its own, so that the panel stays narrow.
    setLayout(columnOf({label_, rowOf({button_, colmap_, stretch()}), otherMethods_}, 4));
    page.addWidget(this);
    hide();
    connect(file, &QToolButton::clicked, this, &FindCamerasRow::openCameraFile);
    connect(turntableButton_, &QToolButton::clicked, this, &FindCamerasRow::findByTurntable);
    connect(button_, &QPushButton::clicked, this, &FindCamerasRow::findByShownMethod);
    connect(colmap_, &QPushButton::clicked, this, [this] {
        if (colmapRuns_)
            findMarkers();
        else
            findByColmap();
    });
    connect(&input.model(), &InputModel::stateChanged, this, &FindCamerasRow::updateFromInput);
    context.actions.add({.menu = MenuSection::photographs,
                         .text = tr("Save a board to &print…"),
                         .tooltip = tr("Save the sheet of markers that photographs are taken on: "
                                       "it gives them their cameras")},
                        this, &FindCamerasRow::saveBoard);
}

void FindCamerasRow::addCommands() {
    const auto add = [this](const QString& text, const QString& tooltip, auto slot) {
        return context_.actions.add(
            {.menu = MenuSection::photographs, .text = text, .tooltip = tooltip}, this, slot);
    };
    command(Method::board) =
        add(tr("Find cameras by the &board"), tr("Measure the cameras by the printed board"),
            &FindCamerasRow::findByBoard);
    command(Method::turntable) =
        add(tr("Cameras from equal &turns"), turntableTooltip(), &FindCamerasRow::findByTurntable);
    command(Method::colmap) =
        add(tr("Find cameras by CO&LMAP"),
            tr("Find the cameras by COLMAP, from points that the photographs have in common"),
            &FindCamerasRow::findByColmap);
    add(tr("Cameras from a &file…"), tr("Open the cameras that another program has found"),
        &FindCamerasRow::openCameraFile);
    enableCommands({});
}

void FindCamerasRow::enableCommands(std::initializer_list<Method> methods) {
    for (std::size_t i = 0; i < commands_.size(); ++i)
        commands_[i]->setEnabled(std::ranges::find(methods, static_cast<Method>(i)) !=
                                 methods.end());
}

QString FindCamerasRow::turntableTooltip() {
    return tr(
        "Find the cameras of an object that was turned by equal steps, or that you walked "
        "around by equal steps, in the order of the photographs' names");
}

void FindCamerasRow::openCameraFile() {
    askForFile(
        {.parent = context_.window,
         .title = tr("Open a camera file"),
         .filters = {tr("Cameras (*.txt *.json *.sfm *.xml *.npz *.npy *.out *.bin)"),
                     tr("All files (*)")},
         .folder = photographs_.empty() ? QString() : pathText(photographs_.front().parent_path())},
        *this, [this](const std::filesystem::path& file) { context_.opener.openSample(file); });
}

void FindCamerasRow::findMarkers() {
    photographs_ = input_.model().sample()->images;
    button_->setEnabled(false);
    button_->show();
    colmap_->hide();
    otherMethods_->show();
    turntableButton_->hide();
    enableCommands({});
    colmapRuns_ = false;
    label_->setText(tr("Looking for a board…"));
    show();
    const std::stop_token cancel = request_.restart();
    inBackground(
        this, cancel,
        [photographs = photographs_, cancel] {
            return std::pair(markerCounts(photographs, cancel), colmapIsInstalled());
        },
        [this](const std::pair<std::vector<std::size_t>, bool>& seen) {
            showMarkers(seen.first, seen.second);
        },
        [this](const ErrorReport& report) {
            showMarkers({}, false);  // offers the methods that need no board
            context_.banner.show(report);
        });
}

void FindCamerasRow::showMarkers(const std::vector<std::size_t>& markers, bool isColmapInstalled) {
    const auto boardCount =
        std::ranges::count_if(markers, [](std::size_t count) { return count > 1; });
    boardSeen_ = boardCount >= 2;
    button_->setEnabled(true);
    button_->setDefault(boardSeen_);  // highlights the next step
    button_->setText(boardSeen_ ? tr("Find cameras") : tr("Cameras from equal turns"));
    button_->setToolTip(
        (boardSeen_ ? tr("Measure the cameras by the printed board") : turntableTooltip()) +
        tr(", cut the object out where that is not done yet, and write both beside the "
           "photographs: cameras.json and masks"));
    showColmap(isColmapInstalled);
    turntableButton_->setVisible(boardSeen_);
    enableCommands({Method::turntable});
    command(Method::board)->setEnabled(boardSeen_);
    command(Method::colmap)->setEnabled(isColmapInstalled);
    if (boardSeen_)
        showBoard(boardCount, markers);
    else
        explainMissingBoard(isColmapInstalled);
}

void FindCamerasRow::showColmap(bool isInstalled) {
    colmap_->setText(tr("By COLMAP"));
    colmap_->setToolTip(
        tr("Find the cameras by COLMAP, which takes minutes. The object must stand still and have "
           "texture, or stand on something with texture. Threefold then cuts the object out where "
           "that is not done yet, and writes cameras and masks beside the photographs"));
    colmap_->setEnabled(true);
    colmap_->setVisible(!boardSeen_ && isInstalled);
}

void FindCamerasRow::showBoard(std::ptrdiff_t count, const std::vector<std::size_t>& markers) {
    label_->setText(tr("Board in %1 of %2").arg(count).arg(markers.size()));
    QStringList lines;
    for (std::size_t i = 0; i < markers.size(); ++i)
        lines << tr("%1: %2 markers").arg(fileName(photographs_[i])).arg(markers[i]);
    label_->setToolTip(lines.join('\n'));
}

void FindCamerasRow::explainMissingBoard(bool isColmapInstalled) {
    label_->setText(tr("No board seen"));
    cameras_.toggle().setChecked(true);
    context_.status.showMessage(
        isColmapInstalled
            ? tr("No board in the photographs: find their cameras by COLMAP, or set each so that "
                 "the ellipsoid covers the object, then reconstruct.")
            : tr("No board in the photographs: set each camera so that the ellipsoid covers "
                 "the object, then reconstruct."));
}

void FindCamerasRow::findByShownMethod() {
    if (boardSeen_)
        findByBoard();
    else
        findByTurntable();
}

// Calls `showResult` with the result of `search`; shows `text` until then.
template <class Search, class ShowResult>
void FindCamerasRow::find(const QString& text, const std::stop_token& cancel, const Search& search,
                          const ShowResult& showResult) {
    otherMethods_->hide();
    enableCommands({});
    label_->setText(text);
    inBackground(
        this, cancel,
        [search, photographs = photographs_, cancel] { return search(photographs, cancel); },
        showResult,
        [this](const ErrorReport& report) {
            findMarkers();
            context_.banner.show(report);
        });
}

// Like find(), but for a search of some seconds: the row's first buttons stay visible, but are
// disabled.
template <class Search, class ShowResult>
void FindCamerasRow::findQuickly(const Search& search, const ShowResult& showResult) {
    button_->setEnabled(false);
    colmap_->setEnabled(false);
    find(
        tr("Finding cameras and outlines…"), request_.restart(),
        [search](const auto& photographs, const std::stop_token& cancel) {
            return search(photographs, {}, cancel);
        },
        showResult);
}

QString FindCamerasRow::outcomeText(std::size_t cameras, std::size_t photographs,
                                    double reprojectionError) {
    return tr("Cameras of %1 of %2 photographs, mean reprojection error %3 pixels")
        .arg(cameras)
        .arg(photographs)
        .arg(reprojectionError, 0, 'f', 2);
}

void FindCamerasRow::findByBoard() {
    findQuickly(findBoardCameras, [this](const BoardCamerasResult& result) {
        finish(result.cameraFile,
               outcomeText(result.calibration.cameras.size(), result.photos.size(),
                           result.calibration.reprojectionError),
               problemsAndWarningsOf(result.photos));
    });
}

void FindCamerasRow::findByTurntable() {
    findQuickly(findTurntableCameras,
                [this](const TurntableCamerasResult& result) { finishTurntable(result, {}); });
}

void FindCamerasRow::finishTurntable(const TurntableCamerasResult& result,
                                     const std::string& choice) {
    const std::vector<std::string>& warnings = result.solution.warnings;
    std::vector<std::string> remarks = warnings;
    std::ranges::copy(problemsAndWarningsOf(result.photos), std::back_inserter(remarks));
    if (!choice.empty()) remarks.push_back(choice);
    finish(result.cameraFile,
           (warnings.empty() ? tr("Cameras of %1 photographs, elevation %2°")
                             : tr("Cameras of %1 photographs, elevation %2° (uncertain)"))
               .arg(result.photos.size())
               .arg(result.solution.elevation, 0, 'f', 1),
           remarks);
}

void FindCamerasRow::findByColmap() {
    button_->hide();  // leaves room for the step's name
    colmapRuns_ = true;
    colmap_->show();
    colmap_->setText(tr("Cancel"));
    colmap_->setToolTip(tr("End COLMAP; nothing is written"));
    const std::stop_token cancel = request_.restart();
    const auto progress = [receiver = QPointer<QObject>(this), this, cancel](
                              const char* work, std::size_t done, std::size_t count) {
        callOnGuiThread(receiver, [this, cancel, work, done, count] {
            if (cancel.stop_requested()) return;
            const QString step = QString::fromUtf8(work);
            label_->setText(count > 0 ? tr("%1: %2 of %3").arg(step).arg(done).arg(count) : step);
        });
    };
    find(
        tr("Finding cameras…"), cancel,
        [progress](const std::vector<std::filesystem::path>& photographs,
                   const std::stop_token& stop) {
            const TemporaryFolder folder("colmap");
            ColmapCamerasOptions options;
            options.scratchFolder = folder.path();
            options.callbacks.onProgress = progress;
            return findMarkerlessCameras(photographs, options, stop);
        },
        [this](const MarkerlessCamerasResult& result) {
            if (const auto* turntable = std::get_if<TurntableCamerasResult>(&result.kept))
                finishTurntable(*turntable, result.choice);
            else
                finishColmap(std::get<ColmapCamerasResult>(result.kept), result.choice);
        });
}

void FindCamerasRow::finishColmap(const ColmapCamerasResult& result, const std::string& choice) {
    std::vector<std::string> remarks;
    if (!result.warning.empty()) remarks.push_back(result.warning);
    std::ranges::copy(problemsAndWarningsOf(result.photos), std::back_inserter(remarks));
    if (!choice.empty()) remarks.push_back(choice);
    finish(result.cameraFile,
           outcomeText(result.registeredCount, result.photos.size(), result.reprojectionError),
           remarks);
}

void FindCamerasRow::finish(const std::filesystem::path& cameras, const QString& outcome,
                            const std::vector<std::string>& remarks) {
    photographs_.clear();
    input_.reloadImages();
    context_.opener.openSample(cameras);
    QStringList lines;
    for (const std::string& remark : remarks) lines << QString::fromStdString(remark);
    context_.status.showMessage(outcome, lines.join('\n'));
    if (!lines.isEmpty()) context_.banner.showRemarks(tr("Cameras"), lines);
}

void FindCamerasRow::updateFromInput() {
    const SampleRef& sample = input_.model().sample();
    if (isHidden() || (sample && sample->images == photographs_)) return;
    request_.cancel();
    enableCommands({});
    hide();
}

void FindCamerasRow::saveBoard() {
    askForSavePath({.parent = context_.window,
                    .title = tr("Save a board to print"),
                    .filters = {tr("PDF (*.pdf)"), tr("SVG (*.svg)")},
                    .name = QStringLiteral("board.pdf")},
                   *this, [this](const std::filesystem::path& file, const QString&) {
                       inBackground(
                           this, [file] { board::writeBoard(file, board::Paper::a4); },
                           [this, file] { context_.status.showSavedFiles({file}); },
                           [this](const ErrorReport& report) { context_.banner.show(report); });
                   });
}

FindCamerasRow& addFindCamerasRow(const FeatureContext& context, InputPanel& input,
                                  CameraEditor& cameras, QBoxLayout& page) {
    return *new FindCamerasRow(context, input, cameras, page);
}

}  // namespace threefold::ui
