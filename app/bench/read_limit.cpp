#include "app/bench/read_limit.h"

#include <algorithm>
#include <thread>
#include <utility>

namespace threefold {
namespace {

ReadClock orSteady(ReadClock clock) {
    if (!clock.now) clock.now = [] { return std::chrono::steady_clock::now(); };
    if (!clock.sleepUntil)
        clock.sleepUntil = [](ReadClock::Time time) { std::this_thread::sleep_until(time); };
    return clock;
}

}  // namespace

ReadLimit::ReadLimit(double bytesPerSecond, ReadClock clock)
    : bytesPerSecond_(bytesPerSecond), clock_(orSteady(std::move(clock))) {}

void ReadLimit::take(std::size_t bytes) {
    ReadClock::Time delivered;
    {
        const std::scoped_lock lock(mutex_);
        taken_ += bytes;
        if (!(bytesPerSecond_ > 0)) return;
        const std::chrono::duration<double> reading(static_cast<double>(bytes) / bytesPerSecond_);
        free_ =
            std::max(free_, clock_.now()) + std::chrono::ceil<ReadClock::Time::duration>(reading);
        delivered = free_;
    }
    clock_.sleepUntil(delivered);
}

std::size_t ReadLimit::taken() const {
    const std::scoped_lock lock(mutex_);
    return taken_;
}

}  // namespace threefold
