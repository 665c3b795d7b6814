#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "engine/formats/array.h"

namespace threefold {

using Metadata = std::map<std::string, std::string>;

struct Safetensors {
    ArrayMap arrays;
    Metadata metadata;  ///< the `__metadata__` entry
};

/// What a file declares, read from its header alone.
struct SafetensorsHeader {
    struct Entry {
        DType dtype;
        std::vector<std::size_t> shape;
        std::size_t begin;  ///< byte offsets within the data section
        std::size_t end;
    };
    std::map<std::string, Entry> entries;
    Metadata metadata;
    std::size_t dataOffset;  ///< of the data section within the file
};

/// Safe for untrusted bytes: offsets are checked against the file, overlaps and holes refused, the
/// header limited to 100 MB as the format says. Throws IoError, NotThisFormat, FormatError.
Safetensors readSafetensors(const std::filesystem::path& file);
SafetensorsHeader readSafetensorsHeader(const std::filesystem::path& file);

/// Writes whole or not at all; same input, same bytes. Throws IoError.
void writeSafetensors(const std::filesystem::path& file, const Safetensors& content);

}  // namespace threefold
