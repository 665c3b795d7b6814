#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace threefold::cuda {

/// Resources that a kernel needs on one architecture, read from its machine code.
struct KernelNeeds {
    std::string name;  ///< see shortName()
    int architecture = 0;
    std::size_t registers = 0;  ///< per thread
    std::size_t stack = 0;   ///< bytes per thread: spilled registers, and arrays that do not fit in
                             ///< registers
    std::size_t shared = 0;  ///< static bytes per block, without the bytes that the system
                             ///< reserves
};

/// Demangled name without the program's namespaces, the result type, parameters and spaces:
/// "nearestKernel", "layerKernel<Half,(Precision)2>". Names that cannot be demangled stay
/// unchanged.
std::string shortName(const std::string& mangled);

/// Reads the kernels of one GPU image, an ELF file.
std::vector<KernelNeeds> kernelNeeds(std::span<const std::byte> elf, int architecture);

/// One line of the table of limits: NAME ARCHITECTURE REGISTERS STACK SHARED. NAME may end in *,
/// ARCHITECTURE may be "all". Of several matching lines, the line with the longest NAME applies;
/// among names of equal length, the line whose ARCHITECTURE is a number.
struct KernelLimit {
    std::string name;
    int architecture = 0;  ///< 0: all
    std::size_t registers = 0;
    std::size_t stack = 0;
    std::size_t shared = 0;
};

/// Reads the table; # begins a comment. Throws std::runtime_error if the file cannot be read, or if
/// a line is malformed; the message names the line.
std::vector<KernelLimit> readLimits(const std::filesystem::path& file);

/// Limit that applies to the kernel; null if no line matches.
const KernelLimit* limitOf(std::span<const KernelLimit> limits, const KernelNeeds& kernel);

/// Error message for a kernel that is not in the table or exceeds its limit; else empty.
std::string complaint(std::span<const KernelLimit> limits, const KernelNeeds& kernel);

}  // namespace threefold::cuda
