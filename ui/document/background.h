#pragma once

#include <concepts>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include <QCoreApplication>
#include <QObject>
#include <QPointer>
#include <QThreadPool>

#include "ui/document/task_result.h"

namespace threefold::ui {

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
void inBackground(QObject* receiver, Work work, Finish finish, std::string_view subject = {},
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

/// Like inBackground() above, but calls `done` with the value (without argument if `work` returns
/// void), or `failed` with the ErrorReport; calls neither after Cancelled.
template <class Work, class Done, std::invocable<const ErrorReport&> Failed>
void inBackground(QObject* receiver, Work work, Done done, Failed failed,
                  std::string_view subject = {},
                  QThreadPool& pool = *QThreadPool::globalInstance()) {
    using Value = WorkValue<Work>;
    inBackground(
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

/// Like inBackground() with `done` and `failed`, but calls neither `done` nor `failed` after
/// `cancel` was requested.
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
