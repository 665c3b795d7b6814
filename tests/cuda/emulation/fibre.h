#pragma once

#include <cstddef>
#include <memory>

namespace threefold::cuda::emulation {

/// Function with a stack of its own that can be suspended and resumed. A switch takes some
/// nanoseconds on x86-64 (no system call), more elsewhere. Below the stack lies a guard page; the
/// address sanitizer is told of every switch. resume() and suspend() are called on one thread of
/// the operating system.
class Fibre {
  public:
    using Entry = void (*)(void* context);

    /// Fibres of neighbouring numbers begin at different offsets of a page, so that their newest
    /// frames do not compete for the same cache lines. Throws DeviceError without memory.
    explicit Fibre(std::size_t number);
    ~Fibre();
    Fibre(const Fibre&) = delete;
    Fibre& operator=(const Fibre&) = delete;

    /// Makes the next resume() call `entry(context)`, which must not throw. The former entry must
    /// have returned.
    void prepare(Entry entry, void* context);

    /// Runs the fibre until it calls suspend() or its entry returns.
    void resume();

    /// Returns to the caller of resume(). Called by the fibre itself.
    void suspend();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace threefold::cuda::emulation
