#include "engine/formats/meshes/ply_header.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "engine/formats/text/text_encoding.h"
#include "engine/formats/text/text_scanner.h"
#include "engine/utf8.h"

namespace threefold::ply {
namespace {

template <class Value>
double loadAs(const std::byte* bytes, bool swapped) {
    std::array<std::byte, sizeof(Value)> value;
    std::memcpy(value.data(), bytes, sizeof(Value));
    if (swapped) std::ranges::reverse(value);
    return static_cast<double>(std::bit_cast<Value>(value));
}

constexpr std::array<ScalarTypeInfo, 8> kTypes{
    {{{"char", "int8"}, 1, 255, loadAs<std::int8_t>},
     {{"uchar", "uint8"}, 1, 255, loadAs<std::uint8_t>},
     {{"short", "int16"}, 2, 255, loadAs<std::int16_t>},
     {{"ushort", "uint16"}, 2, 65535, loadAs<std::uint16_t>},
     {{"int", "int32"}, 4, 255, loadAs<std::int32_t>},
     {{"uint", "uint32"}, 4, 255, loadAs<std::uint32_t>},
     {{"float", "float32"}, 4, 1, loadAs<float>},
     {{"double", "float64"}, 8, 1, loadAs<double>}}};

class HeaderReader {
  public:
    HeaderReader(std::string_view text, const std::filesystem::path& subject)
        : scanner_(text, subject) {}

    Header read() {
        scanner_.nextLine();  // "ply"
        bool hasFormat = false;
        while (true) {
            if (scanner_.atEnd()) scanner_.fail("the header has no 'end_header'");
            const std::string_view word = scanner_.word();
            if (word == "end_header") break;
            if (word == "format") {
                format(scanner_.word());
                hasFormat = true;
            } else if (word == "element") {
                element();
            } else if (word == "property") {
                property();
            } else if (word == "comment") {
                comment();
            } else if (word != "obj_info" && !word.empty()) {
                scanner_.fail(fmt::format("'{}' is no part of a PLY header", textPrefix(word, 40)));
            }
            scanner_.nextLine();
        }
        if (!hasFormat) scanner_.fail("the header names no format");
        scanner_.nextLine();
        header_.size = scanner_.offset();
        header_.lineCount = scanner_.line();
        return std::move(header_);
    }

  private:
    void format(std::string_view word) {
        constexpr std::array<std::string_view, 3> kNames{"ascii", "binary_little_endian",
                                                         "binary_big_endian"};
        const auto* match = std::ranges::find(kNames, word);
        if (match == kNames.end())
            scanner_.fail(
                fmt::format("the format '{}' is none of ascii, binary_little_endian and "
                            "binary_big_endian",
                            textPrefix(word, 40)));
        header_.encoding = static_cast<Encoding>(match - kNames.begin());
    }
    void comment() {
        constexpr std::string_view kTexture = "TextureFile";
        const std::string_view rest = scanner_.restOfLine();
        if (!rest.starts_with(kTexture) || rest.size() == kTexture.size()) return;
        header_.textures.emplace_back(trimmed(rest.substr(kTexture.size()), " \t"));
    }
    void element() {
        Element element;
        element.name = scanner_.word();
        const std::int64_t count = scanner_.requireInteger("a number of elements");
        if (count < 0) scanner_.fail(fmt::format("{} elements are declared", count));
        element.count = static_cast<std::uint64_t>(count);
        element.headerLine = scanner_.line();
        header_.elements.push_back(std::move(element));
    }
    void property() {
        if (header_.elements.empty()) scanner_.fail("a property stands before the first element");
        Property property;
        const std::string_view word = scanner_.word();
        if (word == "list") {
            property.countType = type(scanner_.word());
            if (!isInteger(*property.countType))
                scanner_.fail("a list's length has a floating-point type");
            property.type = type(scanner_.word());
        } else {
            property.type = type(word);
        }
        property.name = scanner_.word();
        header_.elements.back().properties.push_back(std::move(property));
    }
    ScalarType type(std::string_view word) {
        for (std::size_t i = 0; i < kTypes.size(); ++i)
            if (word == kTypes[i].names[0] || word == kTypes[i].names[1])
                return static_cast<ScalarType>(i);
        scanner_.fail(fmt::format("'{}' is no type of a PLY property", textPrefix(word, 40)));
    }

    TextScanner scanner_;
    Header header_;
};

}  // namespace

const ScalarTypeInfo& infoOf(ScalarType type) {
    return kTypes[static_cast<std::size_t>(type)];
}

Header readHeader(std::string_view text, const std::filesystem::path& subject) {
    return HeaderReader(text, subject).read();
}

}  // namespace threefold::ply
