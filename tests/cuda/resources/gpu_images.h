#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace threefold::cuda {

/// Unpacked native code of one source file for one architecture, an ELF file.
struct GpuImage {
    int architecture = 0;  ///< 90 for compute capability 9.0
    std::vector<std::byte> elf;
};

/// Reads the code that nvcc embedded in a program or library (section .nv_fatbin): one container
/// per source file, with one image per architecture. Images may be compressed by Zstandard. Skips
/// PTX. Throws std::runtime_error if the format is unknown, std::out_of_range if the library is
/// truncated.
std::vector<GpuImage> gpuImages(std::span<const std::byte> library);

}  // namespace threefold::cuda
