// Only in sanitized programs. A Vulkan driver keeps caches in its globals; when the loader unmaps
// it with the last instance, the leak checker finds them without an owner and cannot name them.
// So whatever such a program opens stays mapped.
#include <dlfcn.h>

extern "C" void* dlopen(const char* file, int mode) noexcept {
    using Open = void* (*)(const char*, int);
    static const auto next = reinterpret_cast<Open>(dlsym(RTLD_NEXT, "dlopen"));
    return next(file, mode | RTLD_NODELETE);
}
