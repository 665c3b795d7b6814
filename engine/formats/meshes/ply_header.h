#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Header of a PLY file: its encoding, elements and their properties.
namespace threefold::ply {

enum class ScalarType { i8, u8, i16, u16, i32, u32, f32, f64 };
enum class Encoding { text, little, big };

struct ScalarTypeInfo {
    std::string_view names[2];
    std::size_t size;
    float fullIntensity;  ///< full intensity of a colour of this type
    /// Loads the value at `bytes`; `swapped`: its byte order is not this machine's.
    double (*load)(const std::byte* bytes, bool swapped);
};
const ScalarTypeInfo& infoOf(ScalarType type);

inline bool isInteger(ScalarType type) {
    return type < ScalarType::f32;
}

struct Property {
    std::string name;
    ScalarType type = ScalarType::f32;
    std::optional<ScalarType> count;  ///< type of the length of a list; nullopt: no list
};

struct Element {
    std::string name;
    std::uint64_t count = 0;
    std::vector<Property> properties;
    std::size_t headerLine = 0;
};

struct Header {
    Encoding encoding = Encoding::text;
    std::vector<Element> elements;
    std::vector<std::string> textures;  ///< named in comments: `comment TextureFile a.png`
    std::size_t size = 0;               ///< bytes
    std::size_t lines = 0;
};

/// Parses the header. Throws FormatError, naming the line, if there is no valid PLY header.
Header readHeader(std::string_view text, const std::filesystem::path& subject);

}  // namespace threefold::ply
