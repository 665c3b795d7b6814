#include "tests/cuda/runtime/fake_device.h"

#include <algorithm>
#include <array>

#include <gtest/gtest.h>

namespace threefold::cuda::test {
namespace {

constexpr std::size_t kAlignment = 256;

}  // namespace

Stream FakeDevice::stream(std::size_t number) {
    static std::array<char, 16> names;
    return reinterpret_cast<Stream>(&names.at(number));
}

FakeDevice::~FakeDevice() {
    for (const auto& [address, memory] : memory_) {
        EXPECT_TRUE(memory.freed) << memory.bytes << " bytes were never freed";
    }
    EXPECT_EQ(events_.size(), 0U);
}

void FakeDevice::checkAlive() const {
    if (lost_) throw DeviceLost({"fake device", "", "was lost", ""});
}

void FakeDevice::finishOne(Stream stream) {
    Timeline& timeline = timelines_[stream];
    timeline.finished = std::min(timeline.finished + 1, timeline.submitted);
    reap();
}

void FakeDevice::finish(Stream stream) {
    timelines_[stream].finished = timelines_[stream].submitted;
    reap();
}

void FakeDevice::failAllocations(int after, int times) {
    failAfter_ = after;
    failTimes_ = times;
}

void FakeDevice::reap() {
    std::erase_if(memory_, [&](const auto& entry) {
        const Memory& memory = entry.second;
        const bool gone = memory.freed && timelines_[memory.stream].finished >= memory.freedAt;
        if (gone) held_ -= memory.bytes;
        return gone;
    });
}

void* FakeDevice::take(std::size_t bytes, bool pinned) {
    checkAlive();
    EXPECT_GT(bytes, 0U);
    const bool scripted = failTimes_ > 0 && failAfter_-- <= 0;
    if (scripted) {
        --failTimes_;
        failAfter_ = 0;
    }
    if (scripted || held_ + bytes > total_) {
        throw OutOfDeviceMemory({"fake device", "", "out of memory", ""}, bytes, total_ - held_);
    }
    Memory memory;
    memory.storage = std::make_unique<std::byte[]>(bytes + kAlignment);
    memory.bytes = bytes;
    memory.pinned = pinned;
    void* address = memory.storage.get();
    std::size_t space = bytes + kAlignment;
    std::align(kAlignment, bytes, address, space);
    held_ += bytes;
    memory_.emplace(address, std::move(memory));
    return address;
}

void* FakeDevice::allocate(std::size_t bytes, Stream) {
    return take(bytes, false);
}

void FakeDevice::free(void* memory, Stream stream) noexcept {
    const auto found = memory_.find(memory);
    if (found == memory_.end() || found->second.freed || found->second.pinned) {
        ADD_FAILURE() << "freed twice, or never allocated";
        return;
    }
    found->second.freed = true;
    found->second.stream = stream;
    found->second.freedAt = timelines_[stream].submitted;
    reap();
}

void* FakeDevice::allocatePinned(std::size_t bytes) {
    return take(bytes, true);
}

void FakeDevice::freePinned(void* memory) noexcept {
    const auto found = memory_.find(memory);
    if (found == memory_.end() || !found->second.pinned) {
        ADD_FAILURE() << "freed twice, or never allocated";
        return;
    }
    held_ -= found->second.bytes;
    memory_.erase(found);
}

DeviceMemoryInfo FakeDevice::memoryInfo() {
    checkAlive();
    return {total_ - held_, total_};
}

FakeDevice::Mark& FakeDevice::markOf(Event event) {
    const auto found = events_.find(event);
    if (found == events_.end()) throw std::logic_error("an event was used after its end");
    return found->second;
}

Event FakeDevice::createEvent() {
    checkAlive();
    auto* const event = reinterpret_cast<Event>(&names_.emplace_back());
    events_[event] = {};
    return event;
}

void FakeDevice::destroyEvent(Event event) noexcept {
    EXPECT_EQ(events_.erase(event), 1U) << "an event was destroyed twice";
}

void FakeDevice::record(Event event, Stream stream) {
    checkAlive();
    markOf(event) = {stream, timelines_[stream].submitted};
}

bool FakeDevice::isComplete(Event event) {
    checkAlive();
    const Mark& mark = markOf(event);
    return timelines_[mark.stream].finished >= mark.at;
}

void FakeDevice::wait(Event event) {
    if (isComplete(event)) return;
    ++waits_;
    const Mark& mark = markOf(event);
    timelines_[mark.stream].finished = mark.at;
    reap();
}

void FakeDevice::synchronise() {
    checkAlive();
    ++synchronisations_;
    for (auto& [stream, timeline] : timelines_) timeline.finished = timeline.submitted;
    reap();
}

}  // namespace threefold::cuda::test
