#pragma once

#include <cstdint>
#include <functional>

#include <QList>
#include <QObject>
#include <QTimer>

#include "ui/run/live_update.h"
#include "ui/run/masked_view_cache.h"

namespace threefold::ui {

class Viewport;
class NetworkClient;

/// Fits each new result to its photographs, on the network's thread.
///
/// A fit takes all cores, so it starts once the result is on the screen; in live update, when
/// the input rests. A new request stops the fit. The document shows the mesh while the fit
/// converges; then the stage slider goes from the network's result to the fitted mesh. After a
/// failure, which the status line reports, the network's mesh stays.
class FitRunner : public QObject {
    Q_OBJECT

  public:
    FitRunner(const FeatureContext& context, Viewport& viewport, NetworkClient& client,
              const LiveUpdate& liveUpdate);
    ~FitRunner() override;

  Q_SIGNALS:
    /// Emitted before the document gets the result.
    void fitted(const threefold::ui::ResultRef& result);
    /// The fit of the document's result has ended, with a fitted mesh or without.
    void ended();

  private:
    struct Run;
    struct Job;

    void buildMenu();
    void connectNetwork();
    void connectDocument();
    void onPresented(quint64 serial);
    void choose(const std::function<void(FitChoice&)>& change);
    void updateFromChoice();
    void restartFit();
    void begin();
    void stop();
    void cancel();
    void onFitted(const std::shared_ptr<Run>& run, const ResultRef& result);
    /// Adds the fitted mesh to the viewport's framed points, because this mesh may reach farther
    /// than the network's mesh.
    void extendFramedPoints(const Result& result);

    FeatureContext context_;
    NetworkClient& client_;
    Viewport& viewport_;
    const LiveUpdate& liveUpdate_;
    std::shared_ptr<MaskedViewCache> maskedViews_;  // used on the network's thread only
    QAction* enableAction_ = nullptr;
    QList<QAction*> viewActions_;    // in the order of kFitKindNames
    QList<QAction*> sourceActions_;  // in the order of kFitSourceMenu
    QTimer startTimer_;
    std::uint64_t resultSerial_ = 0;  // of the result's picture, which comes before its fit
    std::shared_ptr<Run> run_;        // null: no fit is posted
};

/// Adds the fit and its menu.
FitRunner& addFitRunner(const FeatureContext& context, Viewport& viewport, NetworkClient& client,
                        const LiveUpdate& liveUpdate);

}  // namespace threefold::ui
