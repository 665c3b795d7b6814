#pragma once

#include <optional>
#include <vector>

#include <QObject>

#include "ui/document/run_model.h"

namespace threefold::ui {

/// Expected fractions of a fit's time, one for each phase that the fit may have, in order. Their
/// sum is 1.
std::vector<double> fitPhaseFractions(const Result& result, const FitChoice& choice);

/// Model of the fits: the user's choice, and the converging mesh and intermediate depth maps of the
/// fit that runs. GUI thread only.
class FitModel : public QObject {
    Q_OBJECT

  public:
    /// `result` and `run` must outlive the model.
    FitModel(ResultModel& result, RunModel& run);

    const FitChoice& choice() const { return choice_; }
    /// Sets the choice. A result that was fitted with another choice is replaced by the result
    /// before its fit.
    void setChoice(const FitChoice& choice);
    /// Whether a fit of the result is running or about to begin.
    bool isPending() const { return convergingMesh_ != nullptr; }
    /// Leaves the result without a fit until the choice changes.
    void decline();
    /// Whether decline() left the current result without a fit.
    bool isDeclined() const;

    /// Updates the progress that RunModel shows. Ignored during a reconstruction.
    void advance(const FitProgress& progress);
    /// Ends the progress that RunModel shows. Ignored during a reconstruction or without a fit.
    void end();
    /// The converging mesh while isPending(), at first the network's mesh; else null.
    const render::SceneMeshRef& convergingMesh() const { return convergingMesh_; }
    void setConvergingMesh(render::SceneMeshRef mesh);
    /// The newest depth map of each view while a fit runs, with the sample's view numbers. These
    /// maps are not yet checked against each other. The final depth maps are in the result.
    const std::vector<ViewDepthMap>& intermediateDepths() const { return intermediateDepths_; }
    void addIntermediateDepths(std::vector<ViewDepthMap> maps);

  Q_SIGNALS:
    void choiceChanged();
    void convergingMeshChanged();      ///< convergingMesh() changed, not because of a new result
    void intermediateDepthsChanged();  ///< intermediateDepths() changed

  private:
    void updateFromResult();
    void clearIntermediateDepths();
    render::SceneMeshRef meshToFit() const;

    ResultModel& result_;
    RunModel& run_;
    FitChoice choice_;
    ResultRef declined_;  // result that is not to be fitted
    render::SceneMeshRef convergingMesh_;
    std::vector<ViewDepthMap> intermediateDepths_;
};

}  // namespace threefold::ui
