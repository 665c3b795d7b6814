#pragma once

#include <optional>

#include <QObject>

#include "engine/profile/stopwatch.h"
#include "ui/results/result.h"
#include "ui/shell/feature_context.h"

namespace threefold::ui {

class NetworkClient;

/// A tried choice of views with its result.
struct ViewTrial {
    std::vector<int> views;
    double overlap = 0;       ///< mean silhouette overlap with all photographs, 0…1
    std::optional<double> f;  ///< F(τ) of the result, %; none without truth
    ResultRef result;
};

/// Reconstructs choices of three views, one after another on the network's thread. Every request of
/// the user comes first and interrupts the running trial. GUI thread only.
class ViewTrials : public QObject {
    Q_OBJECT

  public:
    ViewTrials(const FeatureContext& context, NetworkClient& client);
    ~ViewTrials() override;

    static constexpr std::size_t kMaxTrials = 40;

    /// Tries the views of the input, the default views and the choices that ViewChooser proposes,
    /// at most kMaxTrials in all; stops the running trials. Does nothing while no sample is open.
    void start();
    void stop();
    /// Views of the input, and the default views, when start() was last called.
    const std::vector<int>& inputViews() const { return inputViews_; }
    const std::vector<int>& defaultViews() const { return defaultViews_; }

    bool isRunning() const { return run_ != nullptr; }
    std::size_t planned() const { return planned_; }  ///< 0: not known yet
    std::size_t tried() const { return tried_; }
    /// Expected time of all trials, from the time of the shown result's run; none without a result.
    std::optional<double> expectedSeconds() const;
    /// Time left, from the mean time of the trials so far; none before the first trial has ended,
    /// and while idle.
    std::optional<double> secondsLeft() const;
    /// Successful trials, in the order of trying.
    const std::vector<ViewTrial>& trials() const { return trials_; }

  Q_SIGNALS:
    void changed();
    void failed(const threefold::ErrorReport& report);

  private:
    struct Run;

    void next(const std::shared_ptr<Run>& run);
    void onTrial(const std::shared_ptr<Run>& run, std::optional<ViewTrial> trial);
    void end(const std::shared_ptr<Run>& run, const ErrorReport& report);

    FeatureContext context_;
    NetworkClient& client_;
    std::shared_ptr<Run> run_;
    std::vector<int> inputViews_;
    std::vector<int> defaultViews_;
    std::size_t planned_ = 0;
    std::size_t tried_ = 0;
    Stopwatch sincePlanned_;
    std::vector<ViewTrial> trials_;
};

}  // namespace threefold::ui
