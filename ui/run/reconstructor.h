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

/// Asks the worker for what the window wants, hears what comes of it and keeps the document's
/// RunState. The newest request counts: what the worker says of older ones is passed over. A failed
/// or cancelled run brings back what was there.
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
    bool latestOpens_ = false;  // it names a location instead of using the input panel
    Stopwatch sincePost_;
};

}  // namespace threefold::ui
