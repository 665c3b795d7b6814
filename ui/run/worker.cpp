#include "ui/run/worker.h"

#include <string>
#include <utility>

#include "engine/profile/stopwatch.h"
#include "ui/document/background.h"
#include "ui/document/view_selection.h"

namespace threefold::ui {
namespace {

BackendInfo describe(const Backend& backend) {
    const Model& model = backend.model();
    BackendInfo info;
    info.description = QString::fromStdString(backend.description());
    info.modelName = QString::fromStdString(model.source.filename().string());
    info.modelHash = QString::fromStdString(model.hash);
    for (const auto& [key, value] : model.provenance) {
        info.provenance +=
            QString::fromStdString(key) + ": " + QString::fromStdString(value) + '\n';
    }
    return info;
}

void checkCancelled(const std::stop_token& token) {
    if (token.stop_requested()) throw Cancelled();
}

}  // namespace

Worker::Worker(BackendFactory makeBackend, LogFunction log)
    : makeBackend_(std::move(makeBackend)), log_(std::move(log)) {
    thread_ = std::jthread([this](const std::stop_token& closing) { loop(closing); });
}

Worker::~Worker() {
    Q_EMIT closing();
    thread_.request_stop();  // first: a task that yields must not be taken up again
    cancel();
    {
        const std::scoped_lock lock(mutex_);
        background_.clear();
        if (runningBackground_) runningBackground_->request_stop();
    }
    thread_.join();
}

Worker::Id Worker::post(Request request) {
    Id id = 0;
    {
        const std::scoped_lock lock(mutex_);
        if (running_) running_->request_stop();
        if (runningBackground_) runningBackground_->request_stop();
        for (Job& job : waiting_) job.stop.request_stop();
        id = ++lastId_;
        waiting_.push_back({id, std::move(request), {}});
    }
    wake_.notify_one();
    return id;
}

void Worker::cancel() {
    const std::scoped_lock lock(mutex_);
    if (running_) running_->request_stop();
    for (Job& job : waiting_) job.stop.request_stop();
}

void Worker::postBackground(BackgroundTask task) {
    {
        const std::scoped_lock lock(mutex_);
        background_.push_back(std::move(task));
    }
    wake_.notify_one();
}

std::size_t Worker::queueDepth() const {
    const std::scoped_lock lock(mutex_);
    return waiting_.size() + background_.size() + (running_ ? 1U : 0U) +
           (runningBackground_ ? 1U : 0U);
}

void Worker::loop(const std::stop_token& closing) {
    while (true) {
        Job job;
        std::optional<BackgroundTask> task;
        {
            std::unique_lock lock(mutex_);
            wake_.wait(lock, closing, [this] { return !waiting_.empty() || !background_.empty(); });
            if (!waiting_.empty()) {
                job = std::move(waiting_.front());
                waiting_.erase(waiting_.begin());
                running_ = job.stop;
            } else if (closing.stop_requested() || background_.empty()) {
                return;
            } else {
                task = std::move(background_.front());
                background_.pop_front();
                runningBackground_ = std::stop_source();
            }
        }
        if (!task) {
            run(job);
            const std::scoped_lock lock(mutex_);
            running_.reset();
            continue;
        }
        bool again = false;
        try {
            runBackground(*task, runningBackground_->get_token());
        } catch (const Cancelled&) {
            again = true;
        }
        const std::scoped_lock lock(mutex_);
        runningBackground_.reset();
        if (again && !closing.stop_requested()) background_.push_front(std::move(*task));
    }
}

void Worker::runBackground(const BackgroundTask& task, const std::stop_token& yield) {
    try {
        Backend& network = backend();
        task.run(network, yield);
        noticeTakeover(network);
    } catch (const Cancelled&) {
        throw;
    } catch (...) {
        task.failed(*currentProblem());
    }
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
    route.read = [this](const std::filesystem::path& file) { return *decoded_.read(file); };
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
    ResultRef result = makeResult(std::move(made));
    checkCancelled(token);
    return result;
}

Backend& Worker::backend() {
    if (!backend_) {
        const Stopwatch watch;
        backend_ = makeBackend_();
        if (!backend_) throw DeviceError({"", "", "there is no backend to reconstruct with", ""});
        description_ = backend_->description();
        Q_EMIT backendReady(describe(*backend_));
        if (log_) {
            log_(LogLevel::info, "network ready after " +
                                     std::to_string(static_cast<int>(watch.milliseconds())) +
                                     " ms");
        }
    }
    return *backend_;
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
