#include "engine/formats/tensors/sorted_table.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <snappy.h>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/tensors/crc32c.h"
#include "engine/formats/tensors/protobuf.h"

namespace threefold {
namespace {

constexpr std::uint64_t kTableMagic = 0xdb4775248b80fb57U;
constexpr std::size_t kFooterSize = 48;
/// Bytes after each block: its compression type (1 byte) and checksum (4).
constexpr std::size_t kTrailerSize = 5;
constexpr std::size_t kMaxKeyLength = std::size_t{4} << 10;
/// TensorFlow writes blocks of 256 kB, or of one larger entry.
constexpr std::size_t kMaxBlockSize = std::size_t{16} << 20;
/// Memory budget of all entries, for their whole keys and the values that the callback makes
/// of them: in the file, an entry whose key shares almost everything with the key before it may
/// take a few bytes.
constexpr std::size_t kEntriesBase = std::size_t{16} << 20;
constexpr std::size_t kEntriesPerByte = 8;
constexpr std::size_t kEntryCost = 256;
constexpr std::size_t kCostPerValueByte = 4;

/// Location of a block, without its trailer.
struct Handle {
    std::uint64_t offset, size;
};

Handle readHandle(ByteCursor& cursor) {
    const std::uint64_t offset = readVarint(cursor);
    return {offset, readVarint(cursor)};
}

class TableReader {
  public:
    TableReader(std::span<const std::byte> bytes, const std::filesystem::path& subject)
        : bytes_(bytes),
          subject_(subject),
          budget_(kEntriesBase + kEntriesPerByte * bytes.size()) {}

    void read(const TableEntryCallback& onEntry) {
        ByteCursor footer(bytes_.last(kFooterSize), subject_);
        readHandle(footer);  // index of the metadata blocks, not used
        const Handle index = readHandle(footer);
        std::string lastKey;
        bool first = true;
        const Block blocks = block(index);
        forEachEntry(blocks, [&](std::string_view, std::span<const std::byte> value) {
            ByteCursor cursor(value, subject_);
            const Handle handle = readHandle(cursor);
            // Overlapping blocks would unpack to more than the file can hold.
            if (handle.offset < blocksEnd_)
                failAtByte(subject_, handle.offset, "a block begins within another one");
            blocksEnd_ = handle.offset;
            const Block entries = block(handle);
            blocksEnd_ += handle.size;
            forEachEntry(entries, [&](std::string_view key, std::span<const std::byte> content) {
                if (!first && key <= lastKey)
                    failAtByte(subject_, handle.offset, "a block's keys are not in order");
                first = false;
                lastKey = key;
                onEntry(key, content);
            });
        });
    }

  private:
    /// A block's bytes: in the file, or unpacked.
    struct Block {
        Handle handle;
        std::vector<std::byte> unpacked;
        std::span<const std::byte> content;
    };

    Block block(const Handle& handle) const {
        const std::size_t dataSize = bytes_.size() - kFooterSize;
        if (handle.offset > dataSize || handle.size > dataSize - handle.offset ||
            dataSize - handle.offset - handle.size < kTrailerSize)
            failAtByte(
                subject_, std::min<std::uint64_t>(handle.offset, dataSize),
                fmt::format("a block of {} bytes at byte {} is declared, which the file does "
                            "not have",
                            handle.size, handle.offset));
        const auto packed = bytes_.subspan(handle.offset, handle.size);
        ByteCursor trailer(bytes_.subspan(handle.offset + handle.size, kTrailerSize), subject_);
        const std::uint64_t kind = trailer.readLittleEndian(1);
        const auto stored = static_cast<std::uint32_t>(trailer.readLittleEndian(4));
        const auto covered = bytes_.subspan(handle.offset, handle.size + 1);
        if (maskCrc32c(crc32c(covered)) != stored)
            failAtByte(subject_, handle.offset,
                       fmt::format("the checksum of a block of {} bytes is wrong", handle.size));
        Block block{handle, {}, packed};
        if (kind == 1) {
            block.unpacked = unpack(packed, handle);
            block.content = block.unpacked;
        } else if (kind != 0) {
            failAtByte(
                subject_, handle.offset + handle.size,
                fmt::format("a block has compression type {}; only plain (0) and snappy (1) are "
                            "read",
                            kind),
                "Save the checkpoint again with TensorFlow's own Saver.");
        }
        return block;
    }

