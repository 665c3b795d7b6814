#pragma once

#include <string>
#include <vector>

namespace threefold {

/// One thing that was looked at.
struct Check {
    enum class Status { ok, warning, missing };

    std::string subject;  ///< "processor", "model", …
    Status status = Status::ok;
    std::string found;    ///< what is there, or what is wrong
    std::string remedy;   ///< a full sentence; empty where all is well
    bool needed = false;  ///< `reconstruct` cannot work without it
};

// Each looks at one part of the machine or of the installation. None throws but std::bad_alloc.
Check checkProcessor();
Check checkThreads();
Check checkMemory();
Check checkProducts();  ///< oneDNN, and the widest instructions that it uses here
Check checkModel(const std::string& file);
Check checkSamples();
std::vector<Check> checkVulkan();  ///< one for the loader, one for each device
Check checkDisplay();
std::vector<Check> checkGpus();  ///< the plug-in, the driver, NVIDIA's libraries, each GPU

}  // namespace threefold
