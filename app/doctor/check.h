#pragma once

#include <string>
#include <vector>

namespace threefold {

class Error;

/// One finding of `threefold doctor`.
struct Check {
    enum class Status { ok, warning, missing };

    std::string subject;  ///< "processor", "model", …
    Status status = Status::ok;
    std::string found;        ///< the state, or the problem
    std::string remedy = {};  ///< a full sentence; empty where all is well
    bool needed = false;      ///< `reconstruct` cannot work without it
};

/// Check that failed with an error.
Check failedCheck(std::string subject, Check::Status status, const Error& error,
                  bool needed = false);

// Checks of parts of the machine or the installation. They throw only std::bad_alloc.
std::vector<Check> checkProcessor();  ///< instruction sets, threads, memory, oneDNN
std::vector<Check> checkGpus();       ///< the plug-in, the driver, NVIDIA's libraries, each GPU
Check checkModel(const std::string& file);
Check checkSamples();
std::vector<Check> checkVulkan();  ///< one for the loader, one for each device
Check checkDisplay();

}  // namespace threefold
