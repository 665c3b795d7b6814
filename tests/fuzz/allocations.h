#pragma once

#include <cstddef>

namespace threefold::test {

/// Counts heap memory that the current thread allocates during the object's lifetime, in C
/// libraries, too. At most one object per thread. In builds with AddressSanitizer, the sanitizer's
/// hooks count the bytes; elsewhere, replacements of malloc(), free() and their relatives do.
class Allocations {
  public:
    Allocations();
    ~Allocations();
    Allocations(const Allocations&) = delete;
    Allocations& operator=(const Allocations&) = delete;

    /// Largest number of bytes held at the same time since construction.
    std::size_t peak() const;
    /// Bytes that the thread has allocated since construction, minus the bytes that it has freed; 0
    /// if negative.
    std::size_t held() const;
};

}  // namespace threefold::test
