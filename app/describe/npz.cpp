#include "engine/formats/tensors/npz.h"

#include <fmt/format.h>

#include "app/describe/describers.h"
#include "engine/formats/bytes/file_bytes.h"

namespace threefold {

namespace {

ArrayDescription describeHeader(std::string name, const NpyHeader& header) {
    return {std::move(name), std::string(dtypeName(header.type.dtype)), header.shape, {}};
}

std::size_t bytesOf(const NpyHeader& header) {
    return byteCount(header.type.dtype, header.shape).value_or(0);
}

}  // namespace

Description describeNpz(const std::filesystem::path& file, const InspectOptions& options) {
    const MappedFile mapped(file);
    const auto headers = decodeNpzHeaders(mapped.bytes(), file);
    Description description{"npz", {}, {}};
    description.facts.emplace_back("arrays", std::to_string(headers.size()));
    std::size_t bytes = 0;
    for (const auto& [name, header] : headers) bytes += bytesOf(header);
    if (wantsRanges(options, bytes, description)) {
        for (const auto& [name, array] : decodeNpz(mapped.bytes(), file))
            description.arrays.push_back(describeArray(name, array, true));
    } else {
        for (const auto& [name, header] : headers)
            description.arrays.push_back(describeHeader(name, header));
    }
    return description;
}

Description describeNpy(const std::filesystem::path& file, const InspectOptions& options) {
    const MappedFile mapped(file);
    const NpyHeader header = decodeNpyHeader(mapped.bytes(), file);
    Description description{"npy", {}, {}};
    const bool ranges = wantsRanges(options, bytesOf(header), description);
    const std::size_t there = mapped.bytes().size() - header.dataOffset;
    if (ranges || bytesOf(header) != there)
        description.arrays.push_back(
            describeArray("array", decodeNpy(mapped.bytes(), file), ranges));
    else
        description.arrays.push_back(describeHeader("array", header));
    return description;
}

}  // namespace threefold
