#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace threefold::cuda {

/// Resources of a kernel on one architecture, as its machine code says.
struct KernelNeeds {
    std::string name;  ///< see shortName()
    int architecture = 0;
    std::size_t registers = 0;  ///< a thread
    std::size_t stack = 0;   ///< bytes a thread: spilled registers and arrays that found no place
    std::size_t shared = 0;  ///< static bytes a block, without what the system keeps
};

/// Without namespaces of ours, result, parameters and spaces: "nearestKernel",
/// "layerKernel<Half,(Precision)2>". What cannot be demangled stays as it is.
std::string shortName(const std::string& mangled);

/// Of the ELF file of one GPU image.
std::vector<KernelNeeds> kernelNeeds(std::span<const std::byte> elf, int architecture);

/// One line of the table of limits: NAME ARCHITECTURE REGISTERS STACK SHARED. A name may end in *,
/// and an architecture may be "all"; of several lines the longest name wins, then a number.
struct KernelLimit {
    std::string name;
    int architecture = 0;  ///< 0: all
    std::size_t registers = 0;
    std::size_t stack = 0;
    std::size_t shared = 0;
};

/// Throws std::runtime_error naming the line that is not one. # begins a remark.
std::vector<KernelLimit> readLimits(const std::filesystem::path& file);

/// Null where the table has no line for it.
const KernelLimit* limitOf(std::span<const KernelLimit> limits, const KernelNeeds& kernel);

/// Empty, or what to say about a kernel that is unknown or takes more than it may.
std::string complaint(std::span<const KernelLimit> limits, const KernelNeeds& kernel);

}  // namespace threefold::cuda
