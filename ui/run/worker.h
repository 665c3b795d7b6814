#pragma once

#include <QObject>

#include "engine/network/service/network_service.h"
#include "engine/progress.h"
#include "ui/document/view_cache.h"
#include "ui/results/result.h"

namespace threefold::ui {

/// Which network computes.
struct NetworkChoice {
    std::filesystem::path model = {};  ///< its weights; empty: those at the window's start
    /// "cpu:bfloat16": a back end and its precision; empty: those at the window's start.
    std::string device = {};
    bool operator==(const NetworkChoice&) const = default;
};
/// Opens it, on the network's thread; throws what loading it throws.
using NetworkChooser = std::function<NetworkDevices(const NetworkChoice&)>;

/// What to reconstruct: an item already found, or a place to look for one.
struct Request {
    SampleRef sample = {};                ///< null: findSample(location)
    std::filesystem::path location = {};  ///< a folder, an image, or a truth file (.dat)
    std::vector<int> views = {};          ///< for `location`: the wanted ones, see startingViews();
                                          ///< none: suggestedViews()
};

/// Work with the backend that follows the requests and comes before lists: a fit.
struct BackgroundTask {
    /// Called on the network's thread. When `stop` is asked for by a new request, throws Cancelled
    /// and is called again after the request. After it throws DeviceLost, it is called again with
    /// the replacement of that device. Otherwise it is done.
    std::function<void(Backend& network, const std::stop_token& stop)> run;
    /// Called on the network's thread if `run` or making the backend throws.
    std::function<void(const ErrorReport& report)> failed;
    std::stop_token unwanted = {};  ///< stops it, too; then it is not called again
};

/// The network as the inspector shows it.
struct BackendInfo {
    QString description;
    QString modelName;
    QString modelHash;   ///< SHA-256, hexadecimal
    QString provenance;  ///< "key: value" lines
    std::filesystem::path modelFile;
    std::optional<ErrorReport> unusedGpu;  ///< see NetworkInfo
};

/// Passes the window's requests to the network. The newest request wins and cancels older ones.
/// Signals come from the network's threads, queued for receivers on others. Every request ends in
/// exactly one of finished, failed, cancelled; requests end in the order posted.
///
/// A request is a task of the network that is `now`, a background task one that is `soon`; lists
/// share the network with them, see NetworkService.
class Worker : public QObject {
    Q_OBJECT

  public:
    using Id = std::uint64_t;

    /// `open` is called on the network's thread with the first request, and again with the next one
    /// if it throws.
    explicit Worker(NetworkOpener open, LogFunction log = {},
                    Scheduler::Duration patience = Scheduler::kPatience);
    /// Cancels the running request and waits for it (≤ 100 ms by the backend's contract).
    ~Worker() override;

    /// Opens another network before the next request begins, and keeps the present one if that
    /// throws: backendReplaced() or backendRefused() follows. Returns at once.
    void useBackend(NetworkOpener open);
    /// Returns at once. Ids rise from 1.
    Id post(Request request);
    /// Cancels running and waiting requests, not background tasks.
    void cancel();

    /// Runs when there is no request, in the order of posting. The destructor drops waiting tasks
    /// without a call.
    void postBackground(BackgroundTask task);
    /// Requests, background tasks and samples of lists, waiting or running. From any thread.
    std::size_t queueDepth() const { return network_->depth(); }
    /// The cache that it reads views from.
    const std::shared_ptr<ViewCache>& views() const { return views_; }
    /// For lists. Closed when the worker ends.
    const std::shared_ptr<NetworkService>& network() const { return network_; }

  Q_SIGNALS:
    /// From the destructor, on its thread: the last chance to stop posting.
    void closing();
    void found(quint64 id, const threefold::ui::SampleRef& sample, const std::vector<int>& views);
    void backendReady(const threefold::ui::BackendInfo& info);
    /// After the backendReady() of useBackend().
    void backendReplaced();
    void backendRefused(const threefold::ErrorReport& report);
    /// The device was lost and another backend took over; follows its backendReady().
    void takenOver(const threefold::ErrorReport& report);
    void progressed(quint64 id, const threefold::Progress& progress);
    /// The coarse mesh is ready, the refined one is not: see makeCoarseResult(). Only some backends
    /// emit it.
    void coarseMade(quint64 id, const threefold::ui::ResultRef& result);
    void finished(quint64 id, const threefold::ui::ResultRef& result);
    void failed(quint64 id, const threefold::ErrorReport& report);
    void cancelled(quint64 id);

  private:
    struct Job {
        Id id = 0;
        Request request;
        std::stop_source stop;
        bool isFound = false;  // and its request names a sample
    };

    void run(Job& job, DeviceTurn& turn);

    const std::shared_ptr<ViewCache> views_ = std::make_shared<ViewCache>();
    std::mutex mutex_;
    Id lastId_ = 0;
    std::stop_source newest_;  // all others are stopped
    std::shared_ptr<NetworkService> network_;
};

}  // namespace threefold::ui
