#pragma once

#include <cstddef>

namespace threefold::test {

/// Counts heap memory that the current thread allocates during the object's lifetime, in C
/// libraries, too. At most one object per thread. The sanitizers' hooks count in builds with a
/// sanitizer; elsewhere a replacement of malloc() does.
class Allocations {
  public:
    Allocations();
    ~Allocations();
    Allocations(const Allocations&) = delete;
    Allocations& operator=(const Allocations&) = delete;

    /// Largest number of bytes allocated at once since construction.
    std::size_t peak() const;
    /// Bytes allocated now minus those at construction; 0 if negative.
    std::size_t held() const;
};

}  // namespace threefold::test
