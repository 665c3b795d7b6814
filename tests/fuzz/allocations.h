#pragma once

#include <cstddef>

namespace threefold::test {

/// Counts what the current thread takes from the heap while this lives, libraries in C included.
/// One at a time in a thread. Where a sanitizer is built in, its own hooks do the counting;
/// elsewhere the program's malloc() does.
class Allocations {
  public:
    Allocations();
    ~Allocations();
    Allocations(const Allocations&) = delete;
    Allocations& operator=(const Allocations&) = delete;

    /// The most bytes held at once since the beginning.
    std::size_t peak() const;
    /// Bytes held now that were not at the beginning; 0 where more was freed than taken.
    std::size_t held() const;
};

}  // namespace threefold::test
