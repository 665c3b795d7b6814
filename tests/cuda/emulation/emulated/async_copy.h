#pragma once

#include "tests/cuda/emulation/emulated/thread.h"

/// Emulated cuda/portable/async_copy.h. The destination of a copy is poisoned until the thread has
/// waited for the copy.
namespace threefold::cuda {

template <int bytes>
void copyAsync(void* shared, const void* global, bool valid = true, THREEFOLD_PLACE_PARAMETERS) {
    static_assert(bytes == 8 || bytes == 16);
    emulation::copyLater(shared, valid ? global : nullptr, bytes, {file, line});
}

inline void commitCopyGroup() {
    emulation::commitCopyGroup();
}

template <int pending>
void waitCopyGroups() {
    emulation::waitCopyGroups(pending);
}

}  // namespace threefold::cuda
