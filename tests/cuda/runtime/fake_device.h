#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>

#include "cuda/runtime/device_api.h"

namespace threefold::cuda::test {

/// A device in host memory, whose streams advance only when a test says so, or when the host waits
/// for an event or for the device. A misuse (double free, free of foreign memory, use of a
/// destroyed event) fails the test; the destructor fails the test if memory or an event was not
/// freed. Not thread-safe, except for calls that a pool makes under its lock.
class FakeDevice : public DeviceApi {
  public:
    explicit FakeDevice(std::size_t totalBytes = std::size_t{1} << 30) : total_(totalBytes) {}
    ~FakeDevice() override;

    /// Stream number `number`, 0 to 15.
    static Stream stream(std::size_t number);

    // --- Actions of a test
    void submit(Stream stream) { ++timelines_[stream].submitted; }  ///< one operation
    void finishOne(Stream stream);                                  ///< oldest operation
    void finish(Stream stream);                                     ///< all operations
    /// Lets `times` allocations fail, after `after` more allocations that succeed.
    void failAllocations(int after, int times = 1);
    void lose() { lost_ = true; }

    // --- Observations of a test
    std::size_t heldBytes() const { return held_; }
    std::size_t liveBlocks() const { return memory_.size(); }
    std::size_t liveEvents() const { return events_.size(); }
    int waits() const { return waits_; }  ///< calls of wait() for events that were not complete
    int synchronisations() const { return synchronisations_; }
    std::uint64_t submitted(Stream stream) { return timelines_[stream].submitted; }
    std::uint64_t finished(Stream stream) { return timelines_[stream].finished; }

    // --- DeviceApi
    void* allocate(std::size_t bytes, Stream stream) override;
    void free(void* memory, Stream stream) noexcept override;
    void* allocatePinned(std::size_t bytes) override;
    void freePinned(void* memory) noexcept override;
    DeviceMemoryInfo memoryInfo() override;
    Event createEvent() override;
    void destroyEvent(Event event) noexcept override;
    void record(Event event, Stream stream) override;
    bool isComplete(Event event) override;
    void wait(Event event) override;
    void synchronise() override;

  private:
    struct Timeline {
        std::uint64_t submitted = 0;
        std::uint64_t finished = 0;
    };
    struct Memory {
        std::unique_ptr<std::byte[]> storage;
        std::size_t bytes = 0;
        bool pinned = false;
        bool freed = false;  ///< in stream order: released when `stream` reaches `freedAt`
        Stream stream = nullptr;
        std::uint64_t freedAt = 0;
    };
    struct Mark {
        Stream stream = nullptr;
        std::uint64_t at = 0;
    };

    void* take(std::size_t bytes, bool pinned);
    void checkAlive() const;
    void reap();
    Mark& markOf(Event event);

    std::size_t total_;
    std::size_t held_ = 0;
    std::map<Stream, Timeline> timelines_;
    std::map<void*, Memory> memory_;
    std::map<Event, Mark> events_;
    std::deque<char> names_;  ///< one element for each event ever created; its address is the
                              ///< handle
    int failAfter_ = -1;
    int failTimes_ = 0;
    int waits_ = 0;
    int synchronisations_ = 0;
    bool lost_ = false;
};

}  // namespace threefold::cuda::test
