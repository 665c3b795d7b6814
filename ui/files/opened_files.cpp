#include "ui/files/opened_files.h"

#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

#include <QAction>

#include "engine/formats/meshes/mesh_files.h"
#include "engine/sample/ground_truth.h"
#include "ui/document/input_state.h"
#include "ui/files/mesh_paint.h"
#include "ui/input/input_panel.h"
#include "ui/panes/viewport.h"
#include "ui/shell/actions.h"
#include "ui/shell/banner.h"
#include "ui/shell/shell.h"
#include "ui/shell/status_line.h"
#include "ui/style/number_format.h"

namespace threefold::ui {
namespace {

render::SceneMeshRef inWorld(const MeshFile& file, const SurfacePaint& paint,
                             const std::optional<Camera>& camera, const PosedPhotos* own) {
    auto mesh = std::make_shared<render::SceneMesh>();
    mesh->vertices = file.vertices;
    mesh->faces = file.faces;
    mesh->colours = paint.colours;
    mesh->texture = paint.texture;
    if (!camera && own == nullptr) return mesh;
    for (glm::vec3& vertex : mesh->vertices) {
        const glm::dvec3 at(vertex);
        vertex = glm::vec3(camera ? camera->toWorld(at) : own->frame.world.toObject(at));
    }
    return mesh;
}

/// Enough of the points to fit a camera to, however many there are.
Extent extentOf(const Points& points) {
    constexpr std::size_t kEnough = 20'000;
    const std::size_t step = points.size() / kEnough + 1;
    auto some = std::make_shared<Points>();
    glm::vec3 low = points.front();
    glm::vec3 high = low;
    for (std::size_t i = 0; i < points.size(); ++i) {
        low = glm::min(low, points[i]);
        high = glm::max(high, points[i]);
        if (i % step == 0) some->push_back(points[i]);
    }
    if (step > 1) some->insert(some->end(), {low, high});
    return some;
}

bool sameCamera(const std::optional<Camera>& a, const std::optional<Camera>& b) {
    if (!a || !b) return a.has_value() == b.has_value();
    return a->rotation == b->rotation && a->origin == b->origin;
}

QString nameOf(const std::filesystem::path& file) {
    return QString::fromStdString(file.filename().string());
}

}  // namespace

OpenedFiles::OpenedFiles(const WindowParts& parts) : QObject(&parts.window), parts_(parts) {
    constexpr int kTellAfter = 500;
    tell_.setInterval(kTellAfter);
    connect(&tell_, &QTimer::timeout, this, [this] {
        parts_.status.say(tr("Reading %1… %2 % · Esc cancels")
                              .arg(readingName_)
                              .arg(qRound(100 * progress_->load())));
    });
    connect(parts_.actions.cancel, &QAction::triggered, this, &OpenedFiles::cancel);
    connect(&parts_.document, &Document::resultChanged, this, &OpenedFiles::followResult);
    // Otherwise the next result would be measured against it.
    connect(&parts_.window, &Shell::requestFailed, this, [this] { waitingTruth_.clear(); });
    connect(&parts_.document, &Document::runChanged, this, &OpenedFiles::followItem);
}

void OpenedFiles::cancel() {
    comparing_.cancel();
    measuring_.cancel();
}

void OpenedFiles::refuse(const ErrorReport& report) {
    parts_.banner.show(report);
    Q_EMIT parts_.window.requestFailed(report);
}

void OpenedFiles::open(const Opening& opening) {
    std::vector<std::filesystem::path> images;
    std::vector<std::filesystem::path> meshes;
    if (!opening.comparison.empty()) meshes.push_back(opening.comparison);
    std::filesystem::path truth = opening.truth;
    bool sample = false;
    for (const std::filesystem::path& file : opening.files) {
        const FileKind kind = fileKind(file);
        const bool points = kind == FileKind::mesh || kind == FileKind::truth;
        if (opening.how == OpenAs::truth && points) {
            truth = file;
        } else if (kind == FileKind::session) {
            Q_EMIT sessionAsked(file);
            return;
        } else if (kind == FileKind::list) {
            Q_EMIT listAsked(file);
            Q_EMIT opened(file);
        } else if (kind == FileKind::model) {
            Q_EMIT modelAsked(file);
        } else if (kind == FileKind::mesh) {
            meshes.push_back(file);
        } else if (kind == FileKind::image) {
            images.push_back(file);
        } else if (!std::exchange(sample, true)) {
            parts_.window.openSample(file, opening.views);
            Q_EMIT opened(file);
        }
    }
    if (images.size() == 1 && !sample) {  // of a sample; else findSample() says what is missing
        parts_.window.openSample(images.front(), opening.views);
        Q_EMIT opened(images.front());
        sample = true;
    } else if (images.size() > 1) {
        parts_.input.offerImages(images);
    }
    // Of two files alone the first is judged against the second.
    const bool alone = !sample && !parts_.document.result() && !parts_.input.sample();
    if (alone && meshes.size() > 1 && truth.empty()) {
        truth = meshes.back();
        meshes.pop_back();
    }
    if (!meshes.empty()) compare(meshes.back());
    if (sample) {  // the current result is of another item
        waitingTruth_ = truth;
        waitingTruthSpace_.reset();
    } else if (!truth.empty()) {
        useTruth(truth);
    }
}

// Two files read at once share the status line.
void OpenedFiles::started(const std::filesystem::path& file) {
    ++reading_;
    readingName_ = nameOf(file);
    progress_->store(0);
    tell_.start();
    Q_EMIT busyChanged();
}

void OpenedFiles::ended() {
    if (--reading_ > 0) return;
    tell_.stop();
    Q_EMIT busyChanged();
    Q_EMIT idle();
}

template <class Work, class Take>
void OpenedFiles::read(const std::filesystem::path& file, NewestRequest& request, Work work,
                       Take take) {
    MeshReading reading;
    reading.cancel = request.start();
    reading.progress = [progress = progress_](float done) { progress->store(done); };
    started(file);
    using Value = std::invoke_result_t<Work, const MeshReading&>;
    tryInBackground(
        this, [reading, work = std::move(work)] { return work(reading); },
        [this, cancel = reading.cancel, take = std::move(take)](const Outcome<Value>& outcome) {
            if (!cancel.stop_requested()) {
                if (outcome.problem) refuse(*outcome.problem);
                if (outcome.value) take(*outcome.value);
            }
            ended();
        },
        file.string());
}

const std::filesystem::path& OpenedFiles::comparisonFile() const {
    static const std::filesystem::path kNone;
    return compared_.file ? compared_.file->source : kNone;
}

QString OpenedFiles::Compared::name() const {
    if (file) return nameOf(file->source);
    if (!result) return {};
    return OpenedFiles::tr("%1 · views %2")
        .arg(QString::fromStdString(result->sample->item), numberList(result->views));
}

SampleRef OpenedFiles::presentItem() const {
    if (parts_.document.run().reconstructing()) return parts_.document.run().sample;
    const ResultRef& result = parts_.document.result();
    return result ? result->sample : parts_.input.sample();
}

void OpenedFiles::compare(const std::filesystem::path& file, std::optional<MeshSpace> space) {
    read(
        file, comparing_,
        [file](const MeshReading& reading) {
            TexturedMesh textured = readTexturedMesh(file, reading);
            const SurfacePaint paint = paintOf(textured);
            return std::tuple(std::make_shared<const MeshFile>(std::move(textured.mesh)), paint,
                              textured.outside);
        },
        [this, space](const std::tuple<std::shared_ptr<const MeshFile>, SurfacePaint,
                                       std::optional<ErrorReport>>& painted) {
            const auto& [read, paint, outside] = painted;
            outside ? parts_.banner.show(*outside) : parts_.banner.hide();
            const ResultRef& result = parts_.document.result();
            // The position of an object in its own world says nothing.
            const MeshSpace found = space                              ? *space
                                    : result && result->sample->photos ? MeshSpace::world
                                                                       : guessSpace(read->vertices);
            take({read, paint, nullptr, found, !space, presentItem()});
            Q_EMIT opened(read->source);
        });
}

void OpenedFiles::compare(const ResultRef& result) {
    comparing_.cancel();
    take({nullptr, {}, result, MeshSpace::world, false, presentItem()});
}

void OpenedFiles::take(Compared compared) {
    left_.reset();
    compared_ = std::move(compared);
    place();
}

void OpenedFiles::setComparisonSpace(MeshSpace space) {
    if (!compared_.file) return;
    compared_.guessed = false;
    if (space == compared_.space) {
        Q_EMIT comparisonChanged();
        return;
    }
    compared_.space = space;
    place();
}

OpenedFiles::Placement OpenedFiles::placement() const {
    const ResultRef& result = parts_.document.result();
    Placement placement;
    if (!result || !compared_.file) return placement;
    if (compared_.space == MeshSpace::view) placement.camera = result->referenceCamera();
    if (compared_.space == MeshSpace::world) placement.own = result->sample->photos;
    return placement;
}

void OpenedFiles::place() {
    placed_ = placement();
    auto opened = std::make_shared<OpenedMesh>();
    if (const ResultRef& result = compared_.result) {
        opened->mesh = result->fitted ? result->fitted : result->refined;
        opened->title = compared_.name();
        publish(std::move(opened));
        return;
    }
    read(
        compared_.file->source, comparing_,
        [file = compared_.file, paint = compared_.paint, placed = placed_](const MeshReading&) {
            return inWorld(*file, paint, placed.camera, placed.own.get());
        },
        [this, file = compared_.file, opened](const render::SceneMeshRef& mesh) {
            if (file != compared_.file) return;
            opened->path = file->source;
            opened->mesh = mesh;
            publish(opened);
        });
}

void OpenedFiles::publish(OpenedMeshRef mesh) {
    parts_.document.setComparison(std::move(mesh), reference_);
    if (!parts_.document.result()) showAlone();
    Q_EMIT comparisonChanged();
}

void OpenedFiles::showAlone() {
    const OpenedMeshRef& mesh = parts_.document.comparison();
    if (!mesh) return;
    Points all = mesh->mesh->vertices;
    if (reference_) {
        const Points& more = reference_->mesh->vertices;
        all.insert(all.end(), more.begin(), more.end());
    }
    parts_.viewport.setExtent(extentOf(all));
    // From the front, above and to the left.
    parts_.viewport.lookLike(Camera::fromRow({.azimuth = 60, .elevation = 25, .distance = 1}));
}

void OpenedFiles::closeComparison() {
    comparing_.cancel();
    compared_ = {};
    reference_.reset();
    placed_ = {};
    parts_.document.setComparison(nullptr);
    Q_EMIT comparisonChanged();
}

void OpenedFiles::leave() {
    const Compared leaving = compared_;
    closeComparison();
    left_ = leaving;
    Q_EMIT comparisonChanged();
}

std::optional<OpenedFiles::Left> OpenedFiles::left() const {
    if (!left_) return std::nullopt;
    return Left{left_->name(), QString::fromStdString(left_->item->name())};
}

void OpenedFiles::compareLeft() {
    if (!left_) return;
    Compared again = *left_;
    again.item = presentItem();
    take(std::move(again));
}

void OpenedFiles::forgetLeft() {
    left_.reset();
    Q_EMIT comparisonChanged();
}

void OpenedFiles::useTruth(const std::filesystem::path& file, std::optional<MeshSpace> space) {
    waitingTruth_ = file;
    waitingTruthSpace_ = space;
    if (parts_.document.result()) {
        applyTruth();
    } else if (!parts_.input.sample() && !parts_.document.run().reconstructing()) {
        waitingTruth_.clear();
        if (compared_.file || reading_ > 0) return judgeAgainst(file);
        refuse({file.string(), "", "cannot be the truth: no sample is open",
                "Open a sample first, or open this file as a mesh."});
    }
}

void OpenedFiles::judgeAgainst(const std::filesystem::path& file) {
    read(
        file, measuring_,
        [file](const MeshReading& reading) {
            const GroundTruth truth = readGroundTruth(file, reading);
            auto points = std::make_shared<render::SceneMesh>();
            points->vertices = truth.points;
            auto opened = std::make_shared<OpenedMesh>();
            opened->path = file;
            opened->points = points;
            opened->mesh = points;
            if (!truth.surface.faces.empty()) {
                opened->mesh = std::make_shared<const render::SceneMesh>(
                    render::SceneMesh{truth.surface.vertices, truth.surface.faces});
            }
            return opened;
        },
        [this](const std::shared_ptr<OpenedMesh>& read) {
            if (parts_.document.result()) return;
            reference_ = read;
            publish(parts_.document.comparison());
            Q_EMIT opened(read->path);
        });
}

void OpenedFiles::applyTruth() {
    const ResultRef shown = parts_.document.result();
    auto sample = std::make_shared<Sample>(*shown->sample);
    sample->groundTruth = std::exchange(waitingTruth_, {});
    sample->groundTruthView = truthViewOf(sample->groundTruth, shown->views.front());
    sample->groundTruthSpace = fileKind(sample->groundTruth) == FileKind::truth
                                   ? std::optional(MeshSpace::view)
                                   : waitingTruthSpace_;
    read(
        sample->groundTruth, measuring_,
        [sample, shown](const MeshReading&) {
            return makeResult(sample, shown->views, shown->reconstruction, shown->origin);
        },
        [this, shown](const ResultRef& result) {
            if (result->truthProblem) return refuse(*result->truthProblem);
            // Measure the result that has arrived in the meantime.
            if (parts_.document.result() != shown) {
                return useTruth(result->sample->groundTruth, result->sample->groundTruthSpace);
            }
            parts_.input.show(result->sample, parts_.input.selection());
            parts_.window.show(result);
            Q_EMIT opened(result->sample->groundTruth);
        });
}

void OpenedFiles::followItem() {
    const SampleRef item = presentItem();
    if (!item) return;
    if (compared_.any()) {
        if (!compared_.item) compared_.item = item;
        if (!sameItem(compared_.item, item)) leave();
    } else if (left_ && sameItem(left_->item, item)) {
        take(Compared(*left_));
    }
}

void OpenedFiles::followResult() {
    const ResultRef& result = parts_.document.result();
    if (!result) return;
    if (!waitingTruth_.empty()) applyTruth();
    if (reference_) {  // the sample has its own truth, or none
        reference_.reset();
        parts_.document.setComparison(parts_.document.comparison());
    }
    followItem();
    if (!compared_.any()) return;
    const Placement now = placement();
    if (!sameCamera(now.camera, placed_.camera) || now.own != placed_.own) place();
}

}  // namespace threefold::ui
