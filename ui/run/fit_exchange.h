#pragma once

#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

#include "ui/document/run_model.h"
#include "ui/results/quantities.h"

namespace threefold::ui {

/// Passes a fit's progress from the network's thread to the GUI thread. At most one notification of
/// each kind is pending: until the GUI thread takes the progress, reportDepth() replaces the
/// fraction and addMap() appends to the maps. The fit never waits. Thread-safe.
class FitExchange {
  public:
    /// For the GUI thread: sets the quantity that the panes show.
    void setShownQuantity(Quantity quantity) { shownQuantity_ = quantity; }
    Quantity shownQuantity() const { return shownQuantity_; }

    /// For the GUI thread: requests the next mesh, once the previous mesh is on the screen.
    void requestMesh() { meshRequested_ = true; }
    /// For the fit: returns whether the GUI thread has requested a mesh since the last call; true
    /// for the first call.
    bool takeMeshRequest() { return meshRequested_.exchange(false); }

    /// For the fit: reports how much of the depth phase is done (0…1). Returns whether the GUI
    /// thread has to be notified.
    bool reportDepth(double fraction) {
        depthFraction_ = fraction;
        return depthReportTaken_.exchange(false);
    }
    /// For the GUI thread: returns the newest report.
    double takeDepth() {
        depthReportTaken_ = true;
        return depthFraction_;
    }

    /// For the fit: adds a depth map. Returns whether the GUI thread has to be notified.
    bool addMap(const ViewDepthMap& map) {
        const std::scoped_lock lock(mapsMutex_);
        maps_.push_back(map);
        return maps_.size() == 1;
    }
    /// For the GUI thread: returns the maps that were added since the last call.
    std::vector<ViewDepthMap> takeMaps() {
        const std::scoped_lock lock(mapsMutex_);
        return std::exchange(maps_, {});
    }

  private:
    std::atomic<Quantity> shownQuantity_ = Quantity::none;
    std::atomic<bool> meshRequested_ = true;
    std::atomic<double> depthFraction_ = 0;
    std::atomic<bool> depthReportTaken_ = true;
    std::mutex mapsMutex_;
    std::vector<ViewDepthMap> maps_;
};

}  // namespace threefold::ui
