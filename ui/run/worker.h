#pragma once

#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include <QObject>
#include <QString>

#include "engine/error.h"
#include "engine/network/backend.h"
#include "engine/pipeline/batch_queue.h"
#include "engine/progress.h"
#include "ui/document/result.h"
#include "ui/document/view_cache.h"
#include "ui/run/network_call.h"

namespace threefold::ui {

using BackendFactory = std::function<std::unique_ptr<Backend>()>;
/// Makes a backend of a model file; throws what loading it throws.
using ModelOpener = std::function<std::unique_ptr<Backend>(const std::filesystem::path& model)>;

/// What to reconstruct: an item already found, or a place to look for one.
struct Request {
    SampleRef sample;                ///< null: findSample(location)
    std::filesystem::path location;  ///< a folder, an image, or a truth file (.dat)
    std::vector<int> views;          ///< for `location`: what is wanted, see startingViews()
};

/// Work with the backend that follows the requests and comes before lists: a fit.
struct BackgroundTask {
    /// Called on the worker thread. When `yield` is stopped by a new request, throws Cancelled and
    /// is called again after the request. Otherwise it is done.
    std::function<void(Backend& network, const std::stop_token& yield)> run;
    /// Called on the worker thread if `run` or making the backend throws.
    std::function<void(const ErrorReport& report)> failed;
};

/// The network as the inspector shows it.
struct BackendInfo {
    QString description;
    QString modelName;
    QString modelHash;   ///< SHA-256, hexadecimal
    QString provenance;  ///< "key: value" lines
    std::filesystem::path modelFile;
};

/// Owns the backend and a thread that finds, decodes, reconstructs and evaluates. The newest
/// request wins and cancels older ones. Signals come from that thread, queued for receivers on
/// others. Every request ends in exactly one of finished, failed, cancelled; requests end in the
/// order posted.
///
/// Lists and background tasks share the network with the requests, see BatchQueue. A request
/// interrupts what is in flight, which begins again afterwards, unless a list is owed its turn; it
/// never waits for more than the batches in flight. On a processor that ends within 100 ms; what a
/// GPU has begun, at most Backend::mostPending(), it computes to the end.
class Worker : public QObject {
    Q_OBJECT

  public:
    using Id = std::uint64_t;

    /// The factory is called on the worker thread with the first request, and again with the next
    /// one if it throws.
    explicit Worker(BackendFactory makeBackend, LogFunction log = {}, const BatchRules& rules = {});
    /// Cancels the current request and waits for it (≤ 100 ms by the backend's contract).
    ~Worker() override;

    /// Makes another backend before the next request begins, and keeps the present one where that
    /// throws: backendReplaced() or backendRefused() follows. Returns at once.
    void useBackend(BackendFactory makeBackend);
    /// Returns at once. Ids rise from 1.
    Id post(Request request);
    /// Cancels running and waiting requests, not background tasks.
    void cancel();

    /// Runs when there is no request, in the order of posting. The destructor drops waiting tasks
    /// without a call.
    void postBackground(BackgroundTask task);
    /// Requests, background tasks and samples of lists, waiting or running. From any thread.
    std::size_t queueDepth() const;
    /// What it reads views from.
    const std::shared_ptr<ViewCache>& views() const { return views_; }

    // For SharedNetwork; from any thread.
    /// As Backend::submit().
    void submit(const std::shared_ptr<NetworkCall>& call, std::vector<NetworkInput> inputs);
    /// The caller waits for the answer: a batch is collected only then.
    void want(NetworkCall& call);
    /// Drops the call as soon as the network allows.
    void withdraw(NetworkCall& call);

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
    /// The coarse mesh is there, the refined one is not: see makeCoarseResult(). Not from every
    /// backend.
    void coarseMade(quint64 id, const threefold::ui::ResultRef& result);
    void finished(quint64 id, const threefold::ui::ResultRef& result);
    void failed(quint64 id, const threefold::ErrorReport& report);
    void cancelled(quint64 id);

  private:
    struct Job {
        Id id = 0;
        Request request;
        std::stop_source stop;
    };
    /// A batch of lists that the backend has accepted, or was about to.
    struct Begun {
        std::vector<BatchQueue::Id> ids;
        std::vector<ListSample> samples;   // their inputs are below
        std::vector<NetworkInput> inputs;  // must not move while the batch is pending
        std::stop_source stop;
        std::unique_ptr<PendingBatch> pending;
        bool due() const;  // a caller waits for it
    };
    using BegunRef = std::list<Begun>::iterator;
    using Lock = std::unique_lock<std::mutex>;

    // These are called with the lock, and work without it.
    void loop(const std::stop_token& closing);
    void runNext(const std::vector<BatchQueue::Id>& next, Lock& lock);
    void beginBatch(const std::vector<BatchQueue::Id>& ids, Lock& lock);
    void collect(BegunRef batch, Lock& lock);
    void endBatch(BegunRef batch, std::vector<Reconstruction> results,
                  const std::exception_ptr& failure);
    void returnBatch(BegunRef batch);
    void drop(NetworkCall& call);

    void run(const Job& job);
    bool runTask(const BackgroundTask& task, const std::stop_token& yield);
    ResultRef work(const Job& job);
    Backend& backend();
    void adopt(std::unique_ptr<Backend> made);
    void replaceBackend(Lock& lock);
    void noticeTakeover(const Backend& network);
    void wake();

    BackendFactory makeBackend_;
    LogFunction log_;
    std::unique_ptr<Backend> backend_;  // touched by the worker thread only
    std::string description_;           // of the backend when it was last looked at, likewise
    const std::shared_ptr<ViewCache> views_ = std::make_shared<ViewCache>();

    mutable std::mutex mutex_;
    std::condition_variable_any wake_;
    bool changed_ = false;        // since the thread last looked
    BackendFactory replacement_;  // empty: none is wanted
    BatchQueue queue_;
    BatchQueue::Id lastTicket_ = 0;
    // What waits, by its number in the queue.
    std::map<BatchQueue::Id, Job> jobs_;  // all but the last are already cancelled
    std::map<BatchQueue::Id, BackgroundTask> tasks_;
    std::map<BatchQueue::Id, ListSample> samples_;
    // What runs.
    std::optional<std::stop_source> running_;  // a job
    std::optional<std::stop_source> runningTask_;
    std::list<Begun> begun_;
    Id lastId_ = 0;

    std::jthread thread_;  // last: it uses everything above
};

}  // namespace threefold::ui