    std::vector<std::byte> unpack(std::span<const std::byte> packed, const Handle& handle) const {
        const std::string_view text = asText(packed);
        std::size_t size = 0;
        if (!snappy::GetUncompressedLength(text.data(), text.size(), &size))
            failAtByte(subject_, handle.offset, "a snappy block without its length");
        // A copy of 64 bytes takes two bytes, so a block unpacks to at most 32 times its size.
        constexpr std::size_t kMaxSnappyRatio = 32;
        if (size > kMaxBlockSize || size / kMaxSnappyRatio > packed.size())
            failAtByte(
                subject_, handle.offset,
                fmt::format("a snappy block of {} bytes declares {} unpacked bytes, more than "
                            "it can hold or than are accepted",
                            packed.size(), size));
        std::vector<std::byte> content(size);
        if (!snappy::RawUncompress(text.data(), text.size(),
                                   reinterpret_cast<char*>(content.data())))
            failAtByte(subject_, handle.offset, "a snappy block that is damaged");
        return content;
    }

    /// Calls `onEntry` with each key and value. A key is restored from the prefix that it shares
    /// with the key before.
    template <typename OnEntry>
    void forEachEntry(const Block& block, OnEntry onEntry) {
        const auto fail = [&](const std::string& problem) {
            failAtByte(subject_, block.handle.offset, problem);
        };
        constexpr std::size_t kWord = 4;
        if (block.content.size() < kWord) fail("a block without its list of restarts");
        ByteCursor tail(block.content.last(kWord), subject_);
        const std::uint64_t restarts = tail.readLittleEndian(kWord);
        if (restarts > block.content.size() / kWord - 1)
            fail("a block with a list of restarts longer than itself");
        ByteCursor cursor(block.content.first(block.content.size() - kWord * (restarts + 1)),
                          subject_);
        std::string key;
        while (cursor.remaining() > 0) {
            std::span<const std::byte> value;
            try {
                const std::uint64_t shared = readVarint(cursor);
                const std::uint64_t added = readVarint(cursor);
                const std::uint64_t valueSize = readVarint(cursor);
                if (shared > key.size()) fail("a key that shares more than the one before it has");
                if (added > kMaxKeyLength || shared + added > kMaxKeyLength)
                    fail("a key of more than 4 kB");
                key.resize(shared);
                key += cursor.readText(added);
                value = cursor.read(valueSize);
            } catch (const FormatError& error) {
                // The offset in `error` is within the unpacked block, not in the file.
                fail("in the block here: " + error.report().problem);
            }
            const std::size_t cost = kEntryCost + key.size() + kCostPerValueByte * value.size();
            if (cost > budget_)
                fail("its entries take more memory than is allowed for a file of this size");
            budget_ -= cost;
            onEntry(std::string_view(key), value);
        }
    }

    std::span<const std::byte> bytes_;
    const std::filesystem::path& subject_;
    std::size_t budget_;
    std::uint64_t blocksEnd_ = 0;  ///< end of the last block that was read
};

}  // namespace

bool looksLikeSortedTable(std::span<const std::byte> bytes) {
    if (bytes.size() < kFooterSize) return false;
    return ByteCursor(bytes.last(8), "").readLittleEndian(8) == kTableMagic;
}

void readSortedTable(std::span<const std::byte> bytes, const std::filesystem::path& subject,
                     const TableEntryCallback& onEntry) {
    if (!looksLikeSortedTable(bytes))
        throw NotThisFormat({subject.string(), "",
                             "does not end as a TensorFlow checkpoint's index does",
                             "Give the checkpoint's '.index' file; if this is one, it is "
                             "incomplete: copy it again."});
    TableReader(bytes, subject).read(onEntry);
}

}  // namespace threefold
