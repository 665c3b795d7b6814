#include "engine/formats/pictures/heic_boxes.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "engine/formats/bytes/byte_cursor.h"

namespace threefold {
namespace {

using Bytes = std::span<const std::byte>;

struct Box {
    std::string_view kind;
    std::uint64_t begin = 0, content = 0, end = 0;  ///< offsets; content follows size and kind
};

enum class StartCodes { none, escaped };

/// Bits of a parameter set. With StartCodes::escaped, drops HEVC's emulation prevention bytes.
/// Reads 0 beyond the end.
class Bits {
  public:
    Bits(Bytes bytes, StartCodes codes) {
        int zeros = 0;
        for (const std::byte byte : bytes) {
            if (codes == StartCodes::escaped && zeros >= 2 && byte == std::byte{3}) {
                zeros = 0;
                continue;
            }
            zeros = byte == std::byte{0} ? zeros + 1 : 0;
            bytes_.push_back(std::to_integer<std::uint8_t>(byte));
        }
    }
    void skip(std::size_t count) { bit_ += count; }
    std::uint64_t read(unsigned count) {
        std::uint64_t value = 0;
        for (; count > 0; --count, ++bit_)
            value = value << 1U |
                    (bit_ / 8 < bytes_.size() ? bytes_[bit_ / 8] >> (7 - bit_ % 8) & 1U : 0U);
        return value;
    }
    /// Reads an unsigned Exp-Golomb code; 0 beyond 32 bits.
    std::uint64_t readGolomb() {
        unsigned zeros = 0;
        while (zeros < 32 && read(1) == 0) ++zeros;
        return zeros < 32 ? (std::uint64_t{1} << zeros) - 1 + read(zeros) : 0;
    }

