// Suppressions for libraries that are not instrumented: the sanitizer cannot follow their threads
// and locks. This file is linked only into programs with the thread sanitizer. Threefold's code
// must not be listed.

#include <dlfcn.h>

namespace {

// The sanitizer forbids unloading a suppressed library, but Vulkan's loader would unload these
// libraries, so they are opened with RTLD_NODELETE.
[[gnu::constructor]] void keepTheDrivers() {
    dlopen("libvulkan_lvp.so", RTLD_LAZY | RTLD_NODELETE);
    dlopen("libVkLayer_khronos_validation.so", RTLD_LAZY | RTLD_NODELETE);
}

}  // namespace

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the sanitizer's names
extern "C" const char* __tsan_default_options() {
    return "exitcode=66:second_deadlock_stack=1";
}

extern "C" const char* __tsan_default_suppressions() {
    return
        // Mesa's software driver compiles and draws on its own threads, which synchronise by
        // futexes.
        "called_from_lib:libvulkan_lvp.so\n"
        "called_from_lib:libLLVM-15.so.1\n"
        // xcb and Xlib share buffers under locks that were taken before the sanitizer started.
        "called_from_lib:libxcb.so.1\n"
        "called_from_lib:libX11.so.6\n"
        "called_from_lib:libXrender.so.1\n"
        "called_from_lib:libXfixes.so.3\n"
        // XauFileName() writes the same name into the same static buffer in each call.
        "race:XauFileName\n"
        // The validation layer frees memory that the driver's threads have used.
        "called_from_lib:libVkLayer_khronos_validation.so\n"
        // Mesa's compiler registers generated frames with the unwinder.
        "called_from_lib:libgcc_s.so.1\n"
        // The sanitizer does not see the C library's internal locks.
        "race:tzset_internal\n"
        "race:_dl_deallocate_tls\n"
        // Qt uses GLib's main loop, whose locks are futexes.
        "called_from_lib:libglib-2.0.so.0\n"
        // Qt's mutexes are futexes; memory that Qt frees was handed over under these mutexes.
        "called_from_lib:libQt6Core.so.6\n"
        "called_from_lib:libQt6Gui.so.6\n"
        "called_from_lib:libQt6XcbQpa.so.6\n"
        // libgomp wakes its threads by futexes; oneDNN computes on these threads.
        "called_from_lib:libgomp.so.1\n"
        "called_from_lib:libdnnl.so.2\n"
        // OpenCV computes on TBB's threads, which synchronise by futexes.
        "race:libopencv_\n"
        "race:^cv::\n";
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
