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
    std::uint64_t begin = 0, content = 0, end = 0;  ///< offsets; content after size and kind
};

enum class StartCodes { none, escaped };

/// The bits of a parameter set, without the bytes that keep start codes out of HEVC's.
class Bits {
  public:
    Bits(Bytes bytes, StartCodes codes) {
        int zeros = 0;
        for (const std::byte each : bytes) {
            if (codes == StartCodes::escaped && zeros >= 2 && each == std::byte{3}) {
                zeros = 0;
                continue;
            }
            zeros = each == std::byte{0} ? zeros + 1 : 0;
            bytes_.push_back(std::to_integer<std::uint8_t>(each));
        }
    }
    void skip(std::size_t count) { at_ += count; }
    std::uint64_t read(unsigned count) {
        std::uint64_t value = 0;
        for (; count > 0; --count, ++at_)
            value = value << 1U |
                    (at_ / 8 < bytes_.size() ? bytes_[at_ / 8] >> (7 - at_ % 8) & 1U : 0U);
        return value;
    }
    /// Exp-Golomb; 0 beyond 32 bits.
    std::uint64_t readGolomb() {
        unsigned zeros = 0;
        while (zeros < 32 && read(1) == 0) ++zeros;
        return zeros < 32 ? (std::uint64_t{1} << zeros) - 1 + read(zeros) : 0;
    }

  private:
    std::vector<std::uint8_t> bytes_;
    std::size_t at_ = 0;
};

/// Pixels of a sequence parameter set of HEVC, its NAL unit's head included.
std::uint64_t pixelsOfSequence(Bytes unit) {
    constexpr std::size_t kNalHead = 16, kGeneralProfile = 96;  // bits
    constexpr unsigned kMostLayers = 8;
    Bits bits(unit.first(std::min<std::size_t>(unit.size(), 256)), StartCodes::escaped);
    bits.skip(kNalHead + 4);
    const auto layers = static_cast<unsigned>(bits.read(3));  // below the highest
    bits.skip(1 + kGeneralProfile);
    std::size_t ofLayers = 0;
    for (unsigned i = 0; i < (layers > 0 ? kMostLayers : 0); ++i) {
        const bool profile = bits.read(1) != 0, level = bits.read(1) != 0;
        if (i < layers) ofLayers += (profile ? 88U : 0U) + (level ? 8U : 0U);
    }
    bits.skip(ofLayers);
    bits.readGolomb();                         // its number
    if (bits.readGolomb() == 3) bits.skip(1);  // colour planes apart
    const std::uint64_t width = bits.readGolomb();
    return width * bits.readGolomb();
}

/// Pixels of a sequence header of AV1.
std::uint64_t pixelsOfHeader(Bytes header) {
    Bits bits(header.first(std::min<std::size_t>(header.size(), 256)), StartCodes::none);
    bits.skip(4);  // profile, still picture
    if (bits.read(1) != 0) {
        bits.skip(5);
    } else {
        bool models = false;
        std::size_t delay = 0;
        if (bits.read(1) != 0) {  // timing
            bits.skip(64);
            if (bits.read(1) != 0) bits.readGolomb();
            models = bits.read(1) != 0;
            if (models) {
                delay = static_cast<std::size_t>(bits.read(5)) + 1;
                bits.skip(42);
            }
        }
        const bool delays = bits.read(1) != 0;
        for (std::uint64_t points = bits.read(5) + 1; points > 0; --points) {
            bits.skip(12);
            if (bits.read(5) > 7) bits.skip(1);
            if (models && bits.read(1) != 0) bits.skip(2 * delay + 1);
            if (delays && bits.read(1) != 0) bits.skip(4);
        }
    }
    const auto width = static_cast<unsigned>(bits.read(4)) + 1;
    const auto height = static_cast<unsigned>(bits.read(4)) + 1;
    const std::uint64_t across = bits.read(width) + 1;
    return across * (bits.read(height) + 1);
}

/// The largest of AV1's sequence headers in an item.
std::uint64_t pixelsOfUnits(Bytes units) {
    const NumbersAt numbers(units, false);
    constexpr std::uint32_t kSequence = 1;
    std::uint64_t most = 0;
    for (std::uint64_t at = 0; at < units.size();) {
        const std::uint32_t head = numbers(at, 1);
        at += 1 + (head >> 2U & 1U);
        std::uint64_t size = units.size() - std::min<std::uint64_t>(at, units.size());
        if ((head & 2U) != 0) {
            std::uint64_t value = 0;
            for (unsigned i = 0; i < 8; ++i) {
                const std::uint64_t part = numbers(at++, 1);
                value |= (part & 0x7FU) << 7 * i;
                if (part < 0x80) break;
            }
            size = value;
        }
        if (at >= units.size()) break;
        size = std::min<std::uint64_t>(size, units.size() - at);
        if ((head >> 3U & 15U) == kSequence)
            most = std::max(most, pixelsOfHeader(units.subspan(at, size)));
        at += size;
    }
    return most;
}

