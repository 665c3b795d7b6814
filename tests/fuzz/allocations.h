#pragma once

#include <cstddef>

namespace threefold::test {

/// Counts heap memory that the current thread allocates during the object's lifetime, in C
/// libraries, too. At most one object per thread. In builds with AddressSanitizer, its hooks count;
/// elsewhere a replacement of malloc() counts.
class Allocations {
  public:
    Allocations();
    ~Allocations();
    Allocations(const Allocations&) = delete;
    Allocations& operator=(const Allocations&) = delete;

    /// Largest number of bytes held at the same time since construction.
    std::size_t peak() const;
    /// Bytes allocated now minus those at construction; 0 if negative.
    std::size_t held() const;
};

}  // namespace threefold::test
