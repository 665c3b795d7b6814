#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <sys/types.h>

#include "tests/support/temp_folder.h"

namespace threefold::test {

/// Exit status and output of a started program.
struct ProcessResult {
    int exitCode = -1;  ///< -1 where a signal ended it
    int signal = 0;
    std::string out;
    std::string err;
    std::uint64_t peakBytes = 0;  ///< peak of its resident memory
};

struct StartOptions {
    /// Environment, on top of this process's. If not given: of XDG_CONFIG_HOME an empty folder, of
    /// THREEFOLD_RESOURCES the one with the tests' model, of THREEFOLD_SYSTEM_ROOT an empty folder,
    /// so that no test depends on whether its machine has a GPU.
    std::map<std::string, std::string> set;
    std::vector<std::string> unset;
    bool outputClosed = false;          ///< started with standard output closed
    std::string outputFile;             ///< standard output goes there; empty: it is captured
    std::filesystem::path folder = {};  ///< to start in; empty: this process's
    /// Called in the new process, last before the program begins: limits, descriptors. May make
    /// system calls, but neither allocate nor throw.
    std::function<void()> prepare = {};
};

/// The built `threefold`, running. The end of the scope ends it.
class Process {
  public:
    explicit Process(const std::vector<std::string>& arguments, const StartOptions& options = {});
    ~Process();
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    void send(int signal) const;
    /// Waits until standard error holds `text`, for at most two minutes (sanitizers on a busy
    /// machine). False if it never did.
    bool waitForError(std::string_view text) const;
    ProcessResult wait();

  private:
    TempFolder folder_;
    pid_t id_ = -1;
};

/// Starts `threefold`, waits for its end.
ProcessResult runThreefold(const std::vector<std::string>& arguments,
                           const StartOptions& options = {});

}  // namespace threefold::test
