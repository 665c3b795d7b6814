#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace threefold::test {

/// A checkpoint's files in one input. Two sizes come first, in two little-endian bytes each: of the
/// index and of the first data file. The index, the first data file and the second data file
/// follow. A size beyond the end means all remaining bytes; if this is the size of the first data
/// file, there is no second data file.
struct BundleParts {
    std::span<const std::byte> index;
    std::vector<std::span<const std::byte>> shards;
};

inline constexpr std::size_t kBundleSizes = 4;

inline BundleParts bundleParts(std::span<const std::byte> bytes) {
    if (bytes.size() < kBundleSizes) return {};
    const auto size = [&](std::size_t at) {
        return std::to_integer<std::size_t>(bytes[at]) | std::to_integer<std::size_t>(bytes[at + 1])
                                                             << 8U;
    };
    const auto files = bytes.subspan(kBundleSizes);
    const auto index = files.first(std::min(size(0), files.size()));
    const auto data = files.subspan(index.size());
    if (size(2) > data.size()) return {index, {data}};
    return {index, {data.first(size(2)), data.subspan(size(2))}};
}

inline std::string bundleInput(const std::string& index, const std::vector<std::string>& shards) {
    const std::size_t first = shards.size() == 1 ? 0xffffU : shards[0].size();
    std::string bytes;
    for (const std::size_t size : {index.size(), first}) {
        bytes += static_cast<char>(size & 0xffU);
        bytes += static_cast<char>(size >> 8U);
    }
    bytes += index;
    for (const std::string& shard : shards) bytes += shard;
    return bytes;
}

}  // namespace threefold::test
