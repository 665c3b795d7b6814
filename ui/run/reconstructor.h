#pragma once

#include "engine/profile/stopwatch.h"
#include "ui/document/step_history.h"
#include "ui/run/network_requests.h"
#include "ui/shell/feature_context.h"

namespace threefold::ui {

class InputModel;
class Viewport;

/// Posts the window's requests to NetworkRequests, follows its signals and sets the document's
/// RunState. Only the newest request counts: signals of older requests are ignored. A failed or
/// cancelled run restores the previous result.
class Reconstructor : public QObject {
    Q_OBJECT

  public:
    Reconstructor(const FeatureContext& context, InputModel& input, Viewport& viewport,
                  NetworkRequests& requests);

    // See WindowInterface.
    void openSample(const std::filesystem::path& location, const std::vector<int>& views);
    NetworkRequests::Id reconstruct();
    void showResult(const ResultRef& result);
    void showInput(const SampleRef& sample, const std::vector<int>& views);

    StepHistory& history() { return history_; }
    /// Time since the newest request was posted, or an existing result shown.
    const Stopwatch& sincePost() const { return sincePost_; }

  Q_SIGNALS:
    /// The document has the partial result of the current run.
    void partialReady();
    /// The document has a result, from a run or an existing one.
    void resultReady();

  private:
    void post(Request request);
    void setResult(const ResultRef& result);
    void lookAt(const Result& next);
    void abandon();
    void end();
    void returnInputToShown();

    FeatureContext context_;
    InputModel& input_;
    Viewport& viewport_;
    NetworkRequests& requests_;
    StepHistory history_;
    NetworkRequests::Id latest_ = 0;
    std::filesystem::path latestLocation_;  // of the newest request; empty: the input's sample
    Stopwatch sincePost_;
};

}  // namespace threefold::ui
