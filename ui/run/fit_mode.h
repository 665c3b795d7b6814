#pragma once

#include <functional>

#include <QList>
#include <QObject>
#include <QTimer>

#include "ui/run/continuous.h"
#include "ui/run/masked_view_cache.h"

namespace threefold::ui {

class Viewport;
class Worker;

/// Fits each result that awaits it: moves its refined mesh to the photographs of its sample, on a
/// thread of the network, and puts the fitted mesh into the document as it converges. A new request
/// stops it; in continuous mode it begins when the input rests. A failure is reported in the status
/// line, and the network's mesh stays.
class FitMode : public QObject {
    Q_OBJECT

  public:
    FitMode(const WindowParts& parts, Viewport& viewport, Worker& worker,
            const ContinuousMode& continuous);
    ~FitMode() override;

  Q_SIGNALS:
    /// Emitted before the document gets the result.
    void fitted(const threefold::ui::ResultRef& result);
    /// The fit of the document's result is over: fitted, or the network's mesh stays.
    void ended();

  private:
    struct Run;

    void buildMenu();
    void choose(const std::function<void(FitChoice&)>& change);
    void followChoice();
    void follow();
    void begin();
    void stop();
    void cancel();
    void onFitted(const std::shared_ptr<Run>& run, const ResultRef& result);

    WindowParts parts_;
    Worker& worker_;
    const ContinuousMode& continuous_;
    std::shared_ptr<MaskedViewCache> photographs_;  // for the network's thread alone
    QAction* on_ = nullptr;
    QList<QAction*> views_;  // of kFitKindNames
    QList<QAction*> from_;   // of kFitFromNames
    QTimer rest_;
    std::shared_ptr<Run> run_;  // null: the result does not await its fit, or the fit rests
};

}  // namespace threefold::ui