  private:
    std::vector<std::uint8_t> bytes_;
    std::size_t bit_ = 0;
};

/// Pixel count in a sequence parameter set of HEVC, given as a NAL unit with its header.
std::uint64_t pixelsOfSequence(Bytes unit) {
    constexpr std::size_t kNalHead = 16, kGeneralProfile = 96;  // bits
    constexpr unsigned kMaxLayers = 8;
    Bits bits(unit.first(std::min<std::size_t>(unit.size(), 256)), StartCodes::escaped);
    bits.skip(kNalHead + 4);
    const auto layers = static_cast<unsigned>(bits.read(3));  // sub-layers below the highest
    bits.skip(1 + kGeneralProfile);
    std::size_t layerBits = 0;
    for (unsigned i = 0; i < (layers > 0 ? kMaxLayers : 0); ++i) {
        const bool profile = bits.read(1) != 0, level = bits.read(1) != 0;
        if (i < layers) layerBits += (profile ? 88U : 0U) + (level ? 8U : 0U);
    }
    bits.skip(layerBits);
    bits.readGolomb();                         // sps_seq_parameter_set_id
    if (bits.readGolomb() == 3) bits.skip(1);  // separate_colour_plane_flag
    const std::uint64_t width = bits.readGolomb();
    return width * bits.readGolomb();
}

/// Pixel count in a sequence header of AV1.
std::uint64_t pixelsOfHeader(Bytes header) {
    Bits bits(header.first(std::min<std::size_t>(header.size(), 256)), StartCodes::none);
    bits.skip(4);  // profile, still picture
    if (bits.read(1) != 0) {
        bits.skip(5);
    } else {
        bool hasDecoderModel = false;
        std::size_t delayBits = 0;
        if (bits.read(1) != 0) {  // timing_info_present_flag
            bits.skip(64);
            if (bits.read(1) != 0) bits.readGolomb();
            hasDecoderModel = bits.read(1) != 0;
            if (hasDecoderModel) {
                delayBits = static_cast<std::size_t>(bits.read(5)) + 1;
                bits.skip(42);
            }
        }
        const bool hasDisplayDelay = bits.read(1) != 0;
        for (std::uint64_t points = bits.read(5) + 1; points > 0; --points) {
            bits.skip(12);
            if (bits.read(5) > 7) bits.skip(1);
            if (hasDecoderModel && bits.read(1) != 0) bits.skip(2 * delayBits + 1);
            if (hasDisplayDelay && bits.read(1) != 0) bits.skip(4);
        }
    }
    const auto widthBits = static_cast<unsigned>(bits.read(4)) + 1;
    const auto heightBits = static_cast<unsigned>(bits.read(4)) + 1;
    const std::uint64_t width = bits.read(widthBits) + 1;
    return width * (bits.read(heightBits) + 1);
}

constexpr std::uint32_t kHevcSequence = 33;  // kind of a NAL unit

/// Largest pixel count in the sequence parameter sets among an HEVC item's NAL units, each of
/// which follows its length in 4 bytes.
std::uint64_t pixelsOfHevcUnits(Bytes units) {
    const EndianReader numbers(units, std::endian::big);
    std::uint64_t maxPixels = 0;
    for (std::uint64_t offset = 0; offset + 4 < units.size();) {
        const std::uint64_t length =
            std::min<std::uint64_t>(numbers.read(offset, 4), units.size() - offset - 4);
        offset += 4;
        if (length > 0 && (numbers.read(offset, 1) >> 1U & 0x3FU) == kHevcSequence)
            maxPixels = std::max(maxPixels, pixelsOfSequence(units.subspan(offset, length)));
        offset += length;
    }
    return maxPixels;
}

/// Largest pixel count in the AV1 sequence headers among an item's open bitstream units.
std::uint64_t pixelsOfAv1Units(Bytes units) {
    const EndianReader numbers(units, std::endian::big);
    constexpr std::uint32_t kSequence = 1;
    std::uint64_t maxPixels = 0;
    for (std::uint64_t offset = 0; offset < units.size();) {
        const std::uint32_t head = numbers.read(offset, 1);
        offset += 1 + (head >> 2U & 1U);
        std::uint64_t size = units.size() - std::min<std::uint64_t>(offset, units.size());
        if ((head & 2U) != 0) {
            std::uint64_t value = 0;
            for (unsigned i = 0; i < 8; ++i) {
                const std::uint64_t byte = numbers.read(offset++, 1);
                value |= (byte & 0x7FU) << 7 * i;
                if (byte < 0x80) break;
            }
            size = value;
        }
        if (offset >= units.size()) break;
        size = std::min<std::uint64_t>(size, units.size() - offset);
        if ((head >> 3U & 15U) == kSequence)
            maxPixels = std::max(maxPixels, pixelsOfHeader(units.subspan(offset, size)));
        offset += size;
    }
    return maxPixels;
}

/// Items (pictures) of the file, as its boxes describe them.
class HeicItems {
  public:
    HeicItems(Bytes bytes, const std::filesystem::path& subject)
        : bytes_(bytes), subject_(subject), numbers_(bytes, std::endian::big) {
        forBoxes(0, bytes.size(), [this](const Box& box) {
            if (box.kind == "meta") readMeta(box);
        });
    }

    std::uint64_t pixels() {
        std::uint64_t maxPixels = pixelsBelow(main_, {});
        for (const auto& [from, to] : auxiliaries_)
            if (to == main_) maxPixels = std::max(maxPixels, pixelsBelow(from, {}));
        return maxPixels;
    }

  private:
    struct Extent {
        std::uint64_t offset = 0, length = 0;  ///< length 0: up to the end of the file
    };
    struct Item {
        std::string_view kind;
        std::vector<std::uint32_t> inputs;  ///< items that it is derived from
        std::uint64_t pixels = 0;           ///< in its size property (ispe)
        std::uint64_t codedPixels = 0;      ///< maximum in its decoder's parameters and its content
        std::uint64_t canvasPixels = 0;     ///< of the canvas of a grid or overlay
        std::vector<Extent> extents;        ///< pieces of its content, in order
        bool inData = false;                ///< extents count from the content of the box idat
    };
    struct Ancestors {
        int depth = 0;
        bool inGrid = false, inOverlay = false;
    };

