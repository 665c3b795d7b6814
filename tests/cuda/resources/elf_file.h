#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace threefold::cuda {

/// Reads a trivially copyable value at `offset`. Throws std::out_of_range if the value reaches
/// beyond the end.
template <class Value>
Value valueAt(std::span<const std::byte> bytes, std::size_t offset);

/// Section of a little-endian 64-bit ELF file: a program, library or GPU image.
struct ElfSection {
    std::string name;
    std::uint64_t size = 0;
    std::span<const std::byte> bytes;  ///< the section's bytes; empty if the file holds none (.bss)
};

/// Sections and symbols of an ELF file. Keeps a view of the bytes.
class ElfFile {
  public:
    /// Throws std::runtime_error if the bytes are no little-endian 64-bit ELF file,
    /// std::out_of_range if they are truncated.
    explicit ElfFile(std::span<const std::byte> bytes);

    const std::vector<ElfSection>& sections() const { return sections_; }
    /// Null if there is no section of this name.
    const ElfSection* find(std::string_view name) const;
    /// Name of a symbol by its index in the symbol table.
    std::string symbol(std::size_t number) const;

  private:
    std::vector<ElfSection> sections_;
};

}  // namespace threefold::cuda
