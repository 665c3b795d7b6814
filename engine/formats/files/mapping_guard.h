#pragma once

#include <cstddef>
#include <span>

namespace threefold {

/// Turns faults on a mapped file into zeros. If bytes of the file no longer exist, because another
/// process has truncated it, or if the disk cannot be read, an access raises SIGBUS, which ends the
/// process; with a guard, the bytes from there on read as zeros, and isDamaged() turns true.
///
/// The first guard installs a handler of SIGBUS for the process; faults outside of all guarded
/// mappings go to the previous handler. A program that installs another handler later disables the
/// guards. Any thread.
class MappingGuard {
  public:
    /// Guards nothing.
    MappingGuard() = default;
    /// `mapping` begins at a page. Unmap it only after the guard is gone.
    explicit MappingGuard(std::span<const std::byte> mapping);
    ~MappingGuard() { release(); }
    MappingGuard(MappingGuard&& other) noexcept;
    MappingGuard& operator=(MappingGuard&& other) noexcept;

    bool isDamaged() const;

    struct GuardedRange;

  private:
    void release();

    GuardedRange* range_ = nullptr;
};

}  // namespace threefold
