#pragma once

#include <cstddef>
#include <memory>

namespace threefold::cuda::emulation {

/// A function with a stack of its own, which can stop in the middle and go on later. A switch costs
/// some nanoseconds on x86-64 (no system call), more elsewhere. Below the stack lies a guard page;
/// the address sanitizer is told of every switch. resume() and suspend() belong to one thread of
/// the operating system.
class Fibre {
  public:
    using Entry = void (*)(void* context);

    /// Fibres of neighbouring numbers begin at different offsets of a page, so that their newest
    /// frames do not fight for the same lines of the cache. Throws DeviceError where there is no
    /// memory.
    explicit Fibre(std::size_t number);
    ~Fibre();
    Fibre(const Fibre&) = delete;
    Fibre& operator=(const Fibre&) = delete;

    /// The next resume() begins `entry(context)`, which may not throw. Not while one is under way.
    void prepare(Entry entry, void* context);

    /// Runs it until it suspends itself or its entry returns.
    void resume();

    /// From within: back to who resumed it.
    void suspend();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace threefold::cuda::emulation
