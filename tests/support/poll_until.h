#pragma once

#include <chrono>
#include <thread>

namespace threefold::test {

/// Polls until `holds()` is true. Returns false after two minutes, which suffice for sanitizers on
/// a busy machine. Serves to wait for events of other processes and threads, which send no signal.
template <typename Condition>
[[nodiscard]] bool pollUntil(const Condition& holds) {
    using namespace std::chrono_literals;
    constexpr auto kPause = 5ms;
    constexpr auto kPatience = 2min;
    for (auto left = std::chrono::milliseconds(kPatience); left.count() > 0; left -= kPause) {
        if (holds()) return true;
        std::this_thread::sleep_for(kPause);
    }
    return holds();
}

}  // namespace threefold::test
