#pragma once

#include <optional>
#include <vector>

#include <QObject>

#include "engine/progress.h"
#include "ui/document/result_model.h"

namespace threefold::ui {

/// Steps of a fit in their order; hull and depth only if the fit starts from the photographs' hull.
enum class FitStep { mesh, hull, depth };

/// Progress of a fit.
struct FitProgress {
    FitStep step = FitStep::mesh;
    double fraction = 0;  ///< fraction of the step, 0…1
    bool operator==(const FitProgress&) const = default;
};

/// State of the computation for the window. During a reconstruction the window's result is the
/// previous one.
struct RunState {
    enum class Phase {
        idle,
        pending,    ///< reconstruction, before its files are found
        running,    ///< reconstruction
        fitting,    ///< fit of the window's result
        cancelled,  ///< idle; the last reconstruction or fit was cancelled
        failed,     ///< idle; the last reconstruction or fit failed
    };
    Phase phase = Phase::idle;
    SampleRef sample = {};  ///< of a reconstruction; null while it is pending
    std::vector<int> views = {};
    /// Partial result (makePartialResult()) of this run, or else of the run that it replaced. Null:
    /// none.
    ResultRef partial = {};
    /// Of each step: StepHistory::stepFractions(), or fitStepFractions().
    std::vector<double> stepFractions = {};
    std::optional<Progress> step = {};  ///< none before the first run step
    FitProgress fit = {};
    double fraction = 0;  ///< progress of the run or fit, 0…1

    bool reconstructing() const { return phase == Phase::pending || phase == Phase::running; }
    bool active() const { return reconstructing() || phase == Phase::fitting; }
};

/// Model of the computation: a reconstruction, or a fit of the result. Setters signal every call,
/// except setShowsAnotherSample(), which signals only a change. For the window's thread.
class RunModel : public QObject {
    Q_OBJECT

  public:
    /// `result` must outlive the model.
    explicit RunModel(ResultModel& result) : result_(result) {}

    const RunState& state() const { return state_; }
    /// Begins a reconstruction, or replaces its state.
    void set(RunState state);
    void advance(const Progress& step);
    /// Ends the current run, then sets the result.
    void end(ResultRef result);

    /// Shows the progress of a fit, whose steps take `stepFractions` of its time; a step
    /// past the end of `stepFractions` counts as the whole fit.
    void advanceFit(const FitProgress& progress, std::vector<double> stepFractions);
    void endFit();
    /// Ends a running fit as cancelled. A running reconstruction continues.
    void cancelFit();

    /// Result that supplies mesh `id` and its values, or null: RunState::partial for the first mesh
    /// while a run has one, and for every mesh if the run is of another sample; else the result.
    const ResultRef& shownResult(MeshId id) const;

    /// Whether the input now shows another sample than the result's.
    bool showsAnotherSample() const { return showsAnotherSample_; }
    void setShowsAnotherSample(bool another);

  Q_SIGNALS:
    void changed();   ///< a reconstruction began, has a partial result, or ended; or
                      ///< showsAnotherSample() changed
    void advanced();  ///< the step or progress of a run or fit; a fit began, ended or was cancelled

  private:
    ResultModel& result_;
    RunState state_;
    bool showsAnotherSample_ = false;
};

}  // namespace threefold::ui
