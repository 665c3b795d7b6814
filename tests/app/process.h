#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "tests/support/temp_folder.h"

namespace threefold::test {

/// Exit status and output of a started program.
struct ProcessResult {
    int exitCode = -1;  ///< -1 if a signal ended the program
    int signal = 0;
    std::string output;           ///< text of standard output
    std::string errors;           ///< text of standard error
    std::uint64_t peakBytes = 0;  ///< peak resident memory
};

struct StartOptions {
    /// Environment variables to set. By default XDG_CONFIG_HOME and THREEFOLD_SYSTEM_ROOT name a
    /// folder that does not exist, and THREEFOLD_RESOURCES names the folder with the tests' model,
    /// so that no test depends on the machine.
    std::map<std::string, std::string> environment;
    std::vector<std::string> unsetVariables;  ///< environment variables to remove
    bool outputClosed = false;                ///< standard output is closed
    std::string outputFile;                   ///< file for standard output; empty: captured
    std::filesystem::path folder = {};        ///< working folder; empty: this process's
    /// Called in the new process just before the program begins, for limits and descriptors. May
    /// make system calls, but neither allocate nor throw.
    std::function<void()> prepare = {};
};

/// A running `threefold`; the destructor kills the process.
class Process {
  public:
    explicit Process(const std::vector<std::string>& arguments, const StartOptions& options = {});
    ~Process();
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    void send(int signal) const;
    /// Waits until standard error holds `text`. Returns false after two minutes, which suffice for
    /// sanitizers on a busy machine.
    bool waitForError(std::string_view text) const;
    ProcessResult wait();

  private:
    TempFolder folder_;
    pid_t id_ = -1;
};

/// Runs `threefold` and waits until it has ended.
ProcessResult runThreefold(const std::vector<std::string>& arguments,
                           const StartOptions& options = {});

}  // namespace threefold::test
