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

/// Work with the backend of lower priority than requests: the items of a batch.
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
};

/// Owns the backend and a thread that finds, decodes, reconstructs and evaluates. The newest
/// request wins and cancels older ones. Signals come from that thread, queued for receivers on
/// others. Every request ends in exactly one of finished, failed, cancelled; requests end in the
/// order posted.
class Worker : public QObject {
    Q_OBJECT

  public:
    using Id = std::uint64_t;

    /// The factory is called on the worker thread with the first request, and again with the next
    /// one if it throws.
    explicit Worker(BackendFactory makeBackend, LogFunction log = {});
    /// Cancels the current request and waits for it (≤ 100 ms by the backend's contract).
    ~Worker() override;

    /// Returns at once. Ids rise from 1.
    Id post(Request request);
    /// Cancels running and waiting requests, not background tasks.
    void cancel();

    /// Runs when there is no request, in the order of posting. The destructor drops waiting tasks
    /// without a call.
    void postBackground(BackgroundTask task);
    /// Requests and background tasks waiting or running. From any thread.
    std::size_t queueDepth() const;

  Q_SIGNALS:
    /// From the destructor, on its thread: the last chance to stop posting.
    void closing();
    void found(quint64 id, const threefold::ui::SampleRef& sample, const std::vector<int>& views);
    void backendReady(const threefold::ui::BackendInfo& info);
    /// The device was lost and another backend took over; follows its backendReady().
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