/// What the file says of its pictures, which it calls items.
class HeicItems {
  public:
    HeicItems(Bytes bytes, const std::filesystem::path& subject)
        : bytes_(bytes), subject_(subject), numbers_(bytes, false) {
        forBoxes(0, bytes.size(), [this](const Box& box) {
            if (box.kind == "meta") readMeta(box);
        });
    }

    std::uint64_t pixels() {
        std::uint64_t most = pixelsBelow(main_, {});
        for (const auto& [from, to] : auxiliaries_)
            if (to == main_) most = std::max(most, pixelsBelow(from, {}));
        return most;
    }

  private:
    struct Item {
        std::string_view kind;
        std::vector<std::uint32_t> inputs;  ///< that it is made of
        std::uint64_t pixels = 0;           ///< as it says
        std::uint64_t codedPixels = 0;      ///< as its decoder's parameters say
        std::uint64_t canvasPixels = 0;     ///< that a grid or overlay is drawn on
        std::uint64_t content = UINT64_MAX, length = 0;
        bool inData = false;  ///< `content` counts from that of the box idat
    };
    struct Above {
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
            std::uint64_t size = numbers_(from, 4);
            if (size == 1) {
                size = std::uint64_t{numbers_(from + 8, 4)} << 32U | numbers_(from + 12, 4);
                box.content += 8;
            }
            box.end = size == 0 || size > to - from ? to : from + size;
            if (box.content > box.end) return;
            visit(box);
            from = box.end;
        }
    }
    std::uint32_t version(const Box& box) const { return numbers_(box.content, 1); }

    void readMeta(const Box& meta) {
        meta_ = meta.begin;
        std::uint64_t data = 0;
        forBoxes(meta.content + 4, meta.end, [&](const Box& box) {
            if (box.kind == "pitm") main_ = numbers_(box.content + 4, version(box) == 0 ? 2 : 4);
            if (box.kind == "iinf") readKinds(box);
            if (box.kind == "iref") readReferences(box);
            if (box.kind == "iprp") readProperties(box);
            if (box.kind == "iloc") readPlaces(box);
            if (box.kind == "idat") data = box.content;
        });
        for (auto& [id, item] : items_) readCanvas(item, item.inData ? data : 0);
    }

    void readKinds(const Box& kinds) {
        forBoxes(kinds.content + (version(kinds) == 0 ? 6 : 8), kinds.end, [&](const Box& box) {
            if (box.kind != "infe" || version(box) < 2) return;
            const unsigned width = version(box) == 2 ? 2 : 4;
            const std::uint64_t kind = box.content + 4 + width + 2;
            if (kind + 4 <= box.end)
                items_[numbers_(box.content + 4, width)].kind = asText(bytes_.subspan(kind, 4));
        });
    }

    void readReferences(const Box& references) {
        const unsigned width = version(references) == 0 ? 2 : 4;
        forBoxes(references.content + 4, references.end, [&](const Box& box) {
            const std::uint32_t from = numbers_(box.content, width);
            std::uint64_t at = box.content + width + 2;
            for (std::uint32_t left = numbers_(box.content + width, 2);
                 left > 0 && at + width <= box.end; --left, at += width) {
                if (box.kind == "dimg") items_[from].inputs.push_back(numbers_(at, width));
                if (box.kind == "auxl") auxiliaries_.emplace_back(from, numbers_(at, width));
            }
        });
    }

    void readProperties(const Box& properties) {
        std::vector<Box> all;
        forBoxes(properties.content, properties.end, [&](const Box& box) {
            if (box.kind == "ipco")
                forBoxes(box.content, box.end, [&](const Box& each) { all.push_back(each); });
        });
        forBoxes(properties.content, properties.end, [&](const Box& box) {
            if (box.kind == "ipma") readAssociations(box, all);
        });
    }

    void readAssociations(const Box& box, const std::vector<Box>& properties) {
        const unsigned idWidth = version(box) == 0 ? 2 : 4;
        const unsigned width = (numbers_(box.content, 4) & 1U) != 0 ? 2 : 1;
        std::uint64_t at = box.content + 8;
        for (std::uint32_t left = numbers_(box.content + 4, 4); left > 0 && at < box.end; --left) {
            Item& item = items_[numbers_(at, idWidth)];
            at += idWidth;
            std::uint32_t count = numbers_(at++, 1);
            for (; count > 0 && at < box.end; --count, at += width) {
                const std::uint32_t number = numbers_(at, width) & (width == 2 ? 0x7FFFU : 0x7FU);
                if (number > 0 && number <= properties.size()) add(item, properties[number - 1]);
            }
        }
    }

    void add(Item& item, const Box& property) const {
        if (property.kind == "ispe")
            item.pixels = std::uint64_t{numbers_(property.content + 4, 4)} *
                          numbers_(property.content + 8, 4);
        if (property.kind != "hvcC") return;
        constexpr std::uint64_t kHead = 22;
        constexpr std::uint32_t kSequence = 33;
        std::uint64_t at = property.content + kHead + 1;
        for (std::uint32_t lists = numbers_(property.content + kHead, 1); lists > 0; --lists) {
            const std::uint32_t kind = numbers_(at, 1) & 0x3FU;
            std::uint32_t units = numbers_(at + 1, 2);
            for (at += 3; units > 0 && at + 2 < property.end; --units) {
                const std::uint64_t length =
                    std::min<std::uint64_t>(numbers_(at, 2), property.end - at - 2);
                if (kind == kSequence)
                    item.codedPixels = std::max(item.codedPixels,
                                                pixelsOfSequence(bytes_.subspan(at + 2, length)));
                at += 2 + length;
            }
        }
    }

    std::uint64_t wide(std::uint64_t at, unsigned width) const {
        if (width == 8) return std::uint64_t{numbers_(at, 4)} << 32U | numbers_(at + 4, 4);
        return width == 0 ? 0 : numbers_(at, width);
    }

    /// Where each item's content begins.
    void readPlaces(const Box& box) {
        const std::uint32_t kind = version(box);
        const unsigned idWidth = kind < 2 ? 2 : 4;
        const std::uint32_t widths = numbers_(box.content + 4, 2);
        const unsigned offset = widths >> 12U & 15U, length = widths >> 8U & 15U,
                       base = widths >> 4U & 15U, index = kind > 0 ? widths & 15U : 0;
        for (const unsigned width : {offset, length, base, index})
            if (width != 0 && width != 4 && width != 8) return;
        std::uint64_t at = box.content + 6 + idWidth;
        for (std::uint32_t left = numbers_(box.content + 6, idWidth); left > 0 && at < box.end;
             --left) {
            Item& item = items_[numbers_(at, idWidth)];
            at += idWidth;
            if (kind > 0) {
                item.inData = (numbers_(at, 2) & 15U) == 1;
                at += 2;
            }
            at += 2;
            const std::uint64_t from = wide(at, base);
            at += base;
            const std::uint32_t extents = numbers_(at, 2);
            at += 2;
            if (extents > 0) {
                item.content = from + wide(at + index, offset);
                item.length = wide(at + index + offset, length);
            }
            at += std::uint64_t{extents} * (index + offset + length);
        }
    }

    void readCanvas(Item& item, std::uint64_t data) const {
        constexpr std::uint64_t kOfGrid = 4, kOfOverlay = 10;  // before its size
        const bool grid = item.kind == "grid";
        const std::uint64_t at = data + item.content;
        if (item.content >= bytes_.size() || at >= bytes_.size()) return;
        if (item.kind == "av01")
            item.codedPixels =
                pixelsOfUnits(bytes_.subspan(at, std::min(item.length, bytes_.size() - at)));
        if (!grid && item.kind != "iovl") return;
        const unsigned width = (numbers_(at + 1, 1) & 1U) != 0 ? 4 : 2;
        const std::uint64_t size = at + (grid ? kOfGrid : kOfOverlay);
        item.canvasPixels = std::uint64_t{numbers_(size, width)} * numbers_(size + width, width);
    }

    /// Of an item and all that it is made of.
    std::uint64_t pixelsBelow(std::uint32_t id, Above above) {
        constexpr int kDeepest = 3;
        constexpr std::size_t kMostTiles = 20'000;
        constexpr std::uint64_t kTimes = 4, kSpare = std::uint64_t{1} << 20U;
        const auto found = items_.find(id);
        if (found == items_.end()) return 0;
        const Item& item = found->second;
        const bool grid = item.kind == "grid", overlay = item.kind == "iovl";
        if ((grid && above.inGrid) || (overlay && (above.inGrid || above.inOverlay)))
            fail("a grid of pictures that are grids themselves, which no camera writes");
        if (above.depth > kDeepest)
            fail(fmt::format("a picture made of pictures made of pictures, more than {} deep",
                             kDeepest));
        const std::uint64_t own = std::max({item.pixels, item.codedPixels, item.canvasPixels});
        if (item.inputs.empty()) return own;
        const Above here{above.depth + 1, above.inGrid || grid, above.inOverlay || overlay};
        std::uint64_t sum = 0;
        for (const std::uint32_t input : item.inputs) {
            if (++tiles_ > kMostTiles)
                fail(fmt::format("a picture of more than {} tiles", kMostTiles));
            sum += std::min(pixelsBelow(input, here), UINT64_MAX / 2 - sum);
        }
        // An overlay's parts may lie upon each other.
        if (grid && sum > kTimes * std::min(own, UINT64_MAX / 8) + kSpare)
            fail(fmt::format("tiles of {} pixels for a picture of {}", sum, own));
        if (item.canvasPixels > kTimes * std::min(item.pixels, UINT64_MAX / 8) + kSpare)
            fail(fmt::format("a grid of {} pixels for a picture of {}", item.canvasPixels,
                             item.pixels));
        return std::max(own, sum);
    }

    Bytes bytes_;
    const std::filesystem::path& subject_;
    NumbersAt numbers_;
    std::uint64_t meta_ = 0;
    std::uint32_t main_ = 0;
    std::size_t tiles_ = 0;
    std::map<std::uint32_t, Item> items_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> auxiliaries_;  ///< from, to
};

}  // namespace

std::uint64_t pixelsOfHeic(Bytes bytes, const std::filesystem::path& subject) {
    return HeicItems(bytes, subject).pixels();
}

}  // namespace threefold
