#include "ui/batch/batch_run.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <utility>

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>

#include "engine/evaluation/evaluate.h"
#include "engine/sample/data_set.h"
#include "engine/sample/ground_truth.h"
#include "engine/sample/test_list.h"

namespace threefold::ui {
namespace {

constexpr std::size_t kMostInFlight = 3;  // one in the network, one ready, one being evaluated
constexpr std::size_t kMostKept = 16;

QString problemOf(const std::exception& error) {
    const auto* const known = dynamic_cast<const Error*>(&error);
    if (known == nullptr) return QString::fromUtf8(error.what());
    const ErrorReport& report = known->report();
    const QString place = QString::fromStdString(report.place);
    const QString problem = QString::fromStdString(report.problem);
    return place.isEmpty() ? problem : place + ": " + problem;
}

std::vector<std::string> locationsOf(const BatchPlan& plan, const std::stop_token& stop) {
    if (isTestList(plan.source)) return readTestList(plan.source);
    std::vector<std::string> locations;
    walkDataSet(plan.source, stop,
                [&](const DataSetItem& item) { locations.push_back(item.folder.string()); });
    return locations;
}

/// A list's lines are test-list names or paths, relative to the list or not.
Sample findListed(const std::string& location, const BatchPlan& plan) {
    if (!isTestList(plan.source)) return findSample(location);
    const std::filesystem::path beside = plan.source.parent_path();
    std::error_code error;
    if (std::filesystem::exists(beside / location, error)) return findSample(beside / location);
    const bool own = std::filesystem::is_directory(beside / "ShapeNetRendering", error);
    return findSample(location, own ? beside : plan.imageRoot);
}

BatchRow rowOf(const std::string& location, const Sample& sample) {
    BatchRow row;
    row.location = location;
    row.category = sample.category;
    row.item = sample.item;
    return row;
}

}  // namespace

// The way to the worker, until that ends.
struct BatchRun::Link {
    std::mutex mutex;
    Worker* worker = nullptr;

    void post(BackgroundTask task) {
        const std::scoped_lock lock(mutex);
        if (worker != nullptr) worker->postBackground(std::move(task));
    }
};

// What the threads of one run share; they may outlive the run's object by an item.
struct BatchRun::Shared {
    std::shared_ptr<Link> link;
    std::stop_source stop;
    std::atomic<bool> fed = false;  // its thread has nothing left to do
    std::mutex mutex;
    std::condition_variable_any changed;
    bool paused = false;
    std::size_t inFlight = 0;
    std::size_t waitingForNetwork = 0;
    std::function<void(Finished)> finish;      // from any thread
    std::function<void(std::size_t)> planned;  // likewise
    std::function<void(ErrorReport)> unreadable;

