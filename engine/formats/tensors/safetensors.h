#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/formats/tensors/array.h"

namespace threefold {

using Metadata = std::map<std::string, std::string>;

/// Key of the texts in a header.
inline constexpr std::string_view kMetadataKey = "__metadata__";

/// Content of a file.
struct Safetensors {
    ArrayMap arrays;
    Metadata metadata;  ///< the `__metadata__` entry
};

/// Declarations in a file's header.
struct SafetensorsHeader {
    /// Declaration of one array.
    struct Entry {
        DType dtype = DType::f32;
        std::vector<std::size_t> shape;
        std::size_t begin = 0;  ///< byte offsets within the data section, begin ≤ end
        std::size_t end = 0;
    };
    std::map<std::string, Entry> entries;
    Metadata metadata;
    std::size_t dataOffset = 0;  ///< of the data section within the file
};

/// Read a file. Safe for untrusted bytes: offsets are checked against the file, overlaps and holes
/// refused, the header limited to 100 MB as the format says. Throw IoError, NotThisFormat,
/// FormatError.
Safetensors readSafetensors(const std::filesystem::path& file);
SafetensorsHeader readSafetensorsHeader(const std::filesystem::path& file);

/// Decode bytes in memory; `subject` names the source in errors. Throw NotThisFormat, FormatError.
Safetensors decodeSafetensors(std::span<const std::byte> bytes,
                              const std::filesystem::path& subject);
SafetensorsHeader decodeSafetensorsHeader(std::span<const std::byte> bytes,
                                          const std::filesystem::path& subject);

/// Encodes a file: the same content gives the same bytes. Throws InputError if an array's data does
/// not fit its shape, or a text is not UTF-8.
std::vector<std::byte> encodeSafetensors(const Safetensors& content);

/// Writes a file whole or not at all. Throws InputError as encodeSafetensors(), IoError.
void writeSafetensors(const std::filesystem::path& file, const Safetensors& content);

}  // namespace threefold
