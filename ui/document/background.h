#pragma once

#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <stop_token>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include <QCoreApplication>
#include <QObject>
#include <QPointer>
#include <QThreadPool>

#include "engine/error.h"

namespace threefold::ui {

/// Result of background work: a value, a problem, or neither if the work threw Cancelled.
template <class Value>
struct TaskResult {
    std::optional<Value> value;
    std::optional<ErrorReport> problem;
};

/// Converts the exception being handled to a report; none for Cancelled. `subject`: file or device,
/// for exceptions that are no Error.
inline std::optional<ErrorReport> currentErrorReport(std::string_view subject = {}) {
    try {
        throw;
    } catch (const Cancelled&) {
        return std::nullopt;
    } catch (const Error& error) {
        return error.report();
    } catch (const std::bad_alloc&) {
        return ErrorReport{std::string(subject), "", "there is not enough memory",
                           "Close other programs, or choose something smaller."};
    } catch (const std::exception& error) {
        return ErrorReport{std::string(subject), "", error.what(), ""};
    } catch (...) {
        return ErrorReport{std::string(subject), "", "an unknown error", ""};
    }
}

/// A single worker thread. The destructor drops queued work and waits for running work, so it must
/// be its owner's last member.
class SingleThreadPool : public QThreadPool {
  public:
    SingleThreadPool() { setMaxThreadCount(1); }
    ~SingleThreadPool() override {
        clear();
        waitForDone();
    }
};

/// Source of the newest request's stop token. restart(), cancel() and the destructor stop the
/// previous request. Not thread-safe; the tokens are.
class RequestStopSource {
  public:
    RequestStopSource() = default;
    RequestStopSource(const RequestStopSource&) = delete;
    RequestStopSource& operator=(const RequestStopSource&) = delete;
    ~RequestStopSource() { cancel(); }

    std::stop_token restart() {
        cancel();
        stop_ = {};
        return stop_.get_token();
    }
    void cancel() { stop_.request_stop(); }

  private:
    std::stop_source stop_;
};

/// Queues `call` on the application's thread; drops it if `receiver` is destroyed first.
/// Thread-safe. `receiver` must live on the application's thread.
template <class Call>
void callOnGuiThread(const QPointer<QObject>& receiver, Call call) {
    QMetaObject::invokeMethod(
        QCoreApplication::instance(),
        [receiver, call = std::move(call)] {
            if (receiver) call();
        },
        Qt::QueuedConnection);
}

/// Result type of `Work`; std::monostate for void.
template <class Work>
using WorkValue =
    std::conditional_t<std::is_void_v<std::invoke_result_t<const Work&>>, std::monostate,
                       std::decay_t<std::invoke_result_t<const Work&>>>;

/// Runs `work` on `pool`, by default the application's, then `finish(TaskResult)` by
/// callOnGuiThread(). GUI thread only. `work` and `finish` must be copyable.
template <class Work, class Finish>
void tryInBackground(QObject* receiver, Work work, Finish finish, std::string_view subject = {},
                     QThreadPool& pool = *QThreadPool::globalInstance()) {
    pool.start([receiver = QPointer<QObject>(receiver), work = std::move(work),
                finish = std::move(finish), subject = std::string(subject)] {
        const auto outcome = std::make_shared<TaskResult<WorkValue<Work>>>();
        try {
            if constexpr (std::is_void_v<std::invoke_result_t<const Work&>>) {
                work();
                outcome->value.emplace();
            } else {
                outcome->value = work();
            }
        } catch (...) {
            outcome->problem = currentErrorReport(subject);
        }
        callOnGuiThread(receiver, [outcome, finish] { finish(std::move(*outcome)); });
    });
}

/// As tryInBackground(), but calls `done` with the value (without argument if `work` returns void),
/// or `failed` with the ErrorReport; neither after Cancelled.
template <class Work, class Done, class Failed>
void inBackground(QObject* receiver, Work work, Done done, Failed failed,
                  std::string_view subject = {},
                  QThreadPool& pool = *QThreadPool::globalInstance()) {
    using Value = WorkValue<Work>;
    tryInBackground(
        receiver, std::move(work),
        [done = std::move(done), failed = std::move(failed)](TaskResult<Value> outcome) {
            if (outcome.problem) {
                failed(*outcome.problem);
            } else if (outcome.value) {
                if constexpr (std::is_same_v<Value, std::monostate>) {
                    done();
                } else {
                    done(std::move(*outcome.value));
                }
            }
        },
        subject, pool);
}

/// As inBackground() above, but calls neither `done` nor `failed` after `cancel` was requested.
template <class Work, class Done, class Failed>
void inBackground(QObject* receiver, const std::stop_token& cancel, Work work, Done done,
                  Failed failed, std::string_view subject = {},
                  QThreadPool& pool = *QThreadPool::globalInstance()) {
    const auto unlessCancelled = [&cancel](auto call) {
        return [cancel, call = std::move(call)](auto&&... value) {
            if (!cancel.stop_requested()) call(std::forward<decltype(value)>(value)...);
        };
    };
    inBackground(receiver, std::move(work), unlessCancelled(std::move(done)),
                 unlessCancelled(std::move(failed)), subject, pool);
}

}  // namespace threefold::ui
