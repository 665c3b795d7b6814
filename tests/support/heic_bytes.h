#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/exif_bytes.h"

namespace threefold::test {

/// Item of a HEIC file that heicBytes() writes: a picture, or a tile of a picture.
struct HeicItem {
    std::string kind = "hvc1";               ///< item type: also "grid", "iovl", "iden"
    std::vector<std::uint32_t> inputs = {};  ///< IDs of the referenced items, from 1
    std::uint32_t width = 64, height = 64;   ///< size in the item's ispe property
    std::uint32_t rows = 1, columns = 1;     ///< tiles of a grid
    std::uint32_t canvas = 0;                ///< side of a grid's output; 0: width × height
    std::uint32_t codedSide = 0;             ///< side in an hvcC property; 0: no such property
    std::size_t pieces = 1;                  ///< number of extents of the content
    std::string content = "pixels";          ///< data of an item other than a grid
    bool whole = false;                      ///< every extent spans the whole content
    std::string property = {};               ///< box of a further property
};

inline std::string heicBox(const std::string& kind, const std::string& content) {
    return numberBytes(8 + content.size(), 4, false) + kind + content;
}

/// HEVC's sequence parameter set of a square picture, as a NAL unit.
inline std::string hevcSequence(std::uint32_t side) {
    // No sublayers; 96 bits of profile, tier and level.
    std::string bits =
        "0000"
        "000"
        "1" +
        std::string(96, '0');
    const auto add = [&](std::uint32_t value) {  // as an Exp-Golomb code
        std::string binary;
        for (std::uint32_t rest = value + 1; rest > 0; rest /= 2)
            binary.insert(binary.begin(), rest % 2 == 0 ? '0' : '1');
        bits += std::string(binary.size() - 1, '0') + binary;
    };
    for (const std::uint32_t value : {std::uint32_t{0}, std::uint32_t{1}, side, side}) add(value);
    bits += std::string(8 + (8 - bits.size() % 8) % 8, '1');
    std::string unit("\x42\x01", 2);
    int zeros = 0;
    for (std::size_t i = 0; i < bits.size(); i += 8) {
        const auto byte = static_cast<char>(std::stoi(bits.substr(i, 8), nullptr, 2));
        if (zeros >= 2 && static_cast<unsigned char>(byte) <= 3) {
            unit += '\3';
            zeros = 0;
        }
        zeros = byte == 0 ? zeros + 1 : 0;
        unit += byte;
    }
    return unit;
}

/// An hvcC property with hevcSequence(side).
inline std::string hevcConfiguration(std::uint32_t side) {
    const std::string unit = hevcSequence(side);
    return heicBox("hvcC", '\1' + std::string(21, '\0') + '\1' + '\x21' + numberBytes(1, 2, false) +
                               numberBytes(unit.size(), 2, false) + unit);
}

/// A HEIC file whose primary item is `main`. The items have no decodable pixels.
inline std::string heicBytes(const std::vector<HeicItem>& items, std::uint32_t main) {
    const auto number = [](std::uint64_t value, int width) {
        return numberBytes(value, width, false);
    };
    const std::string plain(4, '\0');
    std::string kinds, references, properties, uses, places, data;
    std::uint32_t property = 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
        const HeicItem& item = items[i];
        const std::string id = number(i + 1, 2);
        kinds +=
            heicBox("infe", '\2' + std::string(3, '\0') + id + number(0, 2) + item.kind + '\0');
        if (!item.inputs.empty()) {
            std::string inputs;
            for (const std::uint32_t input : item.inputs) inputs += number(input, 2);
            references += heicBox("dimg", id + number(item.inputs.size(), 2) + inputs);
        }
        properties += heicBox("ispe", plain + number(item.width, 4) + number(item.height, 4));
        std::string own(1, static_cast<char>(++property));
        if (item.codedSide > 0) {
            properties += hevcConfiguration(item.codedSide);
            own += static_cast<char>(++property);
        }
        if (!item.property.empty()) {
            properties += item.property;
            own += static_cast<char>(++property);
        }
        uses += id + number(own.size(), 1) + own;
        std::string content = item.kind == "grid"
                                  ? number(1, 2) + number(item.rows - 1, 1) +
                                        number(item.columns - 1, 1) +
                                        number(item.canvas > 0 ? item.canvas : item.width, 4) +
                                        number(item.canvas > 0 ? item.canvas : item.height, 4)
                                  : item.content;
        places += id + number(1, 2) + number(0, 2) + number(item.pieces, 2);
        const std::size_t start = data.size();
        for (std::size_t piece = 0; piece < item.pieces; ++piece) {
            const std::size_t begin = content.size() * piece / item.pieces,
                              length = content.size() * (piece + 1) / item.pieces - begin;
            places += number(item.whole ? start : data.size(), 4) +
                      number(item.whole ? content.size() : length, 4);
            data += content.substr(begin, length) + (item.pieces > 1 && !item.whole ? "gap" : "");
        }
    }
    const std::string count = number(items.size(), 2);
    const std::string meta =
        heicBox("hdlr", plain + plain + "pict" + std::string(13, '\0')) +
        heicBox("pitm", plain + number(main, 2)) +
        heicBox("iloc", '\1' + std::string(3, '\0') + "\x44" + '\0' + count + places) +
        heicBox("iinf", plain + count + kinds) + heicBox("iref", plain + references) +
        heicBox("iprp", heicBox("ipco", properties) +
                            heicBox("ipma", plain + number(items.size(), 4) + uses)) +
        heicBox("idat", data);
    return heicBox("ftyp", "heic" + plain + "mif1heic") + heicBox("meta", plain + meta);
}

}  // namespace threefold::test
