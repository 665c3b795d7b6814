#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
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
#include "engine/progress.h"
#include "ui/document/result.h"
#include "ui/run/view_cache.h"

namespace threefold::ui {

using BackendFactory = std::function<std::unique_ptr<Backend>()>;

/// What to reconstruct: an item already found, or a place to look for one.
struct Request {
    SampleRef sample;                ///< null: findSample(location)
    std::filesystem::path location;  ///< a folder, an image, or a truth file (.dat)
    std::vector<int> views;          ///< for `location`: what is wanted, see startingViews()
};

/// Work with the backend that nobody waits for: the items of a batch.
struct BackgroundTask {
    /// Called on the worker thread. Where `yield` is stopped, throw Cancelled: a request has come,
    /// and the task is called again after it. Once it returned or threw anything else, it is done.
    std::function<void(Backend& network, const std::stop_token& yield)> run;
    /// Called on the worker thread for what `run` or making the backend threw.
    std::function<void(const ErrorReport& report)> failed;
};

/// What the inspector says about the network.
struct BackendInfo {
    QString description;
    QString modelName;
    QString modelHash;   ///< SHA-256, hexadecimal
    QString provenance;  ///< "key: value" lines
};

/// Owns the backend on a thread of its own; finding, decoding, reconstructing and evaluating all
/// happen there. The newest request wins: an older one is cancelled. Signals come from that thread;
/// receivers on another get them queued. Every request ends in exactly one of finished, failed,
/// cancelled; requests end in the order in which they were posted.
class Worker : public QObject {
    Q_OBJECT

  public:
    using Id = std::uint64_t;

    /// The factory is called on the worker thread with the first request, and again with the next
    /// one if it throws.
    explicit Worker(BackendFactory makeBackend, LogFunction log = {});
    /// Cancels what runs and waits for it (≤ 100 ms by the backend's promise).
    ~Worker() override;

    /// Returns at once. Ids rise from 1.
    Id post(Request request);
    /// Cancels whatever request runs or waits; background tasks stay.
    void cancel();

    /// Runs when no request runs or waits, in the order of posting, and yields to the next request.
    /// Tasks still waiting at the end of the worker are dropped without a call.
    void postBackground(BackgroundTask task);
    /// Requests and background tasks that wait or run now. From any thread.
    std::size_t queueDepth() const;

  Q_SIGNALS:
    /// The worker is about to end: from the thread that ends it, which is the last chance to stop
    /// posting.
    void closing();
    void found(quint64 id, const threefold::ui::SampleRef& sample, const std::vector<int>& views);
    void backendReady(const threefold::ui::BackendInfo& info);
    /// The device was lost and another backend has taken over; backendReady() told of it before.
    void takenOver(const threefold::ErrorReport& report);
    void progressed(quint64 id, const threefold::Progress& progress);
    void finished(quint64 id, const threefold::ui::ResultRef& result);
    void failed(quint64 id, const threefold::ErrorReport& report);
    void cancelled(quint64 id);

  private:
    struct Job {
        Id id = 0;
        Request request;
        std::stop_source stop;
    };

    void loop(const std::stop_token& closing);
    void run(const Job& job);
    void runBackground(const BackgroundTask& task, const std::stop_token& yield);
    ResultRef work(const Job& job);
    Backend& backend();
    void noticeTakeover(const Backend& network);

    BackendFactory makeBackend_;
    LogFunction log_;
    std::unique_ptr<Backend> backend_;  // touched by the worker thread only
    ViewCache decoded_;                 // likewise
    std::string description_;           // of the backend when it was last looked at, likewise

    mutable std::mutex mutex_;
    std::condition_variable_any wake_;
    std::vector<Job> waiting_;  // all but the last are already cancelled
    std::deque<BackgroundTask> background_;
    std::optional<std::stop_source> running_;
    std::optional<std::stop_source> runningBackground_;
    Id lastId_ = 0;

    std::jthread thread_;  // last: it uses everything above
};

}  // namespace threefold::ui
