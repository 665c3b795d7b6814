// Keeps libraries mapped that dlclose() would unmap. This file is linked only into programs with
// the address sanitizer. Vulkan's loader unmaps the driver with the last instance; the leak checker
// would then report the driver's caches, without names that a suppression could match.
#include <dlfcn.h>

extern "C" void* dlopen(const char* file, int mode) noexcept {
    using Open = void* (*)(const char*, int);
    static const auto next = reinterpret_cast<Open>(dlsym(RTLD_NEXT, "dlopen"));
    return next(file, mode | RTLD_NODELETE);
}
