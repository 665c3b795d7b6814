#include "engine/metrics/curve_order.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include <glm/common.hpp>

namespace threefold {
namespace {

constexpr unsigned kBitsAnAxis = 10;

/// abc → a00b00c: room for the two other axes' bits.
std::uint32_t spread(std::uint32_t bits) {
    bits = (bits | bits << 16U) & 0x030000FFU;
    bits = (bits | bits << 8U) & 0x0300F00FU;
    bits = (bits | bits << 4U) & 0x030C30C3U;
    return (bits | bits << 2U) & 0x09249249U;
}

struct Keyed {
    std::uint32_t key;
    std::uint32_t index;
};

/// By the bits from `shift` on; equal ones stay in their order.
void sortByDigit(const std::vector<Keyed>& from, std::vector<Keyed>& to, unsigned shift) {
    constexpr std::size_t kDigits = std::size_t{1} << kBitsAnAxis;
    std::array<std::size_t, kDigits> starts{};
    const auto digit = [&](const Keyed& item) { return (item.key >> shift) & (kDigits - 1); };
    for (const Keyed& item : from) ++starts[digit(item)];
    std::size_t sum = 0;
    for (std::size_t& start : starts) sum += std::exchange(start, sum);
    for (const Keyed& item : from) to[starts[digit(item)]++] = item;
}

}  // namespace

std::vector<std::uint32_t> curveOrder(std::span<const glm::vec3> points) {
    if (points.empty()) return {};
    glm::vec3 low = points.front();
    glm::vec3 high = low;
    for (const glm::vec3& point : points) {
        low = glm::min(low, point);
        high = glm::max(high, point);
    }
    // In double precision: a width may leave the range of float32.
    const glm::dvec3 width = glm::dvec3(high) - glm::dvec3(low);
    const double cells = (1U << kBitsAnAxis) - 1;
    glm::dvec3 scale(0.0);
    for (int axis = 0; axis < 3; ++axis) {
        if (width[axis] > 0) scale[axis] = cells / width[axis];
    }
    std::vector<Keyed> items(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        const glm::dvec3 at = (glm::dvec3(points[i]) - glm::dvec3(low)) * scale;
        items[i] = {spread(static_cast<std::uint32_t>(at.x)) |
                        spread(static_cast<std::uint32_t>(at.y)) << 1U |
                        spread(static_cast<std::uint32_t>(at.z)) << 2U,
                    static_cast<std::uint32_t>(i)};
    }
    std::vector<Keyed> other(items.size());
    for (unsigned shift = 0; shift < 3 * kBitsAnAxis; shift += kBitsAnAxis) {
        sortByDigit(items, other, shift);
        items.swap(other);
    }
    std::vector<std::uint32_t> order(items.size());
    for (std::size_t i = 0; i < items.size(); ++i) order[i] = items[i].index;
    return order;
}

}  // namespace threefold
