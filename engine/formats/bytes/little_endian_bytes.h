#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <glm/vec3.hpp>

namespace threefold {

/// Collects bytes, little-endian on every machine.
class LittleEndianBytes {
  public:
    void reserve(std::size_t size) { bytes_.reserve(size); }
    void appendText(std::string_view text) { bytes_ += text; }
    void appendU8(std::uint32_t value) { bytes_ += static_cast<char>(value & 0xffU); }
    void appendU16(std::uint32_t value) {
        appendU8(value);
        appendU8(value >> 8U);
    }
    void appendU32(std::uint32_t value) {
        appendU16(value);
        appendU16(value >> 16U);
    }
    void appendF32(float value) { appendU32(std::bit_cast<std::uint32_t>(value)); }
    void appendF64(double value) {
        const auto bits = std::bit_cast<std::uint64_t>(value);
        appendU32(static_cast<std::uint32_t>(bits));
        appendU32(static_cast<std::uint32_t>(bits >> 32U));
    }
    void appendVector(const glm::vec3& value) {
        for (int i = 0; i < 3; ++i) appendF32(value[i]);
    }
    void appendFace(const glm::u32vec3& value) {
        for (int i = 0; i < 3; ++i) appendU32(value[i]);
    }
    std::size_t size() const { return bytes_.size(); }
    std::string release() { return std::move(bytes_); }

  private:
    std::string bytes_;
};

}  // namespace threefold
