#include "engine/formats/tensors/safetensors.h"

#include <fmt/format.h>

#include "app/describe/describers.h"
#include "engine/formats/bytes/file_bytes.h"

namespace threefold {
namespace {

/// One tensor out of the mapped file: only what is looked at is read.
Array tensorOf(const MappedFile& file, std::size_t dataOffset,
               const SafetensorsHeader::Entry& entry) {
    const auto bytes = file.bytes().subspan(dataOffset + entry.begin, entry.end - entry.begin);
    return {entry.dtype, entry.shape, {bytes.begin(), bytes.end()}};
}

}  // namespace

Description describeSafetensors(const std::filesystem::path& file, const InspectOptions& options) {
    const SafetensorsHeader header = readSafetensorsHeader(file);
    Description description{"safetensors", {}, {}};
    description.facts.emplace_back("tensors", std::to_string(header.entries.size()));
    for (const auto& [key, value] : header.metadata) description.facts.emplace_back(key, value);
    const MappedFile mapped(file);
    description.facts.emplace_back("SHA-256", sha256(mapped.bytes()));
    const bool ranges =
        wantsRanges(options, mapped.bytes().size() - header.dataOffset, description);
    for (const auto& [name, entry] : header.entries) {
        ArrayDescription array{name, std::string(dtypeName(entry.dtype)), entry.shape, {}};
        if (ranges) {
            array = describeArray(name, tensorOf(mapped, header.dataOffset, entry), true);
        }
        description.arrays.push_back(std::move(array));
    }
    return description;
}

}  // namespace threefold
