#pragma once

#include <cstddef>
#include <functional>

namespace threefold {

/// Receives the progress of work on photographs: the name of the step, and `done` of `count`
/// photographs, 0 of 0 if unknown. Must return quickly. May be empty.
using WorkProgress = std::function<void(const char* work, std::size_t done, std::size_t count)>;

}  // namespace threefold
