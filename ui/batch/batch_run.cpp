#include "ui/batch/batch_run.h"

#include <algorithm>
#include <set>

#include "engine/evaluation/run/output_files.h"

namespace threefold::ui {
namespace {

constexpr std::size_t kMaxCached = 16;

}  // namespace

BatchRun::BatchRun(NetworkClient& client, QObject* parent)
    : QObject(parent), network_(client.service()) {
    connect(&client, &NetworkClient::closing, this, &BatchRun::cancel, Qt::DirectConnection);
}

BatchRun::~BatchRun() {
    stop_.request_stop();
}

void BatchRun::start(BatchPlan plan) {
    cancel();
    plan_ = std::move(plan);
    overview_ = {};
    overview_.choices = plan_.choices;
    records_.clear();
    rowOfPosition_.clear();
    cached_.clear();
    earlierCount_ = 0;
    computedCount_ = 0;
    activeSeconds_ = 0;
    recomputeMeans();
    // Destroying the last reference may remove a temporary folder, which is too slow for the GUI
    // thread.
    QThreadPool::globalInstance()->start([previous = std::move(session_)] {});
    session_ = std::make_shared<BatchSession>(plan_, network_, machineOf_);
    ++sessionNumber_;
    state_ = State::idle;
    begin();
}

void BatchRun::begin() {
    toRetry_.clear();
    for (const SampleRecord& record : records_)
        if (!record.succeeded()) toRetry_.insert(record.position);
    stop_ = {};
    sinceResume_ = {};
    setState(State::running);
    // Callbacks of a replaced session are ignored.
    const auto post = [this, self = QPointer<QObject>(this), session = sessionNumber_](auto call) {
        callOnGuiThread(self, [this, session, call = std::move(call)] {
            if (session == sessionNumber_) call();
        });
    };
    // After a pause, records of the interrupted task still count, but the task's end does not.
    const auto postEnd = [this, post, task = ++taskNumber_](auto call) {
        post([this, task, call = std::move(call)] {
            if (task == taskNumber_) call();
        });
    };
    BatchListener listener;
    listener.onStart = [this, post](const BatchOverview& overview) {
        post([this, overview] { setOverview(overview); });
    };
    listener.onMeshes = [this, post](std::size_t position,
                                     const std::shared_ptr<const Reconstruction>& meshes) {
        post([this, position, meshes] {
            // resume() may compute a sample again.
            cached_.remove_if(
                [&](const CachedMeshes& entry) { return entry.position == position; });
            cached_.push_front({position, meshes});
            if (cached_.size() > kMaxCached) cached_.pop_back();
        });
    };
    listener.onRecord = [this, post](const SampleRecord& record) {
        post([this, record] {
            ++computedCount_;
            addOrReplace({record});
        });
    };
    // The pool has one thread, since an earlier session may still write to the same folder.
    thread_.start([this, postEnd, listener, session = session_, stop = stop_.get_token()] {
        try {
            session->run(stop, listener);
            postEnd([this] { setState(State::done); });
        } catch (...) {
            if (const std::optional<ErrorReport> problem = currentErrorReport()) {
                postEnd([this, problem] {
                    setState(State::cancelled);
                    Q_EMIT failed(*problem);
                });
            }
        }
    });
}

void BatchRun::setOverview(const BatchOverview& overview) {
    overview_ = overview;
    sinceResume_ = {};  // excludes the time for reading list and model from secondsLeft()
    const std::vector<SampleRecord> earlier = std::exchange(overview_.earlier.finished, {});
    if (!records_.empty()) return;
    recomputeMeans();
    earlierCount_ = earlier.size();
    Q_EMIT planned();
    addOrReplace(earlier);
}

void BatchRun::addOrReplace(const std::vector<SampleRecord>& records) {
    const std::size_t first = records_.size();
    std::vector<std::size_t> changed;
    for (const SampleRecord& record : records) {
        toRetry_.erase(record.position);
        const auto [existing, isNew] = rowOfPosition_.emplace(record.position, records_.size());
        if (isNew) {
            addToMeans(record);
            records_.push_back(record);
        } else {
            records_[existing->second] = record;
            changed.push_back(existing->second);
        }
    }
    if (!changed.empty()) recomputeMeans();
    if (records_.size() > first)
        Q_EMIT rowsAdded(static_cast<int>(first), static_cast<int>(records_.size()) - 1);
    for (const std::size_t row : changed) Q_EMIT rowChanged(static_cast<int>(row));
}

void BatchRun::addToMeans(const SampleRecord& record) {
    for (std::size_t protocol = 0; protocol < means_.size(); ++protocol)
        for (const std::string& category : std::set<std::string>{"", record.category})
            means_[protocol][category].add(record, protocol);
}

void BatchRun::recomputeMeans() {
    means_.assign(std::max<std::size_t>(overview_.choices.measures.protocols.size(), 1),
                  {{"", {}}});
    for (const SampleRecord& record : records_) addToMeans(record);
}

void BatchRun::setState(State state) {
    if (state == state_) return;
    if (state_ == State::running) activeSeconds_ += sinceResume_.milliseconds() / 1e3;
    state_ = state;
    Q_EMIT stateChanged();
}

void BatchRun::pause() {
    if (state_ != State::running) return;
    stop_.request_stop();
    setState(State::paused);
}

void BatchRun::resume() {
    if (state_ != State::paused && state_ != State::cancelled) return;
    begin();
}

void BatchRun::cancel() {
    if (!isActive()) return;
    stop_.request_stop();
    setState(State::cancelled);
}

std::optional<double> BatchRun::secondsLeft() const {
    if (computedCount_ == 0 || overview_.total == 0) return std::nullopt;
    const double active =
        activeSeconds_ + (state_ == State::running ? sinceResume_.milliseconds() / 1e3 : 0.0);
    const double perSample = active / static_cast<double>(computedCount_);
    const std::size_t done = std::min(overview_.total, records_.size() - toRetry_.size());
    return perSample * static_cast<double>(overview_.total - done);
}

std::filesystem::path BatchRun::report() const {
    if (state_ != State::done) return {};
    return overview_.folder / kReportHtmlName;
}

std::shared_ptr<const Reconstruction> BatchRun::cachedMeshes(std::size_t row) const {
    const std::size_t position = records_.at(row).position;
    const auto match = std::find_if(cached_.begin(), cached_.end(), [&](const CachedMeshes& entry) {
        return entry.position == position;
    });
    return match == cached_.end() ? nullptr : match->reconstruction;
}

}  // namespace threefold::ui
