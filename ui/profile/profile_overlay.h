#pragma once

#include <QPointF>

#include "engine/profile/cpu_utilisation_meter.h"
#include "ui/profile/profile_view.h"
#include "ui/run/window_network.h"
#include "ui/shell/feature_context.h"

namespace threefold::ui {

class Viewport;

/// File format of a saved profile.
enum class ProfileFormat { chromeTrace, json, png };

/// Live profile over the panes: steps of the last runs, frame times, memory, queue. P toggles it;
/// while off, only runs and frames are recorded. Requests a frame when a run or fit ends, the
/// number of superseded requests changes or the pointer moves over the panel, and once a second if
/// the network's GPU has gauges or the processor load of this process has changed by five points.
class ProfileOverlay : public QObject {
    Q_OBJECT

  public:
    /// The parts of `network` must outlive this object.
    ProfileOverlay(const FeatureContext& context, Viewport& viewport, const WindowNetwork& network);

    bool isOn() const { return action_->isChecked(); }
    /// View of the last frame; null while off.
    const render::ProfilePanelViewRef& view() const { return view_; }
    const ProfileHistory& history() const { return history_; }

    /// Sets the gauges to show, see GpuMonitor. networkReady() sets the gauges of the network.
    void setGauges(std::vector<std::string> pciBusIds,
                   std::filesystem::path library = kNvmlLibrary);

    /// Writes the profile in the background; saved() or a message in the banner follows.
    void save(const std::filesystem::path& file, ProfileFormat format);

  public Q_SLOTS:
    /// Sets the number of superseded requests of live update; none: the mode is off.
    void setSuperseded(std::optional<std::size_t> requests) {
        if (std::exchange(numbers_.supersededRequests, requests) != requests) requestFrame();
    }

  Q_SIGNALS:
    void saved(const QString& file);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void connectNetwork();
    void connectFits();
    void setOn(bool on);
    void readProcessor();
    render::ProfilePanelViewRef makeView();
    bool isOverPanel(QPointF position) const;
    void movePointer(std::optional<QPointF> position);
    void askForFile();
    void savePicture(const std::filesystem::path& file);
    void write(const std::filesystem::path& file, std::function<void()> work);
    /// Requests a frame while the profile is shown.
    void requestFrame();

    FeatureContext context_;
    Viewport& viewport_;
    const WindowNetwork network_;
    QAction* action_;
    ProfileHistory history_;
    LaneKind device_ = LaneKind::processor;
    ProfileNumbers numbers_;  // of the last frame
    std::vector<std::string> pciBusIds_;
    std::filesystem::path nvml_ = kNvmlLibrary;
    std::unique_ptr<GpuMonitor> gauges_;  // null while off, and without GPUs
    CpuUtilisationMeter processor_;
    QTimer gaugeTimer_;  // runs while on

    std::shared_ptr<const render::PanelFont> font_;
    std::shared_ptr<const render::FlameGraph> flames_;  // null: outdated
    bool flamesDark_ = true;                            // the theme of `flames_`
    render::ProfilePanelViewRef view_;
    double panelViewMilliseconds_ = 0;
    std::optional<QPointF> pointer_;
    bool pressed_ = false;  // a drag that began over the panel; the panes ignore it
};

/// Adds the profile over the panes, and its commands.
ProfileOverlay& addProfileOverlay(const FeatureContext& context, Viewport& viewport,
                                  const WindowNetwork& network);

}  // namespace threefold::ui
