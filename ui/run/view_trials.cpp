#include "ui/run/view_trials.h"

#include <algorithm>

#include "engine/metrics/silhouette.h"
#include "engine/sample/view_candidates.h"
#include "ui/document/background.h"
#include "ui/input/input_panel.h"
#include "ui/run/worker.h"

namespace threefold::ui {
namespace {

double meanOverlap(const render::SceneMesh& mesh, const std::vector<ViewCandidate>& photographs,
                   const std::stop_token& cancel) {
    double sum = 0;
    std::size_t count = 0;
    for (const ViewCandidate& photograph : photographs) {
        if (cancel.stop_requested()) throw Cancelled();
        if (!photograph.mask) continue;
        const Mask mask =
            maskOf(mesh.vertices, mesh.faces, Camera{}, Camera::fromRow(photograph.camera),
                   photograph.mask->width, photograph.mask->height);
        sum += maskOverlap(mask, *photograph.mask);
        ++count;
    }
    return count > 0 ? sum / static_cast<double>(count) : 0;
}

}  // namespace

/// Shared by the window's thread and the network's.
struct ViewTrials::Run {
    std::stop_source stop;
    SampleRef sample;
    std::shared_ptr<ViewCache> cache;
    std::vector<ViewCandidate> photographs;
    std::vector<std::vector<int>> choices;
    std::size_t place = 0;  ///< of the choice being tried
};

ViewTrials::ViewTrials(const WindowParts& parts, InputPanel& input, Worker& worker)
    : QObject(&parts.window), parts_(parts), input_(input), worker_(worker) {}

ViewTrials::~ViewTrials() {
    if (run_) run_->stop.request_stop();
}

void ViewTrials::start() {
    const SampleRef& sample = input_.sample();
    if (!sample) return;
    if (run_) run_->stop.request_stop();
    const auto run = std::make_shared<Run>();
    run_ = run;
    run->sample = sample;
    run->cache = worker_.views();
    current_ = input_.selection().views();
    usual_ = defaultViews(*sample);
    run->choices.push_back(current_);
    if (!std::ranges::is_permutation(usual_, current_)) run->choices.push_back(usual_);
    planned_ = tried_ = 0;
    trials_.clear();
    inBackground(
        this, run->stop.get_token(),
        [run] {
            run->photographs = viewCandidates(
                *run->sample,
                [run](const Sample& from, int view) { return *run->cache->prefetch(from, view); },
                run->stop.get_token());
            for (const auto& choice : ViewChooser(run->photographs).worthTrying(kMost)) {
                if (run->choices.size() >= kMost) break;
                const bool known = std::ranges::any_of(run->choices, [&](const auto& each) {
                    return std::ranges::is_permutation(each, choice);
                });
                if (!known) run->choices.push_back(choice);
            }
        },
        [this, run] {
            planned_ = run->choices.size();
            Q_EMIT changed();
            next(run);
        },
        [this, run](const ErrorReport& report) { end(run, report); });
    Q_EMIT changed();
}

void ViewTrials::stop() {
    if (!run_) return;
    run_->stop.request_stop();
    run_.reset();
    Q_EMIT changed();
}

void ViewTrials::next(const std::shared_ptr<Run>& run) {
    if (run->place >= run->choices.size()) {
        run_.reset();
        Q_EMIT changed();
        return;
    }
    const auto later = [self = QPointer<QObject>(this)](auto call) { callLater(self, call); };
    const auto tryOne = [this, run, later](Backend& backend, const std::stop_token& stop) {
        std::optional<ViewTrial> trial;
        try {
            LoadedSample loaded = loadSample(run->sample, run->choices[run->place],
                                             {.read = [run](const Sample& from, int view) {
                                                 return *run->cache->read(from, view);
                                             }});
            ReconstructedSample network =
                reconstructSample(backend, std::move(loaded), {.cancel = stop});
            MeasuredSample measured =
                measureSample({std::move(network.loaded), std::move(network.reconstruction)},
                              {.silhouettes = false, .cancel = stop}, &backend);
            ViewTrial made;
            made.views = measured.loaded.views;
            if (measured.evaluation) made.f = measured.evaluation->result().measures.atTau().f;
            made.result = makeResult(std::move(measured));
            made.overlap = meanOverlap(*made.result->mesh(MeshId::result), run->photographs, stop);
            trial = std::move(made);
        } catch (const DeviceError&) {
            throw;
        } catch (const Error&) {
            // A view that cannot be read is no reason not to try others.
        }
        later([this, run, trial] { onTrial(run, trial); });
    };
    const auto failed = [this, run, later](const ErrorReport& report) {
        later([this, run, report] { end(run, report); });
    };
    worker_.postBackground({tryOne, failed, run->stop.get_token()});
}

void ViewTrials::onTrial(const std::shared_ptr<Run>& run, std::optional<ViewTrial> trial) {
    if (run != run_) return;
    ++tried_;
    ++run->place;
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
