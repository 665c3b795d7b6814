#include "ui/files/opened_files.h"

#include <atomic>
#include <exception>
#include <functional>
#include <new>
#include <utility>

#include <QAction>
#include <QApplication>
#include <QPointer>
#include <QThreadPool>

#include "engine/sample/ground_truth.h"
#include "ui/input/input_panel.h"
#include "ui/panes/viewport.h"
#include "ui/shell/actions.h"
#include "ui/shell/banner.h"
#include "ui/shell/shell.h"
#include "ui/shell/status_line.h"

namespace threefold::ui {
namespace {

render::SceneMeshRef inWorld(const MeshFile& file, const std::optional<Camera>& camera,
                             const OwnCameras* own) {
    auto mesh = std::make_shared<render::SceneMesh>();
    mesh->vertices = file.vertices;
    mesh->faces = file.faces;
    if (camera) {
        for (glm::vec3& vertex : mesh->vertices) {
            vertex = glm::vec3(camera->toWorld(glm::dvec3(vertex)));
        }
    } else if (own != nullptr) {
        for (glm::vec3& vertex : mesh->vertices) {
            vertex = glm::vec3(own->frame.world.toObject(glm::dvec3(vertex)));
        }
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
    // It would be taken for the truth of whatever comes next.
    connect(&parts_.window, &Shell::requestFailed, this, [this] { waitingTruth_.clear(); });
}

OpenedFiles::~OpenedFiles() {
    cancel();
}

void OpenedFiles::cancel() {
    comparisonStop_.request_stop();
    truthStop_.request_stop();
}

void OpenedFiles::refuse(const ErrorReport& report) {
    parts_.banner.show(report);
    Q_EMIT parts_.window.requestFailed(report);
}

void OpenedFiles::open(const Opening& opening) {
    std::vector<std::filesystem::path> images;
    std::filesystem::path mesh = opening.comparison;
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
        } else if (kind == FileKind::mesh) {
            mesh = file;
        } else if (kind == FileKind::image) {
            images.push_back(file);
        } else if (!std::exchange(sample, true)) {
            parts_.window.openSample(file, opening.views);
            Q_EMIT opened(file);
        }
    }
    if (images.size() == 1 && !sample) {  // of a sample, or findSample() says what is missing
        parts_.window.openSample(images.front(), opening.views);
        Q_EMIT opened(images.front());
        sample = true;
    } else if (images.size() > 1) {
        parts_.input.offerImages(images);
    }
    if (sample) {  // what is shown now is of another item
        waitingTruth_ = truth;
        waitingTruthSpace_.reset();
    } else if (!truth.empty()) {
        useTruth(truth);
    }
    if (!mesh.empty()) compare(mesh);
}

// One file after the other is the rule; two at once share the line that tells of them.
void OpenedFiles::started(const std::filesystem::path& file) {
    ++reading_;
    readingName_ = nameOf(file);
    progress_->store(0);
    tell_.start();
    parts_.actions.cancel->setEnabled(true);
}

void OpenedFiles::ended() {
    if (--reading_ > 0) return;
    tell_.stop();
    parts_.actions.cancel->setEnabled(parts_.status.running());
    Q_EMIT idle();
}

template <class Value>
void OpenedFiles::inBackground(const std::filesystem::path& file, std::stop_source& stop,
                               std::function<Value(const MeshReading&)> work,
                               std::function<void(const Value&)> take) {
    stop.request_stop();  // the newest wins
    stop = {};
    started(file);
    MeshReading reading;
    reading.cancel = stop.get_token();
    reading.progress = [progress = progress_](float done) { progress->store(done); };
    const QPointer<OpenedFiles> self(this);
    QThreadPool::globalInstance()->start(
        [self, file, reading, work = std::move(work), take = std::move(take)] {
            Value value{};
            std::optional<ErrorReport> problem;
            try {
                value = work(reading);
            } catch (const Cancelled&) {
                value = {};
            } catch (const Error& error) {
                problem = error.report();
            } catch (const std::bad_alloc&) {
                problem = ErrorReport{file.string(), "", "there is not enough memory to read it",
                                      "Close other programs, or make the mesh smaller."};
            } catch (const std::exception& error) {
                problem = ErrorReport{file.string(), "", error.what(), "Please report this."};
            }
            QMetaObject::invokeMethod(
                qApp, [self, problem, value = std::move(value), token = reading.cancel, take] {
                    if (!self) return;
                    if (!token.stop_requested()) {
                        if (problem) {
                            self->refuse(*problem);
                        } else {
                            take(value);
                        }
                    }
                    self->ended();
                });
        });
}

const std::filesystem::path& OpenedFiles::comparisonFile() const {
    static const std::filesystem::path kNone;
    return file_ ? file_->source : kNone;
}

std::optional<MeshSpace> OpenedFiles::comparisonSpace() const {
    return file_ ? std::optional(space_) : std::nullopt;
}

void OpenedFiles::compare(const std::filesystem::path& file, std::optional<MeshSpace> space) {
    using Read = std::shared_ptr<const MeshFile>;
    inBackground<Read>(
        file, comparisonStop_,
        [file](const MeshReading& reading) -> Read {
            return std::make_shared<const MeshFile>(readMesh(file, reading));
        },
        [this, space](const Read& read) {
            parts_.banner.hide();
            file_ = read;
            guessed_ = !space;
            const ResultRef& result = parts_.document.result();
            // Where an object lies in a world of one's own tells nothing.
            space_ = space                           ? *space
                     : result && result->sample->own ? MeshSpace::world
                                                     : guessSpace(read->vertices);
            place();
            Q_EMIT opened(read->source);
        });
}

void OpenedFiles::setComparisonSpace(MeshSpace space) {
    if (!file_) return;
    guessed_ = false;
    if (space == space_) {
        Q_EMIT comparisonChanged();
        return;
    }
    space_ = space;
    place();
}

void OpenedFiles::place() {
    const ResultRef& result = parts_.document.result();
    std::optional<Camera> camera;
    if (space_ == MeshSpace::view && result) camera = result->referenceCamera();
    placedBy_ = camera;
    placedIn_ = space_ == MeshSpace::world && result ? result->sample->own : nullptr;
    inBackground<render::SceneMeshRef>(
        file_->source, comparisonStop_,
        [file = file_, camera, own = placedIn_](const MeshReading&) {
            return inWorld(*file, camera, own.get());
        },
        [this, file = file_](const render::SceneMeshRef& mesh) {
            if (file != file_) return;
            auto opened = std::make_shared<OpenedMesh>();
            opened->path = file->source;
            opened->mesh = mesh;
            if (!parts_.document.result()) showAlone(*mesh);
            parts_.document.setComparison(std::move(opened));
            Q_EMIT comparisonChanged();
        });
}

void OpenedFiles::showAlone(const render::SceneMesh& mesh) {
    parts_.viewport.setExtent(extentOf(mesh.vertices));
    // From before and above, to the left: what a person would hold it up like.
    parts_.viewport.lookLike(Camera::fromRow({.azimuth = 60, .elevation = 25, .distance = 1}));
    parts_.window.setWindowTitle(tr("%1 — Threefold").arg(nameOf(file_->source)));
}

void OpenedFiles::closeComparison() {
    comparisonStop_.request_stop();
    file_.reset();
    placedBy_.reset();
    placedIn_.reset();
    parts_.document.setComparison(nullptr);
    Q_EMIT comparisonChanged();
}

void OpenedFiles::useTruth(const std::filesystem::path& file, std::optional<MeshSpace> space) {
    waitingTruth_ = file;
    waitingTruthSpace_ = space;
    if (parts_.document.result()) {
        applyTruth();
    } else if (!parts_.input.sample() && !parts_.status.running()) {
        waitingTruth_.clear();
        refuse({file.string(), "", "there is no sample that it could be the truth of",
                "Open a sample first, or open this file to look at it."});
    }
}

void OpenedFiles::applyTruth() {
    const ResultRef shown = parts_.document.result();
    auto sample = std::make_shared<Sample>(*shown->sample);
    sample->groundTruth = std::exchange(waitingTruth_, {});
    sample->groundTruthView = truthViewOf(sample->groundTruth, shown->views.front());
    sample->groundTruthSpace = fileKind(sample->groundTruth) == FileKind::truth
                                   ? std::optional(MeshSpace::view)
                                   : waitingTruthSpace_;
    inBackground<ResultRef>(
        sample->groundTruth, truthStop_,
        [sample, shown](const MeshReading&) {
            return makeResult(sample, shown->views, shown->reconstruction);
        },
        [this, shown](const ResultRef& result) {
            if (result->truthProblem) return refuse(*result->truthProblem);
            // Another result has come meanwhile: it is measured in its turn.
            if (parts_.document.result() != shown) {
                return useTruth(result->sample->groundTruth, result->sample->groundTruthSpace);
            }
            parts_.input.show(result->sample, parts_.input.selection());
            parts_.window.show(result);
            Q_EMIT opened(result->sample->groundTruth);
        });
}

void OpenedFiles::followResult() {
    const ResultRef& result = parts_.document.result();
    if (!result) return;
    if (!waitingTruth_.empty()) applyTruth();
    if (!file_) return;
    std::optional<Camera> camera;
    if (space_ == MeshSpace::view) camera = result->referenceCamera();
    const auto own = space_ == MeshSpace::world ? result->sample->own : nullptr;
    if (!sameCamera(camera, placedBy_) || own != placedIn_) place();
}

}  // namespace threefold::ui
