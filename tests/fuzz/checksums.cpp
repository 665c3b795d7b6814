#include "tests/fuzz/checksums.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <utility>

#include <snappy.h>
#include <zlib.h>

#include "engine/error.h"
#include "engine/evaluation/journal/journal_text.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/tensors/crc32c.h"
#include "engine/formats/tensors/protobuf.h"
#include "engine/formats/tensors/tensor_bundle.h"
#include "tests/fuzz/bundle_parts.h"

namespace threefold::test {
namespace {

using Bytes = std::span<std::uint8_t>;

std::uint32_t bigAt(Bytes bytes, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = value << 8 | bytes[at + i];
    return value;
}

std::uint32_t littleAt(Bytes bytes, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 4; i-- > 0;) value = value << 8 | bytes[at + i];
    return value;
}

void setLittle(Bytes bytes, std::size_t at, std::uint32_t value) {
    for (std::size_t i = 0; i < 4; ++i) bytes[at + i] = static_cast<std::uint8_t>(value >> (8 * i));
}

std::uint32_t sumOf(Bytes bytes) {
    return static_cast<std::uint32_t>(crc32(0, bytes.data(), static_cast<unsigned>(bytes.size())));
}

void repairPng(Bytes bytes) {
    constexpr std::size_t kSignature = 8;
    constexpr std::size_t kFrame = 12;
    for (std::size_t at = kSignature; at + kFrame <= bytes.size();) {
        const std::size_t length = bigAt(bytes, at);
        if (length > bytes.size() - at - kFrame) return;
        const std::uint32_t sum = sumOf(bytes.subspan(at + 4, length + 4));
        for (std::size_t i = 0; i < 4; ++i)
            bytes[at + 8 + length + i] = static_cast<std::uint8_t>(sum >> (24 - 8 * i));
        at += length + kFrame;
    }
}

/// Repairs both headers of each stored entry that the central directory lists.
void repairZip(Bytes bytes) {
    constexpr std::size_t kCentral = 46;
    constexpr std::size_t kLocal = 30;
    constexpr std::uint8_t kMark[] = {'P', 'K', 1, 2};
    for (auto at = bytes.begin();; ++at) {
        at = std::search(at, bytes.end(), std::begin(kMark), std::end(kMark));
        const Bytes entry(at, bytes.end());
        if (entry.size() < kCentral) return;
        const bool stored = entry[10] == 0 && entry[11] == 0;
        const std::size_t size = littleAt(entry, 20);
        const std::size_t header = littleAt(entry, 42);
        if (!stored || header > bytes.size() || bytes.size() - header < kLocal) continue;
        const std::size_t data = kLocal + bytes[header + 26] + bytes[header + 28] +
                                 256U * (bytes[header + 27] + bytes[header + 29]);
        if (data > bytes.size() - header || size > bytes.size() - header - data) continue;
        const std::uint32_t sum = sumOf(bytes.subspan(header + data, size));
        setLittle(entry, 16, sum);
        setLittle(bytes, header + 14, sum);
    }
}

/// Bytes after a block: one for the compression, four for the checksum.
constexpr std::size_t kTrailer = 5;

/// Repairs the checksum of the block at `handle`. Returns the block's bytes without the trailer;
/// empty if the block is not within the table.
Bytes repairBlock(Bytes table, ByteCursor& handle) {
    const std::uint64_t offset = readVarint(handle);
    const std::uint64_t size = readVarint(handle);
    if (offset > table.size() || size > table.size() - offset ||
        table.size() - offset - size < kTrailer)
        return {};
    const Bytes covered = table.subspan(offset, size + 1);
    setLittle(table, offset + size + 1, maskCrc32c(crc32c(std::as_bytes(covered))));
    return covered.first(size);
}

bool unpack(std::string& block) {
    constexpr std::size_t kMaxSize = 1 << 16;
    std::size_t size = 0;
    std::string unpacked;
    if (!snappy::GetUncompressedLength(block.data(), block.size(), &size) || size > kMaxSize ||
        !snappy::Uncompress(block.data(), block.size(), &unpacked))
        return false;
    block = std::move(unpacked);
    return true;
}

/// Repairs the checksums of a LevelDB table. The footer has the handles of the metaindex block and
/// of the index block; the index block has the handles of the data blocks.
void repairTable(Bytes table) {
    constexpr std::size_t kFooter = 48;
    if (table.size() < kFooter) return;
    ByteCursor footer(std::as_bytes(table.last(kFooter)), "");
    try {
        repairBlock(table, footer);
        const Bytes index = repairBlock(table, footer);
        std::string handles(index.begin(), index.end());
        const bool packed = !index.empty() && *(index.data() + index.size()) == 1;
        if (packed && !unpack(handles)) return;
        ByteCursor cursor(asBytes(handles), "");
        while (cursor.remaining() > 0) {
            readVarint(cursor);  // number of bytes shared with the previous key
            const std::uint64_t added = readVarint(cursor);
            const std::uint64_t size = readVarint(cursor);
            cursor.read(added);
            ByteCursor handle(cursor.read(size), "");
            repairBlock(table, handle);
        }
    } catch (const Error&) {  // the index ends in invalid bytes
    }
}

void repairBundle(Bytes input) {
    const BundleParts parts = bundleParts(std::as_bytes(input));
    if (input.size() < kBundleSizes) return;
    const Bytes table = input.subspan(kBundleSizes, parts.index.size());
    repairTable(table);
    try {
        for (const auto& [name, entry] : decodeTensorBundleIndex(parts.index, "").entries) {
            if (entry.shard >= parts.shards.size()) continue;
            const auto shard = parts.shards[entry.shard];
            if (entry.offset > shard.size() || entry.size > shard.size() - entry.offset) continue;
            constexpr std::size_t kField = 5;  // protobuf's tag of the checksum, and the checksum
            std::uint8_t stored[kField] = {6U << 3U | 5U};
            setLittle(stored, 1, entry.checksum);
            const auto found =
                std::search(table.begin(), table.end(), std::begin(stored), std::end(stored));
            if (found == table.end()) continue;
            setLittle(table, static_cast<std::size_t>(found - table.begin()) + 1,
                      maskCrc32c(crc32c(shard.subspan(entry.offset, entry.size))));
        }
    } catch (const Error&) {
        return;
    }
    repairTable(table);
}

void repairJournal(Bytes bytes) {
    constexpr std::string_view kBefore = R"({"check":")";
    constexpr std::string_view kBetween = R"(","line":)";
    constexpr std::size_t kDigits = 16;
    constexpr std::size_t kStart = kBefore.size() + kDigits + kBetween.size();
    for (std::size_t at = 0; at < bytes.size();) {
        const auto end = std::find(bytes.begin() + static_cast<std::ptrdiff_t>(at), bytes.end(),
                                   static_cast<std::uint8_t>('\n'));
        const Bytes line(bytes.begin() + static_cast<std::ptrdiff_t>(at), end);
        at += line.size() + 1;
        if (line.size() <= kStart) continue;
        const std::string_view text = asText(std::as_bytes(line.subspan(kStart)));
        const std::string check = journalChecksum(text.substr(0, text.size() - 1));
        std::copy(check.begin(), check.end(), line.begin() + kBefore.size());
    }
}

}  // namespace

bool repairChecksums(std::string_view target, std::span<std::uint8_t> bytes) {
    if (target == "png") {
        repairPng(bytes);
    } else if (target == "npz" || target == "npz_headers" || target == "torch" ||
               target == "camera_arrays") {
        repairZip(bytes);
    } else if (target == "bundle_index") {
        repairTable(bytes);
    } else if (target == "bundle") {
        repairBundle(bytes);
    } else if (target == "journal") {
        repairJournal(bytes);
    } else {
        return false;
    }
    return true;
}

}  // namespace threefold::test
