#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace threefold::cuda {

/// The native code of one source file for one architecture, unpacked: an ELF file of its own.
struct GpuImage {
    int architecture = 0;  ///< 90 for 9.0
    std::vector<std::byte> elf;
};

/// Code that nvcc put into a program or library (its section .nv_fatbin): a row of containers, one
/// a source file, each with an image an architecture, packed by Zstandard where that is shorter.
/// PTX is passed over. Throws std::runtime_error where the bytes are not understood.
std::vector<GpuImage> gpuImages(std::span<const std::byte> library);

}  // namespace threefold::cuda
