#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace threefold::cuda {

/// A plain value from anywhere in a file. Throws std::out_of_range beyond the end.
template <class Value>
Value valueAt(std::span<const std::byte> bytes, std::size_t offset);

/// One section of an ELF file, 64 bit and little endian: a program's or a GPU's.
struct ElfSection {
    std::string name;
    std::uint64_t size = 0;
    std::span<const std::byte> bytes;  ///< of the file; empty where the section holds none there
};

/// The parts of an ELF file that say what its functions need. Keeps a view of the bytes.
class ElfFile {
  public:
    /// Throws std::runtime_error where the bytes are no such file, std::out_of_range where they end
    /// early.
    explicit ElfFile(std::span<const std::byte> bytes);

    const std::vector<ElfSection>& sections() const { return sections_; }
    /// Null where there is none of this name.
    const ElfSection* find(std::string_view name) const;
    /// By its number in the symbol table.
    std::string symbol(std::size_t number) const;

  private:
    std::vector<ElfSection> sections_;
};

}  // namespace threefold::cuda
