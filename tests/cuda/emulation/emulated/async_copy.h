#pragma once

#include "tests/cuda/emulation/emulated/thread.h"

/// cuda/portable/async_copy.h: copies that poison their destination until the wait.
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
