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

/// The outcome of work in the background: a value, a problem, or neither if it threw Cancelled.
template <class Value>
struct Outcome {
    std::optional<Value> value;
    std::optional<ErrorReport> problem;
};

/// Reports the exception that is being handled; nothing for Cancelled. `subject` names the file or
/// device where the exception itself names none.
inline std::optional<ErrorReport> currentProblem(std::string_view subject = {}) {
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
    }
}

/// Calls `call` on the application's thread later, unless `receiver` is gone by then. Thread-safe.
/// `receiver` lives on the application's thread.
template <class Call>
void callLater(const QPointer<QObject>& receiver, Call call) {
    QMetaObject::invokeMethod(
        QCoreApplication::instance(),
        [receiver, call = std::move(call)] {
            if (receiver) call();
        },
        Qt::QueuedConnection);
}

/// What `Work` returns; std::monostate for nothing.
template <class Work>
using WorkValue =
    std::conditional_t<std::is_void_v<std::invoke_result_t<const Work&>>, std::monostate,
                       std::decay_t<std::invoke_result_t<const Work&>>>;

/// Runs `work` on the thread pool, then `over(Outcome)` as callLater() does. Call it on the
/// application's thread; `work` and `over` must be copyable.
template <class Work, class Over>
void tryInBackground(QObject* receiver, Work work, Over over, std::string_view subject = {}) {
    QThreadPool::globalInstance()->start([receiver = QPointer<QObject>(receiver),
                                          work = std::move(work), over = std::move(over),
                                          subject = std::string(subject)] {
        const auto outcome = std::make_shared<Outcome<WorkValue<Work>>>();
        try {
            if constexpr (std::is_void_v<std::invoke_result_t<const Work&>>) {
                work();
                outcome->value.emplace();
            } else {
                outcome->value = work();
            }
        } catch (...) {
            outcome->problem = currentProblem(subject);
        }
        callLater(receiver, [outcome, over] { over(std::move(*outcome)); });
    });
}

/// As tryInBackground(); `done` gets the value (nothing where `work` returns nothing), `failed` the
/// ErrorReport. Cancelled calls neither.
template <class Work, class Done, class Failed>
void inBackground(QObject* receiver, Work work, Done done, Failed failed,
                  std::string_view subject = {}) {
    using Value = WorkValue<Work>;
    tryInBackground(
        receiver, std::move(work),
        [done = std::move(done), failed = std::move(failed)](Outcome<Value> outcome) {
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
        subject);
}

/// One thread for work that the owner's destructor drops or waits for. The owner's last member.
class OneThread : public QThreadPool {
  public:
    OneThread() { setMaxThreadCount(1); }
    ~OneThread() override {
        clear();
        waitForDone();
    }
};

/// Requests of which only the newest counts. Starting another one, cancel() or the end of this
/// object stops the one before. For one thread; its tokens for any.
class NewestRequest {
  public:
    NewestRequest() = default;
    NewestRequest(const NewestRequest&) = delete;
    NewestRequest& operator=(const NewestRequest&) = delete;
    ~NewestRequest() { cancel(); }

    std::stop_token start() {
        cancel();
        stop_ = {};
        return stop_.get_token();
    }
    void cancel() { stop_.request_stop(); }

  private:
    std::stop_source stop_;
};

/// As above; after `cancel` is asked to stop, neither `done` nor `failed` is called.
template <class Work, class Done, class Failed>
void inBackground(QObject* receiver, const std::stop_token& cancel, Work work, Done done,
                  Failed failed, std::string_view subject = {}) {
    const auto unlessCancelled = [&cancel](auto call) {
        return [cancel, call = std::move(call)](auto&&... value) {
            if (!cancel.stop_requested()) call(std::forward<decltype(value)>(value)...);
        };
    };
    inBackground(receiver, std::move(work), unlessCancelled(std::move(done)),
                 unlessCancelled(std::move(failed)), subject);
}

}  // namespace threefold::ui
