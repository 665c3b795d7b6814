#include "ui/batch/batch_run.h"

#include <algorithm>
#include <deque>
#include <exception>
#include <optional>
#include <utility>

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>

#include "engine/evaluation/reports.h"

namespace threefold::ui {
namespace {

constexpr std::size_t kMostKept = 16;

}  // namespace

// What comes from the threads of one session; the window takes it all at once when it gets to it.
struct BatchRun::Inbox {
    std::mutex mutex;
    std::optional<BatchOutline> outline;
    std::vector<BatchRow> rows;
    std::deque<Kept> meshes;
    std::optional<ErrorReport> failure;
    bool finished = false;
    bool told = false;

    QPointer<BatchRun> run;

    template <class Change>
    static void change(const std::shared_ptr<Inbox>& inbox, const Change& what) {
        {
            const std::scoped_lock lock(inbox->mutex);
            what(*inbox);
            if (std::exchange(inbox->told, true)) return;
        }
        // Of an earlier run nothing is heard any more.
        QMetaObject::invokeMethod(qApp, [inbox] {
            if (inbox->run && inbox->run->inbox_ == inbox) inbox->run->take(*inbox);
        });
    }
};

BatchRun::BatchRun(Worker& worker, QObject* parent)
    : QObject(parent), link_(std::make_shared<WorkerLink>(worker)) {
    connect(
        &worker, &Worker::closing, this,
        [this] {
            cancel();
            link_->cut();
        },
        Qt::DirectConnection);
}

BatchRun::~BatchRun() {
    stop_.request_stop();
}

void BatchRun::start(BatchPlan plan) {
    cancel();
    plan_ = std::move(plan);
    outline_ = {};
    outline_.choices = plan_.choices;
    rows_.clear();
    places_.clear();
    kept_.clear();
    before_ = 0;
    fresh_ = 0;
    activeSeconds_ = 0;
    countAnew();
    // The last holder removes a folder that goes with the plan: not on the window's thread.
    QThreadPool::globalInstance()->start([before = std::move(session_)] {});
    session_ = std::make_shared<BatchSession>(plan_, link_, machineOf_);
    inbox_ = std::make_shared<Inbox>();
    inbox_->run = this;
    state_ = State::idle;
    begin();
}

void BatchRun::begin() {
    stop_ = {};
    sinceResume_ = {};
    setState(State::running);
    // A thread that has ended keeps its stack until it is joined.
    std::erase_if(threads_, [](const Thread& thread) { return thread.ended->load(); });
    const auto ended = std::make_shared<std::atomic<bool>>(false);
    const auto work = [ended, session = session_, inbox = inbox_, turn = oneAtATime_,
                       stop = stop_.get_token()] {
        const auto tell = [&inbox](const auto& what) { Inbox::change(inbox, what); };
        BatchListener listener;
        listener.begun = [&](BatchOutline outline) {
            tell([&](Inbox& in) { in.outline = std::move(outline); });
        };
        listener.made = [&](std::size_t position, std::shared_ptr<const Reconstruction> meshes) {
            tell([&](Inbox& in) {
                in.meshes.push_back({position, std::move(meshes)});
                if (in.meshes.size() > kMostKept) in.meshes.pop_front();
            });
        };
        listener.finished = [&](BatchRow row) {
            tell([&](Inbox& in) { in.rows.push_back(std::move(row)); });
        };
        const auto fail = [&](const ErrorReport& report) {
            tell([&](Inbox& in) { in.failure = report; });
        };
        try {
            // What goes on may be in the same folder.
            const std::scoped_lock lock(*turn);
            session->run(stop, listener);
            tell([](Inbox& in) { in.finished = true; });
        } catch (const Cancelled&) {
        } catch (const Error& error) {
            fail(error.report());
        } catch (const std::exception& error) {
            fail({"", "", error.what(), ""});
        }
        *ended = true;
    };
    threads_.push_back({ended, std::jthread(work)});
}

void BatchRun::take(Inbox& inbox) {
    std::optional<BatchOutline> outline;
    std::vector<BatchRow> rows;
    std::deque<Kept> meshes;
    std::optional<ErrorReport> failure;
    bool finished = false;
    {
        const std::scoped_lock lock(inbox.mutex);
        outline = std::exchange(inbox.outline, std::nullopt);
        rows = std::exchange(inbox.rows, {});
        meshes = std::exchange(inbox.meshes, {});
        failure = std::exchange(inbox.failure, std::nullopt);
        finished = std::exchange(inbox.finished, false);
        inbox.told = false;
    }
    for (Kept& kept : meshes) {
        kept_.push_front(std::move(kept));
        if (kept_.size() > kMostKept) kept_.pop_back();
    }
    if (outline) {
        std::vector<BatchRow> earlier = std::exchange(outline->before, {});
        outline_ = std::move(*outline);
        sinceResume_ = {};  // reading the list and the model tells nothing of what is left
        if (rows_.empty()) {
            countAnew();
            before_ = earlier.size();
            Q_EMIT planned();
            put(std::move(earlier));
        }
    }
    fresh_ += rows.size();
    put(std::move(rows));
    if (finished) setState(State::done);
    if (!failure) return;
    setState(State::cancelled);
    Q_EMIT failed(*failure);
}

void BatchRun::put(std::vector<BatchRow> rows) {
    const std::size_t first = rows_.size();
    std::vector<std::size_t> changed;
    for (BatchRow& row : rows) {
        const auto [known, isNew] = places_.emplace(row.position, rows_.size());
        if (isNew) {
            for (std::size_t protocol = 0; protocol < means_.size(); ++protocol) {
                means_[protocol].all.add(row, protocol);
                BatchMeans& category = means_[protocol].categories[row.category];
                category.category = row.category;
                category.add(row, protocol);
            }
            rows_.push_back(std::move(row));
        } else {
            rows_[known->second] = std::move(row);
            changed.push_back(known->second);
        }
    }
    if (!changed.empty()) countAnew();
    if (rows_.size() > first) {
        Q_EMIT rowsAdded(static_cast<int>(first), static_cast<int>(rows_.size()) - 1);
    }
    for (const std::size_t row : changed) Q_EMIT rowChanged(static_cast<int>(row));
}

void BatchRun::countAnew() {
    means_.assign(std::max<std::size_t>(outline_.choices.protocols.size(), 1), {});
    for (std::size_t protocol = 0; protocol < means_.size(); ++protocol) {
        for (const BatchRow& row : rows_) {
            means_[protocol].all.add(row, protocol);
            BatchMeans& category = means_[protocol].categories[row.category];
            category.category = row.category;
            category.add(row, protocol);
        }
    }
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
    if (!active()) return;
    stop_.request_stop();
    setState(State::cancelled);
}

double BatchRun::secondsLeft() const {
    if (fresh_ == 0 || total() == 0) return -1;
    const double active =
        activeSeconds_ + (state_ == State::running ? sinceResume_.milliseconds() / 1e3 : 0.0);
    const double perItem = active / static_cast<double>(fresh_);
    return perItem * static_cast<double>(total() - std::min(total(), rows_.size()));
}

std::filesystem::path BatchRun::report() const {
    if (state_ != State::done) return {};
    return outline_.folder / kReportHtmlName;
}

std::size_t BatchRun::queueDepth() const {
    return session_ && state_ == State::running ? session_->queueDepth() : 0;
}

std::shared_ptr<const Reconstruction> BatchRun::kept(std::size_t row) const {
    const std::size_t position = rows_.at(row).position;
    const auto found = std::find_if(kept_.begin(), kept_.end(),
                                    [&](const Kept& known) { return known.position == position; });
    return found == kept_.end() ? nullptr : found->reconstruction;
}

}  // namespace threefold::ui
