#pragma once

#include <QObject>

#include "ui/results/result.h"
#include "ui/shell/window_parts.h"

namespace threefold::ui {

class InputPanel;
class Worker;

/// One choice of views, reconstructed.
struct ViewTrial {
    std::vector<int> views;
    double overlap = 0;  ///< of the refined mesh with all photographs' silhouettes, mean, 0…1
    std::optional<double> f;  ///< F(τ) of the refined mesh, %; none without truth
    ResultRef result;
};

/// Reconstructs choices of three views one after another on the network's thread, after every
/// request of the user, which interrupts the running one. For the window's thread.
class ViewTrials : public QObject {
    Q_OBJECT

  public:
    ViewTrials(const WindowParts& parts, InputPanel& input, Worker& worker);
    ~ViewTrials() override;

    static constexpr std::size_t kMost = 40;

    /// Tries the views of the input, the usual ones and the choices that ViewChooser proposes, at
    /// most kMost in all; stops the present trials. Does nothing while no item is open.
    void start();
    void stop();
    /// Those views, of the trials started last.
    const std::vector<int>& current() const { return current_; }
    const std::vector<int>& usual() const { return usual_; }

    bool running() const { return run_ != nullptr; }
    std::size_t planned() const { return planned_; }  ///< 0 until it is known
    std::size_t tried() const { return tried_; }
    /// In the order in which they were tried.
    const std::vector<ViewTrial>& trials() const { return trials_; }

  Q_SIGNALS:
    void changed();
    void failed(const threefold::ErrorReport& report);

  private:
    struct Run;

    void next(const std::shared_ptr<Run>& run);
    void onTrial(const std::shared_ptr<Run>& run, std::optional<ViewTrial> trial);
    void end(const std::shared_ptr<Run>& run, const ErrorReport& report);

    WindowParts parts_;
    InputPanel& input_;
    Worker& worker_;
    std::shared_ptr<Run> run_;
    std::vector<int> current_;
    std::vector<int> usual_;
    std::size_t planned_ = 0;
    std::size_t tried_ = 0;
    std::vector<ViewTrial> trials_;
};

}  // namespace threefold::ui
