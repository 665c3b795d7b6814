// This file is linked only into programs with the thread sanitizer. libgomp is not instrumented, so
// the wrapper below annotates that a parallel region begins after the code before the region, and
// ends before the code after the region. Races between threads of one region are still found.
#include <dlfcn.h>
#include <sanitizer/tsan_interface.h>

namespace {

struct Region {
    void (*work)(void*);
    void* data;
    char begun = 0;
    char ended = 0;
};

void enter(void* from) {
    Region& region = *static_cast<Region*>(from);
    __tsan_acquire(&region.begun);
    region.work(region.data);
    __tsan_release(&region.ended);
}

}  // namespace

// Replaces libgomp's function that GCC calls for `#pragma omp parallel`.
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" void GOMP_parallel(void (*work)(void*), void* data, unsigned threads, unsigned flags) {
    using Parallel = void (*)(void (*)(void*), void*, unsigned, unsigned);
    static const auto next = reinterpret_cast<Parallel>(dlsym(RTLD_NEXT, "GOMP_parallel"));
    Region region{work, data};
    __tsan_release(&region.begun);
    next(enter, &region, threads, flags);
    __tsan_acquire(&region.ended);
}
