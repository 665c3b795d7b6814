#include "tests/fuzz/allocations.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>

#if defined(__SANITIZE_ADDRESS__)
#define THREEFOLD_SANITIZER_HEAP
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define THREEFOLD_SANITIZER_HEAP
#endif
#endif

namespace {

/// Trivial type, since code that counts allocations must not allocate.
struct Counters {
    bool on = false;
    std::int64_t held = 0;
    std::int64_t peak = 0;
};
constinit thread_local Counters counters;

void countAllocated(std::size_t bytes) {
    if (!counters.on) return;
    counters.held += static_cast<std::int64_t>(bytes);
    counters.peak = std::max(counters.peak, counters.held);
}

void countFreed(std::size_t bytes) {
    if (counters.on) counters.held -= static_cast<std::int64_t>(bytes);
}

}  // namespace

#ifdef THREEFOLD_SANITIZER_HEAP

extern "C" {
// NOLINTNEXTLINE(readability-identifier-naming): the sanitizer's name
int __sanitizer_install_malloc_and_free_hooks(void (*onMalloc)(const volatile void*, std::size_t),
                                              void (*onFree)(const volatile void*));
// NOLINTNEXTLINE(readability-identifier-naming): the sanitizer's name
std::size_t __sanitizer_get_allocated_size(const volatile void* pointer);
}

namespace {

void onMalloc(const volatile void*, std::size_t size) {
    countAllocated(size);
}
void onFree(const volatile void* pointer) {
    if (counters.on && pointer != nullptr) countFreed(__sanitizer_get_allocated_size(pointer));
}
[[maybe_unused]] const int kInstalled = __sanitizer_install_malloc_and_free_hooks(onMalloc, onFree);

}  // namespace

#else

// glibc's own allocation functions, which the replacements below call.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* pointer, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
void __libc_free(void* pointer);
std::size_t malloc_usable_size(void* pointer);

void* malloc(std::size_t size) {
    void* pointer = __libc_malloc(size);
    if (pointer != nullptr) countAllocated(malloc_usable_size(pointer));
    return pointer;
}
void* calloc(std::size_t count, std::size_t size) {
    void* pointer = __libc_calloc(count, size);
    if (pointer != nullptr) countAllocated(malloc_usable_size(pointer));
    return pointer;
}
void* realloc(void* pointer, std::size_t size) {
    const std::size_t before = pointer != nullptr ? malloc_usable_size(pointer) : 0;
    void* moved = __libc_realloc(pointer, size);
    if (moved == nullptr && size != 0) return moved;
    countFreed(before);
    if (moved != nullptr) countAllocated(malloc_usable_size(moved));
    return moved;
}
void* memalign(std::size_t alignment, std::size_t size) {
    void* pointer = __libc_memalign(alignment, size);
    if (pointer != nullptr) countAllocated(malloc_usable_size(pointer));
    return pointer;
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
    return memalign(alignment, size);
}
int posix_memalign(void** out, std::size_t alignment, std::size_t size) {
    void* pointer = memalign(alignment, size);
    if (pointer == nullptr) return ENOMEM;
    *out = pointer;
    return 0;
}
void free(void* pointer) {
    if (pointer != nullptr) countFreed(malloc_usable_size(pointer));
    __libc_free(pointer);
}
}

#endif

namespace threefold::test {

Allocations::Allocations() {
    counters = {true, 0, 0};
}

Allocations::~Allocations() {
    counters.on = false;
}

std::size_t Allocations::peak() const {
    return static_cast<std::size_t>(counters.peak);
}

std::size_t Allocations::held() const {
    return static_cast<std::size_t>(std::max<std::int64_t>(counters.held, 0));
}

}  // namespace threefold::test
