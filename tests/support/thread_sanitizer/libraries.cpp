// Only in programs that the thread sanitizer watches: libraries that are not built for it, and
// whose own threads and locks it therefore cannot follow. Nothing of Threefold may be named here.

// The name is the sanitizer's.
// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" const char* __tsan_default_suppressions() {
    return
        // Mesa's driver for the processor compiles and draws on threads of its own, which wait for
        // each other with futexes.
        "called_from_lib:libvulkan_lvp.so\n"
        "called_from_lib:libLLVM-15.so.1\n"
        // xcb and Xlib share buffers under locks taken before the sanitizer's start.
        "called_from_lib:libxcb.so.1\n"
        "called_from_lib:libX11.so.6\n"
        // Qt's mutexes are futexes; what it frees was handed over under one.
        "called_from_lib:libQt6Core.so.6\n"
        "called_from_lib:libQt6Gui.so.6\n"
        "called_from_lib:libQt6XcbQpa.so.6\n"
        // libgomp wakes its threads with futexes, oneDNN computes on them.
        "called_from_lib:libgomp.so.1\n"
        "called_from_lib:libdnnl.so.2\n";
}
