// Only in programs that the thread sanitizer watches. libgomp is not built for it: that a parallel
// region begins after what came before, and ends before what follows, has to be said here. Nothing
// else is said: what two threads of one region do to each other is looked at.
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

// GCC's call for `#pragma omp parallel`. The name is libgomp's.
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" void GOMP_parallel(void (*work)(void*), void* data, unsigned threads, unsigned flags) {
    using Parallel = void (*)(void (*)(void*), void*, unsigned, unsigned);
    static const auto next = reinterpret_cast<Parallel>(dlsym(RTLD_NEXT, "GOMP_parallel"));
    Region region{work, data};
    __tsan_release(&region.begun);
    next(enter, &region, threads, flags);
    __tsan_acquire(&region.ended);
}
