#pragma once

#include <atomic>
#include <filesystem>
#include <optional>
#include <variant>

#include <QObject>

#include "engine/log.h"
#include "engine/model/progress.h"
#include "engine/network/service/network_service.h"
#include "ui/document/view_cache.h"
#include "ui/results/result.h"

namespace threefold::ui {

/// Choice of a network and its device.
struct NetworkChoice {
    std::filesystem::path model = {};  ///< weights; empty: the weights at the window's start
    /// Back end and precision, "cpu:bfloat16"; empty: the back end and precision at the window's
    /// start.
    std::string device = {};
    bool operator==(const NetworkChoice&) const = default;
};
/// Opens the chosen network, on the network's thread. Throws Error.
using ChosenNetworkOpener = std::function<NetworkDevices(const NetworkChoice&)>;

/// Networks that the window can run.
struct NetworkSources {
    /// Opens the network at the window's start, on the network's thread, while the window is
    /// already on the screen.
    NetworkOpener openInitial = {};
    ChosenNetworkOpener openChosen = {};  ///< opens another network; null: not possible
    /// Names of the devices that a choice may name, in the order of the menus; null: none. Called
    /// on the GUI thread once a network is open.
    std::function<std::vector<std::string>()> deviceNames = {};
    /// Time that clicks may hold up a list: NetworkServiceOptions::maxListWait.
    Scheduler::Duration maxListWait = Scheduler::kDefaultMaxListWait;
};

/// Input of a reconstruction.
struct Request {
    /// The sample (not null), or its location for findSample(): a folder, an image, or a truth file
    /// (.dat).
    std::variant<SampleRef, std::filesystem::path> input;
    /// Views of the sample. With a location: the views wanted from startingViews(), which must
    /// exist, or empty for suggestedViews().
    std::vector<int> views = {};
};

/// Background work on the back end, such as a fit. It is scheduled after requests and before lists.
struct BackgroundTask {
    using Run = std::function<void(Backend& network, const std::stop_token& stop)>;
    /// Called on the network's thread. A new request asks `run` to stop through `stop`. If `run`
    /// then throws Cancelled, it is called again once that request is done; after DeviceLost it is
    /// called again with the replacement device. Any other end finishes the task.
    Run run;
    /// Called on the network's thread if `run` throws or the back end cannot be made.
    std::function<void(const ErrorReport& report)> failed;
    std::stop_token cancel = {};  ///< stops the task for good
};

/// Description of the network for the inspector.
struct NetworkDescription {
    QString description;
    QString modelName;
    QString modelHash;   ///< SHA-256, hexadecimal
    QString provenance;  ///< "key: value" lines
    std::filesystem::path modelFile;
    std::optional<ErrorReport> unusedGpu;  ///< see NetworkInfo
};

/// Adapter of NetworkService to Qt's signals: passes the window's requests to the network. The
/// newest request wins and cancels older requests. Every request ends in exactly one of finished,
/// failed, cancelled, doubtfulSampleFound; requests end in the order posted. Signals are emitted on
/// the network's thread; Qt queues them for receivers on other threads.
///
/// Requests run before background tasks, and both before lists; see NetworkService.
class NetworkClient : public QObject {
    Q_OBJECT

  public:
    using Id = std::uint64_t;

    /// Calls `open` on the network's thread with the first request; if `open` throws, again with
    /// the next request.
    explicit NetworkClient(NetworkOpener open, LogFunction log = {},
                           Scheduler::Duration maxListWait = Scheduler::kDefaultMaxListWait);
    /// Cancels the running request and waits for its end (≤ 100 ms by the contract of Backend).
    ~NetworkClient() override;

    /// Opens another network before the next request begins; keeps the current network if opening
    /// throws. networkReplaced() or networkRejected() follows, unless a newer call supersedes this
    /// call. Returns at once, with the number of the call, from 1.
    Id useNetwork(NetworkOpener open);
    /// Posts a request and returns at once. Ids rise from 1.
    Id post(Request request);
    /// Cancels running and waiting requests, not background tasks.
    void cancel();

    /// Posts a task to run when there is no request, in the order of posting. The destructor drops
    /// waiting tasks without a call.
    void postBackground(BackgroundTask task);
    /// Number of requests, background tasks and samples of lists that wait or run. Any thread.
    std::size_t queueDepth() const { return service_->pendingCount(); }
    /// Cache from which the requests read views.
    const std::shared_ptr<ViewCache>& viewCache() const { return viewCache_; }
    /// Network for lists; closed by the destructor.
    const std::shared_ptr<NetworkService>& service() const { return service_; }

  Q_SIGNALS:
    /// Emitted by the destructor, on its thread: the last chance to stop posting.
    void closing();
    void sampleFound(quint64 id, const threefold::ui::SampleRef& sample,
                     const std::vector<int>& views);
    /// The sample at a request's location has doubtful cameras (PosedPhotos::warnings): the request
    /// ends without a reconstruction. With the sample itself, a request reconstructs it.
    void doubtfulSampleFound(quint64 id, const threefold::ui::SampleRef& sample,
                             const std::vector<int>& views);
    void networkReady(const threefold::ui::NetworkDescription& info);
    /// Follows the networkReady() of useNetwork().
    void networkReplaced();
    /// `number`: the value that the call of useNetwork() returned.
    void networkRejected(const threefold::ErrorReport& report, quint64 number);
    /// The device was lost and another back end took over. Follows that back end's networkReady().
    void deviceReplaced(const threefold::ErrorReport& report);
    void progressed(quint64 id, const threefold::Progress& progress);
    /// The first published mesh is ready, the result not yet: see makePartialResult(). Emitted with
    /// some back ends only.
    void partialReady(quint64 id, const threefold::ui::ResultRef& result);
    void finished(quint64 id, const threefold::ui::ResultRef& result);
    void failed(quint64 id, const threefold::ErrorReport& report);
    void cancelled(quint64 id);

  private:
    struct FoundInput {
        SampleRef sample;
        std::vector<int> views;
    };
    struct Job {
        Id id = 0;
        Request request;
        std::stop_source stop;
        std::optional<FoundInput> input = {};  // of the request; none before its first run
    };

    FoundInput findInput(const Request& request, const std::stop_token& token) const;

    void run(Job& job, DeviceAccess& access);
    /// Emits failed() or, after Cancelled, cancelled().
    void reportFailure(Id id, const std::exception_ptr& failure);

    const std::shared_ptr<ViewCache> viewCache_ = std::make_shared<ViewCache>();
    std::atomic<Id> lastNetwork_ = 0;  // number of the newest call of useNetwork()
    std::mutex mutex_;
    Id lastId_ = 0;
    std::stop_source newest_;  // of the newest request; older requests are stopped already
    std::shared_ptr<NetworkService> service_;
};

}  // namespace threefold::ui
