#pragma once

#include <string>
#include <vector>

namespace threefold {

class Error;

/// One finding of `threefold doctor`.
struct Finding {
    /// Severity of a finding: fine, usable with a remedy, or unusable.
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

// The checks throw only std::bad_alloc.

/// Checks instruction sets, threads, memory, oneDNN and the rates of the precisions.
std::vector<Finding> checkProcessor();
/// Checks the plug-in, the driver, NVIDIA's libraries and each GPU.
std::vector<Finding> checkGpus();
/// Checks whether the model's file can be loaded.
Finding checkModel(const std::string& file);
/// Checks whether the bundled samples are installed.
Finding checkSamples();
/// Checks Vulkan: a finding for the loader and one for each device.
std::vector<Finding> checkVulkan();
/// Checks whether a display can be opened.
Finding checkDisplay();

}  // namespace threefold
