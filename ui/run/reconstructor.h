#pragma once

#include "engine/profile/stopwatch.h"
#include "ui/document/step_history.h"
#include "ui/run/network_client.h"
#include "ui/shell/feature_context.h"

namespace threefold::ui {

class InputModel;
class Viewport;

/// Posts the window's requests to NetworkClient, follows its signals and sets the document's
/// RunState. Only the newest request counts: signals of older requests are ignored. A failed or
/// cancelled run restores the previous result.
class Reconstructor : public SampleOpener {
    Q_OBJECT

  public:
    Reconstructor(const WindowContext& context, InputModel& input, Viewport& viewport,
                  NetworkClient& client);

    void openSample(const std::filesystem::path& location,
                    const std::vector<int>& views = {}) override;
    RequestId reconstruct() override;
    RequestId reconstructUnlessDoubtful() override;
    void showResult(const ResultRef& result) override;
    void showInput(const SampleRef& sample, const std::vector<int>& views) override;

    StepHistory& stepHistory() { return stepHistory_; }
    /// Time since the newest request was posted, or since an existing result was shown.
    const Stopwatch& watchOfPostedRun() const { return postedRunWatch_; }

  Q_SIGNALS:
    /// The document has the partial result of the current run.
    void partialReady();
    /// The document has a result: a run's result or an existing result.
    void resultReady();

  private:
    void onSampleFound(quint64 id, const SampleRef& sample, const std::vector<int>& views);
    void onDoubtfulSampleFound(quint64 id, const SampleRef& sample, const std::vector<int>& views);
    void onPartial(quint64 id, const ResultRef& result);
    void onFinished(quint64 id, const ResultRef& result);
    void onCancelled(quint64 id);
    void onFailed(quint64 id, const ErrorReport& report);
    void post(Request request);
    void setResult(const ResultRef& result);
    void turnCamerasTo(const Result& next);
    void abandonRun();
    /// Shows the warnings of the input's cameras.
    void warnOfCameras();
    void end();
    void restoreShownInput();

    WindowContext context_;
    InputModel& input_;
    Viewport& viewport_;
    NetworkClient& client_;
    StepHistory stepHistory_;
    NetworkClient::Id newestId_ = 0;  // of the newest request; 0: no result is awaited
    QString failureText_;  // in the status line, until the banner with the reason is closed
    std::filesystem::path newestLocation_;  // of the newest request; empty: the input's sample
    Stopwatch postedRunWatch_;
};

}  // namespace threefold::ui
