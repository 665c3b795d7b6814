#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace threefold {

/// A GPU, as described by its driver.
struct GpuDescription {
    std::string name;
    int computeCapability = 0;  ///< 90 for 9.0
    int multiprocessorCount = 0;
    std::size_t memoryBytes = 0;
    std::string driver;     ///< "580.65"
    std::string libraries;  ///< "CUDA 13.0, cuBLASLt 13.1, cuDNN 9.13"
};

/// Whether a GPU of this compute capability runs code for one of `architectures`: machine code of
/// its own generation and not newer than the GPU, or the PTX of the last architecture if this
/// architecture is not newer than the GPU.
bool hasCodeFor(int computeCapability, std::span<const int> architectures);

/// Formats a compute capability: "9.0" for 90.
std::string capabilityText(int computeCapability);

}  // namespace threefold
