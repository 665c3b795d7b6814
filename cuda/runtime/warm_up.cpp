#include "cuda/runtime/warm_up.h"

namespace threefold::cuda {

int warmUp(int runs, const std::stop_token& cancel, const std::function<void()>& run,
           std::span<MemoryPool* const> pools) {
    if (runs <= 0) return 0;
    for (MemoryPool* pool : pools) pool->seal(false);
    for (int done = 0; done < runs; ++done) {
        if (cancel.stop_requested()) return done;
        try {
            run();
        } catch (const Cancelled&) {
            return done;
        }
    }
    for (MemoryPool* pool : pools) pool->seal();
    return runs;
}

}  // namespace threefold::cuda
