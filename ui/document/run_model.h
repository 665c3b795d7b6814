#pragma once

#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include <QObject>

#include "engine/model/progress.h"
#include "ui/document/result_model.h"

namespace threefold::ui {

/// Phases of a fit in their order. The phases hull and depth run only if the fit tries to start
/// from the photographs' hull. The network's mesh is fitted first, since the hull is judged against
/// the fitted mesh.
enum class FitPhase { mesh, hull, depth };

/// Progress of a fit.
struct FitProgress {
    FitPhase phase = FitPhase::mesh;
    double fraction = 0;  ///< fraction of the phase, 0…1
    bool operator==(const FitProgress&) const = default;
};

/// A reconstruction that runs.
struct ReconstructionRun {
    SampleRef sample = {};  ///< null until the files are found
    std::vector<int> views = {};
    /// Partial result (makePartialResult()) of this run, or else of the run that this run replaced.
    /// Null: none.
    ResultRef partial = {};
    std::vector<double> stepFractions = {};  ///< StepHistory::stepFractions()
    std::optional<Progress> progress = {};   ///< none before the first run step
    double totalFraction = 0;                ///< progress of the whole run, 0…1
};

/// A running fit of the window's result.
struct FitRun {
    FitProgress progress = {};
    std::vector<double> phaseFractions = {};  ///< fitPhaseFractions()
    double totalFraction = 0;                 ///< progress of the whole fit, 0…1
};

/// State of the computation for the window: idle, a reconstruction, or a fit. During a
/// reconstruction the window's result is the previous one.
class RunState {
  public:
    RunState() = default;  ///< idle
    RunState(ReconstructionRun run) : run_(std::move(run)) {}
    RunState(FitRun run) : run_(std::move(run)) {}

    /// The reconstruction; null: none runs.
    const ReconstructionRun* reconstruction() const {
        return std::get_if<ReconstructionRun>(&run_);
    }
    const FitRun* fit() const { return std::get_if<FitRun>(&run_); }  ///< null: none runs
    bool isReconstructing() const { return reconstruction() != nullptr; }
    bool isActive() const { return isReconstructing() || fit() != nullptr; }

    /// Sample of the reconstruction; null: none runs, or its files are not found yet.
    SampleRef sample() const { return isReconstructing() ? reconstruction()->sample : nullptr; }
    /// ReconstructionRun::partial; null: no reconstruction runs, or there is no partial result yet.
    ResultRef partial() const { return isReconstructing() ? reconstruction()->partial : nullptr; }
    /// Progress of the reconstruction or fit, 0…1; 0 while idle.
    double totalFraction() const {
        return isReconstructing() ? reconstruction()->totalFraction
               : fit() != nullptr ? fit()->totalFraction
                                  : 0;
    }

  private:
    std::variant<std::monostate, ReconstructionRun, FitRun> run_;
};

/// Model of the computation: a reconstruction, or a fit of the result. Setters signal every call,
/// except setShowsAnotherSample(), which signals only a change. GUI thread only.
class RunModel : public QObject {
    Q_OBJECT

  public:
    /// `result` must outlive the model.
    explicit RunModel(ResultModel& result) : result_(result) {}

    const RunState& state() const { return state_; }
    /// Begins a reconstruction, in place of any other run.
    void beginReconstruction(ReconstructionRun run);
    /// Replaces the state of the running reconstruction; ignored if none runs.
    void updateReconstruction(ReconstructionRun run);
    /// Shows the progress of the running reconstruction; ignored if none runs.
    void advance(const Progress& progress);
    /// Ends the reconstruction without a result; ignored if none runs.
    void endReconstruction();
    /// Ends the current run, then sets the result.
    void finish(ResultRef result);

    /// Shows the progress of a fit, whose phases take `phaseFractions` of its time. A phase past
    /// the end of `phaseFractions` shows 1; without `phaseFractions`, each phase counts as the
    /// whole fit.
    void advanceFit(const FitProgress& progress, std::vector<double> phaseFractions);
    /// Ends the fit; ignored if none runs.
    void endFit();

    /// Result that supplies mesh `id` and its values; may be null. RunState::partial() replaces the
    /// window's result: for MeshId::firstPublished, or for all meshes if the samples differ.
    const ResultRef& shownResult(MeshId id) const;

    /// Whether the input now shows another sample than the result's.
    bool showsAnotherSample() const { return showsAnotherSample_; }
    void setShowsAnotherSample(bool another);

  Q_SIGNALS:
    void changed();   ///< a reconstruction began, has a partial result, or ended; or
                      ///< showsAnotherSample() changed
    void advanced();  ///< a reconstruction or fit advanced; a fit began or ended

  private:
    ResultModel& result_;
    RunState state_;
    bool showsAnotherSample_ = false;
};

}  // namespace threefold::ui
