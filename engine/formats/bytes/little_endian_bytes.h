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
    void text(std::string_view text) { bytes_ += text; }
    void u8(std::uint32_t value) { bytes_ += static_cast<char>(value & 0xffU); }
    void u16(std::uint32_t value) {
        u8(value);
        u8(value >> 8U);
    }
    void u32(std::uint32_t value) {
        u16(value);
        u16(value >> 16U);
    }
    void f32(float value) { u32(std::bit_cast<std::uint32_t>(value)); }
    void f64(double value) {
        const auto bits = std::bit_cast<std::uint64_t>(value);
        u32(static_cast<std::uint32_t>(bits));
        u32(static_cast<std::uint32_t>(bits >> 32U));
    }
    void vector(const glm::vec3& value) {
        for (int i = 0; i < 3; ++i) f32(value[i]);
    }
    void face(const glm::u32vec3& value) {
        for (int i = 0; i < 3; ++i) u32(value[i]);
    }
    std::size_t size() const { return bytes_.size(); }
    std::string release() { return std::move(bytes_); }

  private:
    std::string bytes_;
};

}  // namespace threefold