    [[noreturn]] void fail(const std::string& problem) const {
        failAtByte(subject_, meta_, problem, "Save the picture as JPEG.");
    }

    template <class Visit>
    void forBoxes(std::uint64_t from, std::uint64_t to, const Visit& visit) const {
        while (from + 8 <= to) {
            Box box{asText(bytes_.subspan(from + 4, 4)), from, from + 8, 0};
            std::uint64_t size = numbers_.read(from, 4);
            if (size == 1) {
                size =
                    std::uint64_t{numbers_.read(from + 8, 4)} << 32U | numbers_.read(from + 12, 4);
                box.content += 8;
            }
            box.end = size == 0 || size > to - from ? to : from + size;
            if (box.content > box.end) return;
            visit(box);
            from = box.end;
        }
    }
    std::uint32_t version(const Box& box) const { return numbers_.read(box.content, 1); }

    void readMeta(const Box& meta) {
        meta_ = meta.begin;
        std::uint64_t data = 0;
        forBoxes(meta.content + 4, meta.end, [&](const Box& box) {
            if (box.kind == "pitm")
                main_ = numbers_.read(box.content + 4, version(box) == 0 ? 2 : 4);
            if (box.kind == "iinf") readKinds(box);
            if (box.kind == "iref") readReferences(box);
            if (box.kind == "iprp") readProperties(box);
            if (box.kind == "iloc") readLocations(box);
            if (box.kind == "idat") data = box.content;
        });
        for (auto& [id, item] : items_) readContent(item, item.inData ? data : 0);
    }

    void readKinds(const Box& kinds) {
        forBoxes(kinds.content + (version(kinds) == 0 ? 6 : 8), kinds.end, [&](const Box& box) {
            if (box.kind != "infe" || version(box) < 2) return;
            const unsigned width = version(box) == 2 ? 2 : 4;
            const std::uint64_t kind = box.content + 4 + width + 2;
            if (kind + 4 <= box.end)
                items_[numbers_.read(box.content + 4, width)].kind =
                    asText(bytes_.subspan(kind, 4));
        });
    }

    void readReferences(const Box& references) {
        const unsigned width = version(references) == 0 ? 2 : 4;
        forBoxes(references.content + 4, references.end, [&](const Box& box) {
            const std::uint32_t from = numbers_.read(box.content, width);
            std::uint64_t offset = box.content + width + 2;
            for (std::uint32_t remaining = numbers_.read(box.content + width, 2);
                 remaining > 0 && offset + width <= box.end; --remaining, offset += width) {
                if (box.kind == "dimg") items_[from].inputs.push_back(numbers_.read(offset, width));
                if (box.kind == "auxl")
                    auxiliaries_.emplace_back(from, numbers_.read(offset, width));
            }
        });
    }

    void readProperties(const Box& properties) {
        std::vector<Box> boxes;
        forBoxes(properties.content, properties.end, [&](const Box& box) {
            if (box.kind == "ipco")
                forBoxes(box.content, box.end, [&](const Box& inner) { boxes.push_back(inner); });
        });
        forBoxes(properties.content, properties.end, [&](const Box& box) {
            if (box.kind == "ipma") readAssociations(box, boxes);
        });
    }

    void readAssociations(const Box& box, const std::vector<Box>& properties) {
        const unsigned idWidth = version(box) == 0 ? 2 : 4;
        const unsigned width = (numbers_.read(box.content, 4) & 1U) != 0 ? 2 : 1;
        std::uint64_t offset = box.content + 8;
        for (std::uint32_t remaining = numbers_.read(box.content + 4, 4);
             remaining > 0 && offset < box.end; --remaining) {
            Item& item = items_[numbers_.read(offset, idWidth)];
            offset += idWidth;
            std::uint32_t count = numbers_.read(offset++, 1);
            for (; count > 0 && offset < box.end; --count, offset += width) {
                const std::uint32_t number =
                    numbers_.read(offset, width) & (width == 2 ? 0x7FFFU : 0x7FU);
                if (number > 0 && number <= properties.size()) add(item, properties[number - 1]);
            }
        }
    }

