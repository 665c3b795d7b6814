#include "ui/files/truth_choice.h"

#include <memory>
#include <utility>

#include <QAction>

#include "engine/sample/ground_truth.h"
#include "ui/document/input_model.h"
#include "ui/files/file_kinds.h"
#include "ui/files/opened_mesh_source.h"

namespace threefold::ui {

TruthChoice::TruthChoice(const FeatureContext& context, FileTasks& tasks)
    : context_(context), tasks_(tasks), watch_(this) {
    connect(&watch_, &FileWatch::changed, this, &TruthChoice::setReference);
    connect(&context.document.opened, &OpenedMeshes::changed, this, [this] {
        if (!context_.document.opened.reference()) watch_.watch({});
    });
    connect(context.actions.cancel, &QAction::triggered, this, [this] { request_.cancel(); });
    // A cancelled request must not leave its truth to the next result.
    const auto forgetPending = [this] {
        if (context_.document.run.state().isReconstructing()) pending_.reset();
    };
    connect(context.actions.cancel, &QAction::triggered, this, forgetPending);
    connect(&context.status, &StatusLine::cancelClicked, this, forgetPending);
    connect(&context.document.result, &ResultModel::changed, this, [this] {
        if (context_.document.result.current() && pending_) measurePending();
    });
    // A failed request must not leave its truth to the next result.
    connect(&context.opener, &SampleOpener::requestFailed, this, [this] { pending_.reset(); });
}

void TruthChoice::chooseForNext(const std::filesystem::path& file) {
    pending_.reset();
    if (!file.empty()) pending_ = Truth{file, std::nullopt};
}

void TruthChoice::choose(const std::filesystem::path& file, std::optional<MeshSpace> space) {
    pending_ = Truth{file, space};
    if (context_.document.run.state().isReconstructing()) return;
    if (context_.document.result.current()) return measurePending();
    if (context_.input.sample()) return;
    pending_.reset();
    if (!context_.document.opened.ids().empty() || tasks_.isBusy()) return setReference(file);
    tasks_.reportFailure({file.string(), "", "cannot be the truth: no sample is open",
                          "Open a sample first, or open this file as a mesh."});
}

void TruthChoice::setReference(const std::filesystem::path& file) {
    tasks_.run(
        file, request_,
        [file, origin = originOfOpened(context_.document)](const MeshReadOptions& reading) {
            GroundTruth truth = readGroundTruth(file, reading);
            if (origin) moveOrigin(truth, *origin);
            auto points = std::make_shared<render::SceneMesh>();
            points->vertices = truth.points;
            auto opened = std::make_shared<OpenedMesh>();
            opened->path = file;
            opened->origin = truth.origin;
            opened->points = points;
            opened->mesh = points;
            if (truth.surface.faces.empty()) return opened;
            opened->mesh = std::make_shared<const render::SceneMesh>(
                render::SceneMesh{truth.surface.vertices, truth.surface.faces});
            opened->surface =
                std::make_shared<const SurfaceIndex>(truth.surface.vertices, truth.surface.faces);
            return opened;
        },
        [this](const std::shared_ptr<OpenedMesh>& reference) {
            if (context_.document.result.current()) return;
            context_.document.opened.setReference(reference);
            watch_.watch(reference->path);
            Q_EMIT opened(reference->path);
        });
}

void TruthChoice::measurePending() {
    const Truth truth = *std::exchange(pending_, std::nullopt);
    const ResultRef shown = context_.document.result.current();
    auto sample = std::make_shared<Sample>(*shown->sample);
    sample->truth = {truth.file, fileKind(truth.file) == FileKind::truth
                                     ? std::optional(MeshSpace::camera)
                                     : truth.space};
    sample->truthView = truthViewOf(truth.file, shown->views.front());
    tasks_.run(
        truth.file, request_,
        [sample, shown](const MeshReadOptions&) {
            return makeResult(sample, shown->views, shown->reconstruction, shown->origin);
        },
        [this, shown](const ResultRef& result) {
            const Sample& measured = *result->sample;
            if (result->truthProblem()) return tasks_.reportFailure(*result->truthProblem());
            // If a newer result has arrived, measures the newer result.
            if (context_.document.result.current() != shown)
                return choose(measured.truth->file, measured.truth->space);
            context_.input.setInput(result->sample, context_.input.selection());
            context_.opener.showResult(result);
            Q_EMIT opened(measured.truth->file);
        });
}

}  // namespace threefold::ui
