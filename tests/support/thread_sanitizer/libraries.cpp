// Only in programs that the thread sanitizer watches: libraries that are not built for it, and
// whose own threads and locks it therefore cannot follow. Nothing of Threefold may be named here.

#include <dlfcn.h>

namespace {

// A library that is left out may not be unloaded, which Vulkan's loader does.
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
        // Mesa's driver for the processor compiles and draws on threads of its own, which wait for
        // each other with futexes.
        "called_from_lib:libvulkan_lvp.so\n"
        "called_from_lib:libLLVM-15.so.1\n"
        // xcb and Xlib share buffers under locks taken before the sanitizer's start.
        "called_from_lib:libxcb.so.1\n"
        "called_from_lib:libX11.so.6\n"
        "called_from_lib:libXrender.so.1\n"
        "called_from_lib:libXfixes.so.3\n"
        // Writes the same name into the same buffer each time; connectToDisplay has it made.
        "race:XauFileName\n"
        // The validation layer frees what it handed to the driver's threads.
        "called_from_lib:libVkLayer_khronos_validation.so\n"
        // The compiler within Mesa tells the unwinder of the frames that it makes.
        "called_from_lib:libgcc_s.so.1\n"
        // The C library's own locks are none that the sanitizer sees.
        "race:tzset_internal\n"
        "race:_dl_deallocate_tls\n"
        // Qt's main loop is GLib's, whose locks are futexes as well.
        "called_from_lib:libglib-2.0.so.0\n"
        // Qt's mutexes are futexes; what it frees was handed over under one.
        "called_from_lib:libQt6Core.so.6\n"
        "called_from_lib:libQt6Gui.so.6\n"
        "called_from_lib:libQt6XcbQpa.so.6\n"
        // libgomp wakes its threads with futexes, oneDNN computes on them.
        "called_from_lib:libgomp.so.1\n"
        "called_from_lib:libdnnl.so.2\n"
        // OpenCV computes on TBB's threads, which hand it what they made under futexes.
        "race:libopencv_\n"
        "race:^cv::\n";
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