    static void addCoded(Item& item, std::uint64_t pixels) {
        item.codedPixels = std::max(item.codedPixels, pixels);
    }

    void add(Item& item, const Box& property) const {
        if (property.kind == "ispe")
            item.pixels = std::uint64_t{numbers_.read(property.content + 4, 4)} *
                          numbers_.read(property.content + 8, 4);
        if (property.kind == "av1C" && property.content + 4 <= property.end)
            addCoded(item, pixelsOfAv1Units(bytes_.subspan(property.content + 4,
                                                           property.end - property.content - 4)));
        if (property.kind != "hvcC") return;
        constexpr std::uint64_t kHead = 22;
        std::uint64_t offset = property.content + kHead + 1;
        for (std::uint32_t lists = numbers_.read(property.content + kHead, 1); lists > 0; --lists) {
            const std::uint32_t kind = numbers_.read(offset, 1) & 0x3FU;
            std::uint32_t units = numbers_.read(offset + 1, 2);
            for (offset += 3; units > 0 && offset + 2 < property.end; --units) {
                const std::uint64_t length =
                    std::min<std::uint64_t>(numbers_.read(offset, 2), property.end - offset - 2);
                if (kind == kHevcSequence)
                    addCoded(item, pixelsOfSequence(bytes_.subspan(offset + 2, length)));
                offset += 2 + length;
            }
        }
    }

    std::uint64_t integer(std::uint64_t at, unsigned width) const {
        if (width == 8)
            return std::uint64_t{numbers_.read(at, 4)} << 32U | numbers_.read(at + 4, 4);
        return width == 0 ? 0 : numbers_.read(at, width);
    }

    /// Reads the location of each item's content (iloc).
    void readLocations(const Box& box) {
        const std::uint32_t boxVersion = version(box);
        const unsigned idWidth = boxVersion < 2 ? 2 : 4;
        const std::uint32_t widths = numbers_.read(box.content + 4, 2);
        const unsigned offset = widths >> 12U & 15U, length = widths >> 8U & 15U,
                       base = widths >> 4U & 15U, index = boxVersion > 0 ? widths & 15U : 0;
        for (const unsigned width : {offset, length, base, index})
            if (width != 0 && width != 4 && width != 8) return;
        std::uint64_t position = box.content + 6 + idWidth;
        for (std::uint32_t remaining = numbers_.read(box.content + 6, idWidth);
             remaining > 0 && position < box.end; --remaining) {
            Item& item = items_[numbers_.read(position, idWidth)];
            position += idWidth;
            if (boxVersion > 0) {
                item.inData = (numbers_.read(position, 2) & 15U) == 1;
                position += 2;
            }
            position += 2;
            const std::uint64_t baseOffset = integer(position, base);
            position += base;
            std::uint32_t extents = numbers_.read(position, 2);
            for (position += 2; extents > 0 && position < box.end; --extents) {
                item.extents.push_back({baseOffset + integer(position + index, offset),
                                        integer(position + index + offset, length)});
                position += index + offset + length;
                if (index + offset + length == 0) break;  // all extents are equal
            }
        }
    }

    /// Visits the bytes of the item's content, joined if they lie in pieces. `data`: offset in the
    /// file from which the pieces' offsets count.
    template <class Visit>
    void withContent(const Item& item, std::uint64_t data, const Visit& visit) {
        // In files of cameras and encoders the contents of items do not overlap.
        constexpr std::uint64_t kMaxRatio = 4;
        std::vector<std::byte> joined;
        for (const Extent& extent : item.extents) {
            const std::uint64_t begin = data + extent.offset;
            if (extent.offset >= bytes_.size() || begin >= bytes_.size()) continue;
            const std::uint64_t rest = bytes_.size() - begin;
            const Bytes piece =
                bytes_.subspan(begin, extent.length == 0 ? rest : std::min(extent.length, rest));
            contentBytes_ += piece.size();
            if (contentBytes_ > kMaxRatio * bytes_.size())
                fail("too many pictures that share bytes of the file");
            if (item.extents.size() == 1) return visit(piece);
            joined.insert(joined.end(), piece.begin(), piece.end());
        }
        visit(Bytes(joined));
    }

