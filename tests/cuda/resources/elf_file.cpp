#include "tests/cuda/resources/elf_file.h"

#include <cstring>
#include <stdexcept>
#include <type_traits>

#include <elf.h>

namespace threefold::cuda {
namespace {

std::string textAt(std::span<const std::byte> table, std::size_t offset) {
    std::string text;
    for (; std::to_integer<char>(table[offset]) != 0; ++offset) {
        if (offset + 1 >= table.size()) throw std::out_of_range("a name has no end");
        text.push_back(std::to_integer<char>(table[offset]));
    }
    return text;
}

std::span<const std::byte> part(std::span<const std::byte> bytes, std::size_t offset,
                                std::size_t size) {
    if (offset > bytes.size() || size > bytes.size() - offset)
        throw std::out_of_range("a section reaches beyond the file");
    return bytes.subspan(offset, size);
}

}  // namespace

template <class Value>
Value valueAt(std::span<const std::byte> bytes, std::size_t offset) {
    static_assert(std::is_trivially_copyable_v<Value>);
    Value value;
    std::memcpy(&value, part(bytes, offset, sizeof value).data(), sizeof value);
    return value;
}

template std::uint8_t valueAt(std::span<const std::byte>, std::size_t);
template std::uint16_t valueAt(std::span<const std::byte>, std::size_t);
template std::uint32_t valueAt(std::span<const std::byte>, std::size_t);
template std::uint64_t valueAt(std::span<const std::byte>, std::size_t);

ElfFile::ElfFile(std::span<const std::byte> bytes) {
    const auto header = valueAt<Elf64_Ehdr>(bytes, 0);
    if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB)
        throw std::runtime_error("not a 64-bit little-endian ELF file");

    std::vector<Elf64_Shdr> headers;
    for (std::size_t i = 0; i < header.e_shnum; ++i)
        headers.push_back(valueAt<Elf64_Shdr>(bytes, header.e_shoff + i * sizeof(Elf64_Shdr)));
    const Elf64_Shdr& names = headers.at(header.e_shstrndx);
    const auto nameTable = part(bytes, names.sh_offset, names.sh_size);
    for (const Elf64_Shdr& section : headers) {
        ElfSection& added = sections_.emplace_back();
        if (section.sh_name >= nameTable.size())
            throw std::out_of_range("a name begins outside its table");
        added.name = textAt(nameTable, section.sh_name);
        added.size = section.sh_size;
        if (section.sh_type != SHT_NOBITS && section.sh_type != SHT_NULL)
            added.bytes = part(bytes, section.sh_offset, section.sh_size);
    }
}

const ElfSection* ElfFile::find(std::string_view name) const {
    for (const ElfSection& section : sections_)
        if (section.name == name) return &section;
    return nullptr;
}

std::string ElfFile::symbol(std::size_t number) const {
    const ElfSection* table = find(".symtab");
    const ElfSection* names = find(".strtab");
    if (!table || !names) throw std::runtime_error("no table of symbols");
    const auto entry = valueAt<Elf64_Sym>(table->bytes, number * sizeof(Elf64_Sym));
    if (entry.st_name >= names->bytes.size())
        throw std::out_of_range("a name begins outside its table");
    return textAt(names->bytes, entry.st_name);
}

}  // namespace threefold::cuda
