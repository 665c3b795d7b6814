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

/// Type of a number in the file.
enum class ScalarType { i8, u8, i16, u16, i32, u32, f32, f64 };
/// Encoding of the data: text, or binary of a byte order.
enum class Encoding { text, littleEndian, bigEndian };

/// Names, size and reader of a scalar type.
struct ScalarTypeInfo {
    std::string_view names[2];  ///< "float", "float32"
    std::size_t size;           ///< bytes
    float fullIntensity;        ///< full intensity of a colour of this type
    /// Loads the value at `bytes`; `swapped`: its byte order is not this machine's.
    double (*load)(const std::byte* bytes, bool swapped);
};
/// Description of a scalar type.
const ScalarTypeInfo& infoOf(ScalarType type);

inline bool isInteger(ScalarType type) {
    return type < ScalarType::f32;
}

/// Property of an element: a number, or a list of numbers.
struct Property {
    std::string name;
    ScalarType type = ScalarType::f32;
    std::optional<ScalarType> countType;  ///< type of the length of a list; nullopt: no list
};

/// Kind of record in the file, such as "vertex" or "face", and the number of its records.
struct Element {
    std::string name;
    std::uint64_t count = 0;
    std::vector<Property> properties;
    std::size_t headerLine = 0;  ///< line that declares the element, from 1
};

/// Content of a header.
struct Header {
    Encoding encoding = Encoding::text;
    std::vector<Element> elements;
    std::vector<std::string> textures;  ///< named in comments: `comment TextureFile a.png`
    std::size_t size = 0;               ///< bytes, up to the data
    std::size_t lineCount = 0;
};

/// Parses the header. Throws FormatError, naming the line, if there is no valid PLY header.
Header readHeader(std::string_view text, const std::filesystem::path& subject);

}  // namespace threefold::ply
