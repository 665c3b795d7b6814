#pragma once

#include <bit>
#include <cstdint>

#include "engine/raster/triangle.h"

namespace threefold::raster {

// Compares depths exactly where doubles cannot (depth_order.h): with integers, which no compiler
// and no processor rounds. Also compiled for devices.

/// Exact depth of a triangle at a point: Σ weight · depth ÷ Σ weight.
struct ExactDepth {
    std::uint64_t weight[3];  ///< edge functions at the point, each below 2^52, not all 0
    double depth[3];          ///< depths of the corners

    constexpr std::uint64_t area() const { return weight[0] + weight[1] + weight[2]; }
};

/// Exact depth of a triangle at the grid point (x, y), in steps, which the triangle covers.
constexpr ExactDepth exactDepth(const ScreenVertex& a, const ScreenVertex& b, const ScreenVertex& c,
                                std::int64_t x, std::int64_t y) {
    const std::int64_t weight[3] = {edgeFunction(b, c, x, y), edgeFunction(c, a, x, y),
                                    edgeFunction(a, b, x, y)};
    ExactDepth exact{{}, {a.depth, b.depth, c.depth}};
    for (int i = 0; i < 3; ++i)
        exact.weight[i] = static_cast<std::uint64_t>(weight[i] < 0 ? -weight[i] : weight[i]);
    return exact;
}

/// Multi-word integer in two's complement, wide enough for a sum of six products.
class WideInteger {
  public:
    /// Reserves digits for products below 2^(157 + maxShift); four more bits hold the sum of six
    /// and its sign.
    constexpr explicit WideInteger(int maxShift) : used_((maxShift + 161 + 31) / 32) {}

    /// Adds ±a · b · m · 2^shift.
    constexpr void add(std::uint64_t a, std::uint64_t b, std::uint64_t m, int shift,
                       bool isNegative) {
        std::uint32_t product[kProductDigits] = {};
        product[0] = static_cast<std::uint32_t>(a);
        product[1] = static_cast<std::uint32_t>(a >> 32);
        multiply(product, b);
        multiply(product, m);
        shiftLeft(product, shift % 32);
        std::uint64_t carry = isNegative ? 1 : 0;
        for (int i = shift / 32, k = 0; i < used_; ++i, ++k) {
            const std::uint32_t digit = k < kProductDigits ? product[k] : 0;
            carry += std::uint64_t{digit_[i]} + (isNegative ? ~digit : digit);
            digit_[i] = static_cast<std::uint32_t>(carry);
            carry >>= 32;
        }
    }

    /// Sign of the sum: −1, 0 or 1.
    constexpr int sign() const {
        if ((digit_[used_ - 1] >> 31) != 0) return -1;
        for (int i = 0; i < used_; ++i) {
            if (digit_[i] != 0) return 1;
        }
        return 0;
    }

  private:
    static constexpr int kProductDigits = 6;  // digits of 32 bits
    static constexpr int kDigits = 24;        // for depths from kMinDepthMagnitude to 2^256

    static constexpr void multiply(std::uint32_t (&number)[kProductDigits], std::uint64_t factor) {
        const std::uint64_t low = factor & 0xFFFFFFFFU;
        const std::uint64_t high = factor >> 32;
        std::uint64_t carry = 0;
        std::uint64_t before = 0;
        for (std::uint32_t& digit : number) {
            const std::uint64_t fromLow = digit * low;
            const std::uint64_t fromHigh = before * high;
            before = digit;
            const std::uint64_t sum = carry + (fromLow & 0xFFFFFFFFU) + (fromHigh & 0xFFFFFFFFU);
            digit = static_cast<std::uint32_t>(sum);
            carry = (sum >> 32) + (fromLow >> 32) + (fromHigh >> 32);
        }
    }

    static constexpr void shiftLeft(std::uint32_t (&number)[kProductDigits], int bits) {
        std::uint64_t carry = 0;
        for (std::uint32_t& digit : number) {
            carry |= std::uint64_t{digit} << bits;
            digit = static_cast<std::uint32_t>(carry);
            carry >>= 32;
        }
    }

    std::uint32_t digit_[kDigits] = {};
    int used_;
};

/// Parts of a double: magnitude = mantissa · 2^exponent, up to a factor common to all doubles.
struct FloatParts {
    std::uint64_t mantissa;  ///< below 2^53
    int exponent;
    bool isNegative;
};

constexpr FloatParts partsOf(double number) {
    const auto bits = std::bit_cast<std::uint64_t>(number);
    return {(bits & ((std::uint64_t{1} << 52) - 1)) | (std::uint64_t{1} << 52),
            static_cast<int>((bits >> 52) & 0x7FF), (bits >> 63) != 0};
}

/// Compares two depths: −1 if a < b, 0 if equal, 1 if a > b.
constexpr int compareDepths(const ExactDepth& a, const ExactDepth& b) {
    // a < b if Σ weight · depth of a · area of b < Σ weight · depth of b · area of a.
    const ExactDepth* const sides[2] = {&a, &b};
    int minExponent = 0x7FF;
    int maxExponent = 0;
    for (int i = 0; i < 6; ++i) {
        if (sides[i / 3]->depth[i % 3] == 0) continue;
        const int exponent = partsOf(sides[i / 3]->depth[i % 3]).exponent;
        minExponent = exponent < minExponent ? exponent : minExponent;
        maxExponent = exponent > maxExponent ? exponent : maxExponent;
    }
    if (maxExponent == 0) return 0;  // all depths are 0
    WideInteger difference(maxExponent - minExponent);
    for (int i = 0; i < 6; ++i) {
        const ExactDepth& own = *sides[i / 3];
        if (own.depth[i % 3] == 0) continue;
        const FloatParts parts = partsOf(own.depth[i % 3]);
        difference.add(own.weight[i % 3], sides[1 - i / 3]->area(), parts.mantissa,
                       parts.exponent - minExponent, parts.isNegative != (i >= 3));
    }
    return difference.sign();
}

constexpr bool isSamePoint(const ScreenVertex& a, const ScreenVertex& b) {
    return a.x == b.x && a.y == b.y && a.depth == b.depth;
}

/// Whether both triangles have the same corners in any order: a face present in both windings is
/// the common case of equal depths. The corners of a triangle are distinct points.
constexpr bool haveSameCorners(const ScreenVertex* const (&a)[3],
                               const ScreenVertex* const (&b)[3]) {
    for (const ScreenVertex* corner : a) {
        if (!isSamePoint(*corner, *b[0]) && !isSamePoint(*corner, *b[1]) &&
            !isSamePoint(*corner, *b[2])) {
            return false;
        }
    }
    return true;
}

/// Whether both triangles lie in one plane perpendicular to the viewing direction.
constexpr bool areBothFlat(const ScreenVertex* const (&a)[3], const ScreenVertex* const (&b)[3]) {
    const double depth = a[0]->depth;
    return a[1]->depth == depth && a[2]->depth == depth && b[0]->depth == depth &&
           b[1]->depth == depth && b[2]->depth == depth;
}

/// Compares the depths of the triangles with corners `a` and `b` at the grid point (x, y), in
/// steps, which both triangles cover.
constexpr int compareDepths(const ScreenVertex* const (&a)[3], const ScreenVertex* const (&b)[3],
                            std::int64_t x, std::int64_t y) {
    return compareDepths(exactDepth(*a[0], *a[1], *a[2], x, y),
                         exactDepth(*b[0], *b[1], *b[2], x, y));
}

}  // namespace threefold::raster