    /// False: cancelled.
    bool enter() {
        std::unique_lock lock(mutex);
        const bool free = changed.wait(lock, stop.get_token(),
                                       [this] { return !paused && inFlight < kMostInFlight; });
        if (!free || stop.stop_requested()) return false;
        ++inFlight;
        return true;
    }
    void leave(Finished finished) {
        {
            const std::scoped_lock lock(mutex);
            --inFlight;
        }
        changed.notify_all();
        if (!stop.stop_requested()) finish(std::move(finished));
    }
    void countWaiting(int change) {
        const std::scoped_lock lock(mutex);
        waitingForNetwork += static_cast<std::size_t>(change);
    }
};

BatchRun::BatchRun(Worker& worker, QObject* parent)
    : QObject(parent), link_(std::make_shared<Link>()) {
    link_->worker = &worker;
    connect(
        &worker, &Worker::closing, this,
        [this] {
            cancel();
            const std::scoped_lock lock(link_->mutex);
            link_->worker = nullptr;
        },
        Qt::DirectConnection);
}

BatchRun::~BatchRun() {
    if (shared_) shared_->stop.request_stop();
}

void BatchRun::start(BatchPlan plan) {
    cancel();
    plan_ = std::move(plan);
    if (plan_.views.empty()) plan_.views = kPublishedViews;
    rows_.clear();
    kept_.clear();
    overall_ = {};
    categories_.clear();
    total_ = 0;
    activeSeconds_ = 0;
    sinceResume_ = {};
    shared_ = std::make_shared<Shared>();
    shared_->link = link_;
    // Of an earlier run nothing is heard any more.
    const auto here = [self = QPointer<BatchRun>(this),
                       mine = std::weak_ptr<Shared>(shared_)](auto what) {
        QMetaObject::invokeMethod(qApp, [self, mine, what = std::move(what)]() mutable {
            if (self && mine.lock() == self->shared_) what(*self);
        });
    };
    shared_->finish = [here](Finished finished) {
        here([finished = std::move(finished)](BatchRun& run) mutable {
            run.take(std::move(finished));
        });
    };
    shared_->planned = [here](std::size_t total) {
        here([total](BatchRun& run) {
            run.total_ = total;
            Q_EMIT run.planned();
            if (total == 0) run.setState(State::done);
        });
    };
    shared_->unreadable = [here](const ErrorReport& report) {
        here([report](BatchRun& run) {
            run.setState(State::cancelled);
            Q_EMIT run.failed(report);
        });
    };
    setState(State::running);
    // A thread that has ended keeps its stack until it is joined.
    std::erase_if(feeders_, [](const Feeder& feeder) { return feeder.run->fed.load(); });
    feeders_.push_back({shared_, std::jthread([shared = shared_, plan = plan_] {
                            feed(shared, plan);
                            shared->fed = true;
                        })});
}

void BatchRun::feed(const std::shared_ptr<Shared>& shared, const BatchPlan& plan) {
    std::vector<std::string> locations;
    try {
        locations = locationsOf(plan, shared->stop.get_token());
    } catch (const Error& error) {
        shared->unreadable(error.report());
        return;
    } catch (const std::exception& error) {
        shared->unreadable({plan.source.string(), "", error.what(), ""});
        return;
    }
    shared->planned(locations.size());
    for (const std::string& location : locations) {
        if (!shared->enter()) return;
        Finished finished;
        finished.row.location = location;
        finished.row.item = std::filesystem::path(location).filename().string();
        try {
            auto sample = std::make_shared<const Sample>(findListed(location, plan));
            finished.row = rowOf(location, *sample);
            finished.sample = sample;
            if (sample->groundTruth.empty()) {
                throw InputError({"", "", "there is no truth to measure against", ""});
            }
            const auto truth =
                std::make_shared<const GroundTruth>(loadGroundTruth(*sample, plan.views.front()));
            const auto input = std::make_shared<const NetworkInput>(loadViews(*sample, plan.views));
            shared->countWaiting(1);
            const auto fail = [shared, finished](const QString& problem) {
                shared->countWaiting(-1);
                Finished ended = finished;
                ended.row.problem = problem;
                shared->leave(std::move(ended));
            };
            BackgroundTask task;
            task.failed = [fail](const ErrorReport& report) {
                fail(QString::fromStdString(report.problem));
            };
            task.run = [shared, finished, input, truth](Backend& network,
                                                        const std::stop_token& yield) {
                if (shared->stop.stop_requested()) return;
                std::stop_source either;
                const std::stop_callback yields(yield, [&] { either.request_stop(); });
                const std::stop_callback ends(shared->stop.get_token(),
                                              [&] { either.request_stop(); });
                RunOptions options;
                options.cancel = either.get_token();
                auto made = std::make_shared<Reconstruction>(network.reconstruct(*input, options));
                shared->countWaiting(-1);
                QThreadPool::globalInstance()->start(
                    [shared, truth, made, done = finished]() mutable {
                        done.row.milliseconds = made->milliseconds();
                        try {
                            const Evaluation evaluation = evaluate(*made, *truth);
                            const Measures& coarse = evaluation.coarse.measures;
                            const Measures& refined = evaluation.refined.measures;
                            done.row.chamferCoarse = coarse.chamfer;
                            done.row.chamferRefined = refined.chamfer;
                            done.row.fCoarse = coarse.atTau().f;
                            done.row.fRefined = refined.atTau().f;
                            done.row.fTwoTau = refined.atTwoTau().f;
                            done.reconstruction = std::move(made);
                        } catch (const std::exception& error) {
                            done.row.problem = problemOf(error);
                        }
                        shared->leave(std::move(done));
                    });
            };
            shared->link->post(std::move(task));
        } catch (const std::exception& error) {
            finished.row.problem = problemOf(error);
            shared->leave(std::move(finished));
        }
    }
}

void BatchRun::take(Finished finished) {
    if (state_ == State::cancelled) return;  // it was on its way already
    const std::size_t row = rows_.size();
    overall_.add(finished.row);
    BatchMeans& category = categories_[finished.row.category];
    category.category = finished.row.category;
    category.add(finished.row);
    if (finished.reconstruction) {
        kept_.push_front({row, std::move(finished.sample), std::move(finished.reconstruction)});
        if (kept_.size() > kMostKept) kept_.pop_back();
    }
    rows_.push_back(std::move(finished.row));
    Q_EMIT rowsAdded(static_cast<int>(row), static_cast<int>(row));
    if (rows_.size() == total_) setState(State::done);
}

void BatchRun::setState(State state) {
    if (state == state_) return;
    if (state_ == State::running) activeSeconds_ += sinceResume_.milliseconds() / 1e3;
    if (state == State::running) sinceResume_ = {};
    state_ = state;
    Q_EMIT stateChanged();
}

void BatchRun::pause() {
    if (state_ != State::running) return;
    {
        const std::scoped_lock lock(shared_->mutex);
        shared_->paused = true;
    }
    setState(State::paused);
}

void BatchRun::resume() {
    if (state_ != State::paused) return;
    {
        const std::scoped_lock lock(shared_->mutex);
        shared_->paused = false;
    }
    shared_->changed.notify_all();
    setState(State::running);
}

void BatchRun::cancel() {
    if (state_ != State::running && state_ != State::paused) return;
    shared_->stop.request_stop();
    setState(State::cancelled);
}

double BatchRun::secondsLeft() const {
    if (rows_.empty() || total_ == 0) return -1;
    const double active =
        activeSeconds_ + (state_ == State::running ? sinceResume_.milliseconds() / 1e3 : 0.0);
    const double perItem = active / static_cast<double>(rows_.size());
    return perItem * static_cast<double>(total_ - rows_.size());
}

std::size_t BatchRun::queueDepth() const {
    if (!shared_ || shared_->stop.stop_requested()) return 0;
    const std::scoped_lock lock(shared_->mutex);
    return shared_->waitingForNetwork;
}

std::shared_ptr<const Reconstruction> BatchRun::kept(std::size_t row, SampleRef& sample,
                                                     std::vector<int>& views) const {
    const auto found = std::find_if(kept_.begin(), kept_.end(),
                                    [&](const Kept& known) { return known.row == row; });
    if (found == kept_.end()) return nullptr;
    sample = found->sample;
    views = plan_.views;
    return found->reconstruction;
}

}  // namespace threefold::ui
