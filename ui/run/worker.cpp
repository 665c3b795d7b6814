#include "ui/run/worker.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <utility>

#include <malloc.h>
#include <sys/resource.h>

#include "engine/profile/stopwatch.h"
#include "ui/document/background.h"
#include "ui/document/view_selection.h"

namespace threefold::ui {
namespace {

using Clock = std::chrono::steady_clock;

BackendInfo describe(const Backend& backend) {
    const Model& model = backend.model();
    BackendInfo info;
    info.description = QString::fromStdString(backend.description());
    info.modelName = QString::fromStdString(model.source.filename().string());
    info.modelFile = model.source;
    info.modelHash = QString::fromStdString(model.hash);
    for (const auto& [key, value] : model.provenance) {
        info.provenance +=
            QString::fromStdString(key) + ": " + QString::fromStdString(value) + '\n';
    }
    return info;
}

ResultOrigin originOf(const Backend& backend) {
    return {backend.model().source.filename().string(),
            backend.description() + " · " + std::string(precisionName(backend.precision()))};
}

void checkCancelled(const std::stop_token& token) {
    if (token.stop_requested()) throw Cancelled();
}

}  // namespace

Worker::Worker(BackendFactory makeBackend, LogFunction log, const BatchRules& rules)
    : makeBackend_(std::move(makeBackend)), log_(std::move(log)), queue_(rules) {
    thread_ = std::jthread([this](const std::stop_token& closing) { loop(closing); });
}

Worker::~Worker() {
    Q_EMIT closing();
    thread_.request_stop();  // first: what is interrupted must not be taken up again
    cancel();
    {
        const Lock lock(mutex_);
        if (runningTask_) runningTask_->request_stop();
        for (Begun& batch : begun_) batch.stop.request_stop();
    }
    thread_.join();
}

void Worker::useBackend(BackendFactory makeBackend) {
    const Lock lock(mutex_);
    replacement_ = std::move(makeBackend);
    wake();
}

Worker::Id Worker::post(Request request) {
    const Lock lock(mutex_);
    if (running_) running_->request_stop();
    if (runningTask_) runningTask_->request_stop();
    if (!queue_.owed()) {
        for (Begun& batch : begun_) batch.stop.request_stop();
    }
    for (auto& [ticket, job] : jobs_) job.stop.request_stop();
    queue_.add({++lastTicket_, Urgency::now}, Clock::now());
    jobs_[lastTicket_] = {++lastId_, std::move(request), {}};
    wake();
    return lastId_;
}

void Worker::cancel() {
    const Lock lock(mutex_);
    if (running_) running_->request_stop();
    for (auto& [ticket, job] : jobs_) job.stop.request_stop();
}

void Worker::postBackground(BackgroundTask task) {
    const Lock lock(mutex_);
    queue_.add({++lastTicket_, Urgency::soon}, Clock::now());
    tasks_[lastTicket_] = std::move(task);
    wake();
}

std::size_t Worker::queueDepth() const {
    const Lock lock(mutex_);
    return queue_.waiting() + queue_.inFlight();
}

/// With the lock.
void Worker::wake() {
    changed_ = true;
    wake_.notify_one();
}

void Worker::loop(const std::stop_token& closing) {
    // A hand that turns the meshes comes first: while the processor computes, the panes draw 2.2
    // times as many frames as on an equal footing (threefold_frame_rate, two cores, no GPU). On
    // Linux it holds for this thread and those that it starts, the network's.
    constexpr int kNiceness = 10;
    setpriority(PRIO_PROCESS, 0, kNiceness);
    // After so long without work, memory that was freed goes back to the system: of 850 MB after
    // 50 000 interactions the C library kept 405 for itself. Sooner, the next request would have to
    // get it again.
    constexpr std::chrono::seconds kRest(5);
    Lock lock(mutex_);
    bool worked = false;
    while (true) {
        if (replacement_ && begun_.empty() && !closing.stop_requested()) {
            replaceBackend(lock);
            continue;
        }
        const auto due = std::find_if(begun_.begin(), begun_.end(), std::mem_fn(&Begun::due));
        const bool room = !replacement_ && begun_.size() < (backend_ ? backend_->mostPending() : 1);
        std::vector<BatchQueue::Id> next;
        if (closing.stop_requested()) {
            next = queue_.next(Clock::now(), Urgency::now);
            if (next.empty()) break;
        } else if (due == begun_.end() || !queue_.owed()) {
            next = queue_.next(Clock::now(), room ? Urgency::whenever : Urgency::soon);
        }
        const auto changed = [this] { return std::exchange(changed_, false); };
        if (!next.empty()) {
            worked = true;
            runNext(next, lock);
        } else if (due != begun_.end()) {
            collect(due, lock);
        } else if (const auto closes = queue_.closes(); closes && room) {
            wake_.wait_until(lock, closing, *closes, changed);
        } else if (!worked) {
            wake_.wait(lock, closing, changed);
        } else if (!wake_.wait_for(lock, closing, kRest, changed) && !closing.stop_requested()) {
            worked = false;
            lock.unlock();
            malloc_trim(0);
            lock.lock();
        }
    }
    begun_.clear();  // the backend outlives its batches
    samples_.clear();
    tasks_.clear();
}

void Worker::runNext(const std::vector<BatchQueue::Id>& next, Lock& lock) {
    bool again = false;
    if (const auto job = jobs_.extract(next.front())) {
        running_ = job.mapped().stop;
        lock.unlock();
        run(job.mapped());
        lock.lock();
        running_.reset();
    } else if (auto task = tasks_.extract(next.front())) {
        runningTask_.emplace();
        lock.unlock();
        again = !runTask(task.mapped(), runningTask_->get_token());
        lock.lock();
        runningTask_.reset();
        if (again) tasks_.insert(std::move(task));
    } else {
        return beginBatch(next, lock);
    }
    again ? queue_.putBack(next) : queue_.finish(next, Clock::now());
}

/// False: interrupted, to be called again.
bool Worker::runTask(const BackgroundTask& task, const std::stop_token& yield) {
    try {
        Backend& network = backend();
        task.run(network, yield);
        noticeTakeover(network);
    } catch (const Cancelled&) {
        return false;
    } catch (...) {
        task.failed(*currentProblem());
    }
    return true;
}

void Worker::run(const Job& job) {
    try {
        ResultRef result = work(job);
        Q_EMIT finished(job.id, result);
    } catch (...) {
        if (const std::optional<ErrorReport> problem = currentProblem("reconstruction"))
            Q_EMIT failed(job.id, *problem);
        else
            Q_EMIT cancelled(job.id);
    }
}

ResultRef Worker::work(const Job& job) {
    const std::stop_token token = job.stop.get_token();
    checkCancelled(token);
    SampleRef sample = job.request.sample;
    std::vector<int> views = job.request.views;
    if (!sample) {
        sample = std::make_shared<const Sample>(findSample(job.request.location));
        views = sample->photos && views.empty() ? defaultViews(*sample)
                                                : startingViews(views, sample->viewCount());
    }
    Q_EMIT found(job.id, sample, views);
    checkCancelled(token);
    Backend& network = backend();
    checkCancelled(token);

    Q_EMIT progressed(job.id, {Stage::load, 0.0F});
    RouteOptions route;
    route.cancel = token;
    route.silhouettes = false;
    route.read = [this](const Sample& from, int view) { return *views_->read(from, view); };
    route.coarse = [&](const SampleWork& work, const Reconstruction& soFar) {
        Q_EMIT coarseMade(job.id, makeCoarseResult(work, soFar));
    };
    route.computed = [&] { noticeTakeover(network); };
    Stopwatch sinceReport;
    Stage lastStage = Stage::load;
    route.progress = [&](const Progress& progress) {
        // A queued signal each few microseconds would starve the window of its own events.
        constexpr double kLeastInterval = 25;
        if (progress.stage == lastStage && sinceReport.milliseconds() < kLeastInterval) return;
        sinceReport = {};
        lastStage = progress.stage;
        Q_EMIT progressed(job.id, progress);
    };
    SampleWork made{std::move(sample), std::move(views)};
    reconstructSample(network, made, route);
    ResultRef result = makeResult(std::move(made), originOf(network));
    checkCancelled(token);
    return result;
}

Backend& Worker::backend() {
    if (!backend_) {
        const Stopwatch watch;
        adopt(makeBackend_());
        if (log_) {
            log_(LogLevel::info, "network ready after " +
                                     std::to_string(static_cast<int>(watch.milliseconds())) +
                                     " ms");
        }
    }
    return *backend_;
}

void Worker::adopt(std::unique_ptr<Backend> made) {
    if (!made) throw DeviceError({"", "", "there is no backend to reconstruct with", ""});
    backend_ = std::move(made);
    description_ = backend_->description();
    Q_EMIT backendReady(describe(*backend_));
}

void Worker::replaceBackend(Lock& lock) {
    BackendFactory make = std::exchange(replacement_, {});
    lock.unlock();
    try {
        adopt(make());
        makeBackend_ = std::move(make);
        Q_EMIT backendReplaced();
    } catch (...) {
        if (const std::optional<ErrorReport> problem = currentProblem("model"))
            Q_EMIT backendRefused(*problem);
    }
    lock.lock();
}

void Worker::noticeTakeover(const Backend& network) {
    const std::string now = network.description();
    if (now == description_) return;
    const std::string before = std::exchange(description_, now);
    Q_EMIT backendReady(describe(network));
    Q_EMIT takenOver({before, "", "was lost; " + now + " has taken over",
                      "Results stay right, but come later. Start Threefold again to try the GPU."});
}

}  // namespace threefold::ui
