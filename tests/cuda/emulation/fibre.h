#pragma once

#include <cstddef>
#include <memory>

namespace threefold::cuda::emulation {

/// Function with a stack of its own that can be suspended and resumed. A switch takes some
/// nanoseconds on x86-64 (no system call), more elsewhere. A guard page lies below the stack; the
/// address sanitizer is told of every switch. All calls of resume() and suspend() must come from
/// one thread of the operating system.
class Fibre {
  public:
    using Entry = void (*)(void* context);

    /// Fibres of neighbouring numbers begin at different offsets of a page, so that their newest
    /// frames do not compete for the same cache lines. Throws DeviceError if there is no memory.
    explicit Fibre(std::size_t number);
    ~Fibre();
    Fibre(const Fibre&) = delete;
    Fibre& operator=(const Fibre&) = delete;

    /// Lets the next resume() start `entry(context)`, which must not throw. The entry of the
    /// earlier prepare() must have returned.
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
