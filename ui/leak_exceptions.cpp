// Leaks of libraries that the leak sanitizer must not report. This file is linked into every
// program that has a window and is built with sanitizers.

// libdbus keeps Qt's connection to the session bus until the process ends. LeakSanitizer calls this
// function by its name.
// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" const char* __lsan_default_suppressions() {
    return "leak:libdbus-1\n";
}
