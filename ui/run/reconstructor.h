#pragma once

#include <filesystem>
#include <vector>

#include <QObject>

#include "engine/profile/stopwatch.h"
#include "ui/document/document.h"
#include "ui/document/stage_history.h"
#include "ui/run/worker.h"
#include "ui/shell/window_parts.h"

namespace threefold::ui {

/// Posts the window's requests to the worker, hears the worker's signals and keeps the document's
/// RunState. Only the newest request counts: signals of older requests are ignored. A failed or
/// cancelled run brings back what was shown before.
class Reconstructor : public QObject {
    Q_OBJECT

  public:
    explicit Reconstructor(const WindowParts& parts);

    // As Shell says.
    void openSample(const std::filesystem::path& location, const std::vector<int>& views);
    Worker::Id reconstruct();
    void show(const ResultRef& result);
    void showInput(const SampleRef& sample, const std::vector<int>& views);

    StageHistory& history() { return history_; }
    /// Since the newest request, or since an existing result was shown.
    const Stopwatch& sincePost() const { return sincePost_; }

  Q_SIGNALS:
    /// The document has the coarse mesh of the run under way.
    void coarseTaken();
    /// The document has a result: of a run, or an existing one.
    void resultTaken();

  private:
    void post(Request request);
    void takeCoarse(const ResultRef& result);
    void takeResult(const ResultRef& result);
    void fail(const ErrorReport& report);
    void showResult(const ResultRef& result);
    void lookAt(const Result& next);
    void abandon();
    void end(RunState::Phase phase);
    void returnInputToShown();

    WindowParts parts_;
    StageHistory history_;
    Worker::Id latest_ = 0;
    bool latestOpens_ = false;  // the newest request names a location, not the input panel's sample
    Stopwatch sincePost_;
};

}  // namespace threefold::ui
