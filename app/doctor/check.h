#pragma once

#include <string>
#include <vector>

namespace threefold {

class Error;

/// One finding of `threefold doctor`.
struct Finding {
    enum class Status { ok, warning, missing };

    std::string subject;  ///< "processor", "model", …
    Status status = Status::ok;
    std::string state;        ///< "2 usable of 2", or the problem
    std::string remedy = {};  ///< a full sentence; empty where all is well
    bool needed = false;      ///< `reconstruct` cannot work without it
};

/// Finding of a check that failed with an error.
Finding failedFinding(std::string subject, Finding::Status status, const Error& error,
                      bool needed = false);

// Checks of parts of the machine or the installation. They throw only std::bad_alloc.
std::vector<Finding> checkProcessor();  ///< instruction sets, threads, memory, oneDNN
std::vector<Finding> checkGpus();       ///< the plug-in, the driver, NVIDIA's libraries, each GPU
Finding checkModel(const std::string& file);
Finding checkSamples();
std::vector<Finding> checkVulkan();  ///< one for the loader, one for each device
Finding checkDisplay();

}  // namespace threefold