    void readContent(Item& item, std::uint64_t data) {
        if (item.kind == "av01")
            withContent(item, data,
                        [&](Bytes content) { addCoded(item, pixelsOfAv1Units(content)); });
        if (item.kind == "hvc1" || item.kind == "hev1")
            withContent(item, data,
                        [&](Bytes content) { addCoded(item, pixelsOfHevcUnits(content)); });
        const bool grid = item.kind == "grid";
        if (grid || item.kind == "iovl")
            withContent(item, data, [&](Bytes content) {
                constexpr std::uint64_t kGridSizeOffset = 4, kOverlaySizeOffset = 10;
                const EndianReader numbers(content, std::endian::big);
                const unsigned width = (numbers.read(1, 1) & 1U) != 0 ? 4 : 2;
                const std::uint64_t size = grid ? kGridSizeOffset : kOverlaySizeOffset;
                item.canvasPixels =
                    std::uint64_t{numbers.read(size, width)} * numbers.read(size + width, width);
            });
    }

    /// Number of pixels that decoding an item unpacks: its own pixels, or the sum over all its
    /// inputs if that is larger.
    std::uint64_t pixelsBelow(std::uint32_t id, Ancestors parents) {
        constexpr int kMaxDepth = 3;
        constexpr std::size_t kMaxTiles = 20'000;
        constexpr std::uint64_t kMaxRatio = 4, kSpare = std::uint64_t{1} << 20U;
        const auto entry = items_.find(id);
        if (entry == items_.end()) return 0;
        const Item& item = entry->second;
        const bool grid = item.kind == "grid", overlay = item.kind == "iovl";
        if ((grid && parents.inGrid) || (overlay && (parents.inGrid || parents.inOverlay)))
            fail("a grid of pictures that are grids themselves, which no camera writes");
        if (parents.depth > kMaxDepth)
            fail(fmt::format("a picture derived from other pictures at more than {} levels",
                             kMaxDepth));
        const std::uint64_t own = std::max({item.pixels, item.codedPixels, item.canvasPixels});
        if (item.inputs.empty()) return own;
        const Ancestors ancestors{parents.depth + 1, parents.inGrid || grid,
                                  parents.inOverlay || overlay};
        std::uint64_t sum = 0;
        for (const std::uint32_t input : item.inputs) {
            if (++tiles_ > kMaxTiles)
                fail(fmt::format("a picture of more than {} tiles", kMaxTiles));
            sum += std::min(pixelsBelow(input, ancestors), UINT64_MAX / 2 - sum);
        }
        // An overlay's inputs may cover each other, so only a grid's sum is checked.
        if (grid && sum > kMaxRatio * std::min(own, UINT64_MAX / 8) + kSpare)
            fail(fmt::format("tiles of {} pixels for a picture of {} pixels", sum, own));
        if (item.canvasPixels > kMaxRatio * std::min(item.pixels, UINT64_MAX / 8) + kSpare)
            fail(fmt::format("a grid of {} pixels for a picture of {} pixels", item.canvasPixels,
                             item.pixels));
        return std::max(own, sum);
    }

    Bytes bytes_;
    const std::filesystem::path& subject_;
    EndianReader numbers_;
    std::uint64_t meta_ = 0;
    std::uint32_t main_ = 0;
    std::size_t tiles_ = 0;
    std::uint64_t contentBytes_ = 0;  ///< read so far by withContent()
    std::map<std::uint32_t, Item> items_;
    /// Pairs of ids: of an auxiliary item, and of the item that it belongs to.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> auxiliaries_;
};

}  // namespace

std::uint64_t pixelsOfHeic(Bytes bytes, const std::filesystem::path& subject) {
    return HeicItems(bytes, subject).pixels();
}

}  // namespace threefold
