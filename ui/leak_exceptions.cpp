// Linked into every program with a window where the sanitizers are on: what is not ours to free.

// Qt's connection to the session bus, which libdbus keeps to the end of the process.
// The name is the leak checker's.
// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" const char* __lsan_default_suppressions() {
    return "leak:libdbus-1\n";
}
