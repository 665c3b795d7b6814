#include "ui/run/reconstructor.h"

#include "ui/document/input_model.h"
#include "ui/panes/viewport.h"
#include "ui/style/path_text.h"

namespace threefold::ui {
namespace {

RunConditions conditionsOf(const Result& result) {
    return {result.views.size(), result.origin.backend};
}

}  // namespace

Reconstructor::Reconstructor(const WindowContext& context, InputModel& input, Viewport& viewport,
                             NetworkClient& client)
    : SampleOpener(&context.window),
      context_(context),
      input_(input),
      viewport_(viewport),
      client_(client) {
    connect(&context.document.result, &ResultModel::changed, this, [this] {
        const ResultRef& result = context_.document.result.current();
        if (result) stepHistory_.select(conditionsOf(*result));
    });
    connect(&client, &NetworkClient::sampleFound, this, &Reconstructor::onSampleFound);
    connect(&client, &NetworkClient::doubtfulSampleFound, this,
            &Reconstructor::onDoubtfulSampleFound);
    connect(&client, &NetworkClient::deviceReplaced, &context.banner, &Banner::show);
    connect(&client, &NetworkClient::progressed, this,
            [this](quint64 id, const Progress& progress) {
                if (id == newestId_) context_.document.run.advance(progress);
            });
    connect(&client, &NetworkClient::partialReady, this, &Reconstructor::onPartial);
    connect(&client, &NetworkClient::finished, this, &Reconstructor::onFinished);
    connect(&client, &NetworkClient::cancelled, this, &Reconstructor::onCancelled);
    connect(&client, &NetworkClient::failed, this, &Reconstructor::onFailed);
    connect(&context.banner, &Banner::shown, this, [this](bool on) {
        if (!on && !failureText_.isEmpty() && context_.status.text() == failureText_)
            context_.status.showMessage({});
    });
}

void Reconstructor::onSampleFound(quint64 id, const SampleRef& sample,
                                  const std::vector<int>& views) {
    if (id != newestId_ || newestLocation_.empty() ||
        !context_.document.run.state().isReconstructing())
        return;
    input_.setInput(sample, ViewSelection(views));
    context_.actions.reconstruct->setEnabled(true);
    ReconstructionRun run = *context_.document.run.state().reconstruction();
    run.sample = sample;
    run.views = views;
    context_.document.run.updateReconstruction(std::move(run));
    context_.status.showMessage(tr("Reconstructing…"));
}

void Reconstructor::onDoubtfulSampleFound(quint64 id, const SampleRef& sample,
                                          const std::vector<int>& views) {
    if (id != newestId_) return;
    showInput(sample, views);
    warnOfCameras();
}

void Reconstructor::warnOfCameras() {
    QStringList warnings;
    for (const std::string& warning : input_.sample()->photos->warnings)
        warnings << QString::fromStdString(warning);
    context_.banner.showRemarks(tr("Uncertain cameras"), warnings);
    context_.status.showMessage(
        tr("These cameras are uncertain: check cameras and masks, or reconstruct all the same"),
        warnings.join('\n'));
}

void Reconstructor::onPartial(quint64 id, const ResultRef& result) {
    if (id != newestId_ || !context_.document.run.state().isReconstructing()) return;
    turnCamerasTo(*result);
    ReconstructionRun run = *context_.document.run.state().reconstruction();
    run.partial = result;
    context_.document.run.updateReconstruction(std::move(run));
    Q_EMIT partialReady();
}

void Reconstructor::onFinished(quint64 id, const ResultRef& result) {
    if (id != newestId_) return;
    stepHistory_.add(result->reconstruction.network.timings,
                     result->reconstruction.network.wallMilliseconds, conditionsOf(*result));
    setResult(result);
}

void Reconstructor::onCancelled(quint64 id) {
    if (id != newestId_) return;
    end();
    restoreShownInput();
    context_.status.showMessage(tr("Cancelled"));
}

void Reconstructor::onFailed(quint64 id, const ErrorReport& report) {
    if (id != newestId_) return;
    const ReconstructionRun* run = context_.document.run.state().reconstruction();
    const bool isEdited = newestLocation_.empty() && run != nullptr &&
                          !isSameInput(input_.state(), {run->sample, ViewSelection(run->views)});
    end();
    if (!isEdited) restoreShownInput();  // a newer input of the user stays
    context_.banner.show(report);
    const QString failure =
        newestLocation_.empty() ? tr("Could not reconstruct") : tr("Could not open");
    failureText_ = context_.document.result.current()
                       ? tr("%1; still showing the previous result").arg(failure)
                       : failure;
    context_.status.showMessage(failureText_);
    Q_EMIT requestFailed(report, newestLocation_);
}

void Reconstructor::openSample(const std::filesystem::path& location,
                               const std::vector<int>& views) {
    input_.abandonGesture();  // the gesture's run would replace this request
    Q_EMIT requestBegan();
    post({location, views});
    context_.status.showMessage(tr("Opening %1…").arg(pathText(location)));
}

SampleOpener::RequestId Reconstructor::reconstruct() {
    const SampleRef& sample = input_.sample();
    if (!sample) return 0;
    input_.consentToCameras();
    post({sample, input_.selection().views()});
    return newestId_;
}

SampleOpener::RequestId Reconstructor::reconstructUnlessDoubtful() {
    if (!input_.camerasNeedConsent()) return reconstruct();
    warnOfCameras();
    return 0;
}

void Reconstructor::showResult(const ResultRef& result) {
    abandonRun();
    postedRunWatch_ = {};
    const InputState state{result->sample, ViewSelection(result->views)};
    if (!isSameInput(input_.state(), state)) input_.setInput(state.sample, state.selection);
    context_.actions.reconstruct->setEnabled(true);
    setResult(result);
}

void Reconstructor::showInput(const SampleRef& sample, const std::vector<int>& views) {
    abandonRun();
    input_.setInput(sample, ViewSelection(views));
    context_.actions.reconstruct->setEnabled(sample != nullptr);
}

void Reconstructor::abandonRun() {
    input_.abandonGesture();  // the gesture's run would replace this request
    Q_EMIT requestBegan();
    context_.banner.hide();
    client_.cancel();
    newestId_ = 0;  // results still to come are outdated
    end();
}

void Reconstructor::post(Request request) {
    context_.banner.hide();
    postedRunWatch_ = {};
    const auto* sample = std::get_if<SampleRef>(&request.input);
    newestLocation_ = sample != nullptr ? std::filesystem::path()
                                        : std::get<std::filesystem::path>(request.input);
    ReconstructionRun run{.sample = sample != nullptr ? *sample : nullptr,
                          .views = request.views,
                          .stepFractions = stepHistory_.stepFractions()};
    // Keeps the partial result of the sample's previous run until this run has its own.
    const RunState& before = context_.document.run.state();
    if (run.sample && isSameSample(before.sample(), run.sample)) run.partial = before.partial();
    context_.document.run.beginReconstruction(std::move(run));
    newestId_ = client_.post(std::move(request));
}

void Reconstructor::setResult(const ResultRef& result) {
    context_.actions.exportMesh->setEnabled(true);
    turnCamerasTo(*result);
    context_.document.run.finish(result);
    Q_EMIT resultReady();
    const Result::Evaluated& evaluated = *result->evaluated();
    if (evaluated.truthProblem)
        context_.banner.show(*evaluated.truthProblem);
    else if (!evaluated.truthNotes.empty())
        context_.banner.show({evaluated.truthNotes.front(), "", "", ""});
}

// Hands the next result's points to the viewport for framing. Frames them in the direction of the
// result's reference view if the sample changes, or if the reference view changes and the user has
// not moved a camera.
void Reconstructor::turnCamerasTo(const Result& next) {
    Viewport& viewport = viewport_;
    const ResultRef before = context_.document.run.shownResult(MeshId::firstPublished);
    const bool otherSample = !before || !isSameSample(before->sample, next.sample);
    const bool otherReference = otherSample || before->views.front() != next.views.front();
    viewport.setFramedPoints(next.framedPoints);
    if (otherSample || (otherReference && !viewport.camerasMovedByUser()))
        viewport.lookInDirectionOf(next.referenceCamera());
}

void Reconstructor::end() {
    if (!context_.document.run.state().isReconstructing()) return;
    if (const ResultRef& result = context_.document.result.current()) turnCamerasTo(*result);
    context_.document.run.endReconstruction();
}

void Reconstructor::restoreShownInput() {
    const ResultRef& result = context_.document.result.current();
    // Keeps images that were never reconstructed: the user set their cameras by hand.
    if (!result || (newestLocation_.empty() && !isSameSample(result->sample, input_.sample())))
        return;
    input_.setInput(result->sample, ViewSelection(result->views));
}

}  // namespace threefold::ui
