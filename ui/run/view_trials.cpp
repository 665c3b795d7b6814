#include "ui/run/view_trials.h"

#include <algorithm>

#include "engine/fitting/overlap.h"
#include "engine/measures/silhouette.h"
#include "engine/sample/view_candidates.h"
#include "engine/sample_steps/compare_view_masks.h"
#include "ui/document/background.h"
#include "ui/document/input_model.h"
#include "ui/run/network_client.h"

namespace threefold::ui {
namespace {

// Mean overlap of a mesh in world space with the photographs' masks; 0 without masks.
double overlapWithMasks(const render::SceneMesh& mesh,
                        const std::vector<ViewCandidate>& photographs,
                        const std::stop_token& cancel) {
    std::vector<MaskedView> masked;
    for (const ViewCandidate& photograph : photographs)
        if (photograph.mask)
            masked.push_back(
                {photograph.view, Camera::fromRow(photograph.camera), photograph.mask});
    return meanOverlap(
        compareViewMasks({mesh.vertices, mesh.faces}, kWorldSpace, masked, 1, cancel, maskOverlap));
}

}  // namespace

/// State of one start(), shared by the GUI thread and the network's thread.
struct ViewTrials::Run {
    std::stop_source stop;
    SampleRef sample;
    std::shared_ptr<ViewCache> cache;
    std::vector<ViewCandidate> photographs;
    std::vector<std::vector<int>> choices;
    std::size_t index = 0;  ///< of the choice being tried
};

ViewTrials::ViewTrials(const FeatureContext& context, NetworkClient& client)
    : QObject(&context.window), context_(context), client_(client) {}

ViewTrials::~ViewTrials() {
    if (run_) run_->stop.request_stop();
}

void ViewTrials::start() {
    const SampleRef& sample = context_.input.sample();
    if (!sample) return;
    if (run_) run_->stop.request_stop();
    const auto run = std::make_shared<Run>();
    run_ = run;
    run->sample = sample;
    run->cache = client_.viewCache();
    inputViews_ = context_.input.selection().views();
    defaultViews_ = threefold::defaultViews(*sample);
    run->choices.push_back(inputViews_);
    if (!std::ranges::is_permutation(defaultViews_, inputViews_))
        run->choices.push_back(defaultViews_);
    planned_ = tried_ = 0;
    trials_.clear();
    inBackground(
        this, run->stop.get_token(),
        [run] {
            run->photographs = viewCandidates(
                *run->sample,
                [run](const Sample& from, int view) { return *run->cache->prefetch(from, view); },
                run->stop.get_token());
            for (const auto& choice : ViewChooser(run->photographs).rankedChoices(kMaxTrials)) {
                if (run->choices.size() >= kMaxTrials) break;
                const bool duplicate = std::ranges::any_of(run->choices, [&](const auto& tried) {
                    return std::ranges::is_permutation(tried, choice);
                });
                if (!duplicate) run->choices.push_back(choice);
            }
        },
        [this, run] {
            planned_ = run->choices.size();
            sincePlanned_ = {};
            Q_EMIT changed();
            next(run);
        },
        [this, run](const ErrorReport& report) { end(run, report); });
    Q_EMIT changed();
}

std::optional<double> ViewTrials::expectedSeconds() const {
    const ResultRef& result = context_.document.result.current();
    if (!result) return std::nullopt;
    return 1e-3 * static_cast<double>(kMaxTrials) * result->reconstruction.network.milliseconds();
}

std::optional<double> ViewTrials::secondsLeft() const {
    if (!run_ || tried_ == 0) return std::nullopt;
    return 1e-3 * sincePlanned_.milliseconds() / static_cast<double>(tried_) *
           static_cast<double>(planned_ - tried_);
}

void ViewTrials::stop() {
    if (!run_) return;
    run_->stop.request_stop();
    run_.reset();
    Q_EMIT changed();
}

void ViewTrials::next(const std::shared_ptr<Run>& run) {
    if (run->index >= run->choices.size()) {
        run_.reset();
        Q_EMIT changed();
        return;
    }
    const auto onGuiThread = [self = QPointer<QObject>(this)](auto call) {
        callOnGuiThread(self, call);
    };
    const auto tryOne = [this, run, onGuiThread](Backend& backend, const std::stop_token& stop) {
        std::optional<ViewTrial> trial;
        try {
            LoadedSample loaded = loadSample(run->sample, run->choices[run->index],
                                             {.readView = [run](const Sample& from, int view) {
                                                 return *run->cache->read(from, view);
                                             }});
            ReconstructedSample reconstructed =
                reconstructSample(backend, std::move(loaded), {.cancel = stop});
            MeasuredSample measured = measureSample(
                {std::move(reconstructed.loaded), std::move(reconstructed.reconstruction)},
                {.silhouettes = false, .cancel = stop}, &backend.meshOperations());
            ViewTrial completed;
            completed.views = measured.loaded.views;
            if (measured.evaluation)
                completed.f = measured.evaluation->result().measures.atTau().fScore;
            completed.result = makeResult(std::move(measured));
            completed.overlap =
                overlapWithMasks(*completed.result->mesh(MeshId::result), run->photographs, stop);
            trial = std::move(completed);
        } catch (const DeviceError&) {
            throw;
        } catch (const Error&) {
            // An unreadable view must not stop the other trials.
        }
        onGuiThread([this, run, trial] { onTrial(run, trial); });
    };
    const auto failed = [this, run, onGuiThread](const ErrorReport& report) {
        onGuiThread([this, run, report] { end(run, report); });
    };
    client_.postBackground({tryOne, failed, run->stop.get_token()});
}

void ViewTrials::onTrial(const std::shared_ptr<Run>& run, std::optional<ViewTrial> trial) {
    if (run != run_) return;
    ++tried_;
    ++run->index;
    if (trial) trials_.push_back(std::move(*trial));
    Q_EMIT changed();
    if (run == run_) next(run);
}

void ViewTrials::end(const std::shared_ptr<Run>& run, const ErrorReport& report) {
    if (run != run_) return;
    run_.reset();
    Q_EMIT changed();
    Q_EMIT failed(report);
}

}  // namespace threefold::ui
