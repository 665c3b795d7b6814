#pragma once

#include <chrono>
#include <future>
#include <stop_token>

#include <nanobind/nanobind.h>

namespace threefold::python {

/// Interval at which signals are checked.
inline constexpr std::chrono::milliseconds kSignalPoll{20};

/// Runs work(stop) on a new thread without the GIL and returns its value. The calling thread, which
/// must hold the GIL, handles signals meanwhile: an exception of a handler (KeyboardInterrupt)
/// stops the work and is rethrown after the work has ended. OpenMP's pools belong to threads, so
/// the new thread also makes OpenMP usable after fork(). Rethrows exceptions of `work`.
template <class Work>
auto interruptible(const Work& work) {
    std::stop_source stop;
    auto running = std::async(std::launch::async, [&] { return work(stop.get_token()); });
    const auto ended = [&] {
        const nanobind::gil_scoped_release released;
        return running.wait_for(kSignalPoll) == std::future_status::ready;
    };
    while (!ended()) {
        if (PyErr_CheckSignals() == 0) continue;
        nanobind::python_error raised;
        stop.request_stop();
        while (!ended()) continue;
        throw raised;
    }
    return running.get();
}

}  // namespace threefold::python
