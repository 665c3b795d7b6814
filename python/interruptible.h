#pragma once

#include <chrono>
#include <future>
#include <stop_token>

#include <nanobind/nanobind.h>

namespace threefold::python {

/// How long Ctrl-C may go unnoticed.
inline constexpr std::chrono::milliseconds kSignalPoll{20};

/// Returns work(stop), which runs on a thread of its own without the GIL, while this one has
/// signals handled: what a handler raises (KeyboardInterrupt) stops the work and is thrown when it
/// has ended. The thread makes calls safe after fork(), too: OpenMP's pools belong to threads. Call
/// with the GIL. Throws what `work` throws.
template <class Work>
auto interruptible(const Work& work) {
    std::stop_source stop;
    auto running = std::async(std::launch::async, [&] { return work(stop.get_token()); });
    const auto ended = [&] {
        const nanobind::gil_scoped_release others;
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
