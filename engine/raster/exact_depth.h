#pragma once

#include <bit>
#include <cstdint>

#include "engine/raster/triangle.h"

namespace threefold::raster {

// Compares depths exactly where doubles cannot (depth_order.h): with integers, which no compiler
// and no processor rounds. Also compiled for devices.

/// A triangle's depth at a point: Σ share · depth ÷ Σ share.
struct ExactDepth {
    std::uint64_t share[3];  ///< the edge functions there, each below 2^52, not all 0
    double depth[3];         ///< of the corners

    constexpr std::uint64_t area() const { return share[0] + share[1] + share[2]; }
};

/// For a point that the triangle covers, in steps.
constexpr ExactDepth exactDepth(const ScreenVertex& a, const ScreenVertex& b, const ScreenVertex& c,
                                std::int64_t x, std::int64_t y) {
    const std::int64_t share[3] = {edgeFunction(b, c, x, y), edgeFunction(c, a, x, y),
                                   edgeFunction(a, b, x, y)};
    ExactDepth exact{{}, {a.depth, b.depth, c.depth}};
    for (int i = 0; i < 3; ++i)
        exact.share[i] = static_cast<std::uint64_t>(share[i] < 0 ? -share[i] : share[i]);
    return exact;
}

/// A whole number in two's complement, for the sum of six products.
class WideSum {
  public:
    /// For products below 2^(157 + mostShift).
    constexpr explicit WideSum(int mostShift) : used_((mostShift + 161 + 31) / 32) {}

    /// Adds ± a · b · m · 2^shift.
    constexpr void add(std::uint64_t a, std::uint64_t b, std::uint64_t m, int shift,
                       bool isNegative) {
        std::uint32_t product[kProduct] = {};
        product[0] = static_cast<std::uint32_t>(a);
        product[1] = static_cast<std::uint32_t>(a >> 32);
        multiply(product, b);
        multiply(product, m);
        shiftLeft(product, shift % 32);
        std::uint64_t carry = isNegative ? 1 : 0;
        for (int i = shift / 32, k = 0; i < used_; ++i, ++k) {
            const std::uint32_t digit = k < kProduct ? product[k] : 0;
            carry += std::uint64_t{digit_[i]} + (isNegative ? ~digit : digit);
            digit_[i] = static_cast<std::uint32_t>(carry);
            carry >>= 32;
        }
    }

    /// −1, 0 or 1.
    constexpr int sign() const {
        if ((digit_[used_ - 1] >> 31) != 0) return -1;
        for (int i = 0; i < used_; ++i) {
            if (digit_[i] != 0) return 1;
        }
        return 0;
    }

  private:
    static constexpr int kProduct = 6;  // digits of 32 bits
    static constexpr int kDigits = 24;  // for depths from kLeastDepth to 2^256

    static constexpr void multiply(std::uint32_t (&number)[kProduct], std::uint64_t by) {
        const std::uint64_t low = by & 0xFFFFFFFFU;
        const std::uint64_t high = by >> 32;
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

    static constexpr void shiftLeft(std::uint32_t (&number)[kProduct], int by) {
        std::uint64_t carry = 0;
        for (std::uint32_t& digit : number) {
            carry |= std::uint64_t{digit} << by;
            digit = static_cast<std::uint32_t>(carry);
            carry >>= 32;
        }
    }

    std::uint32_t digit_[kDigits] = {};
    int used_;
};

/// A number's magnitude is mantissa · 2^exponent, up to a factor common to all numbers.
struct Parts {
    std::uint64_t mantissa;  ///< below 2^53
    int exponent;
    bool isNegative;
};

constexpr Parts partsOf(double number) {
    const auto bits = std::bit_cast<std::uint64_t>(number);
    return {(bits & ((std::uint64_t{1} << 52) - 1)) | (std::uint64_t{1} << 52),
            static_cast<int>((bits >> 52) & 0x7FF), (bits >> 63) != 0};
}

/// −1 where a is less than b, 0 where both are equal, 1 where a is more.
constexpr int compare(const ExactDepth& a, const ExactDepth& b) {
    // a < b if Σ share · depth of a · area of b < Σ share · depth of b · area of a.
    const ExactDepth* const side[2] = {&a, &b};
    int least = 0x7FF;
    int most = 0;
    for (int i = 0; i < 6; ++i) {
        if (side[i / 3]->depth[i % 3] == 0) continue;
        const int exponent = partsOf(side[i / 3]->depth[i % 3]).exponent;
        least = exponent < least ? exponent : least;
        most = exponent > most ? exponent : most;
    }
    if (most == 0) return 0;  // all depths are 0
    WideSum difference(most - least);
    for (int i = 0; i < 6; ++i) {
        const ExactDepth& own = *side[i / 3];
        if (own.depth[i % 3] == 0) continue;
        const Parts parts = partsOf(own.depth[i % 3]);
        difference.add(own.share[i % 3], side[1 - i / 3]->area(), parts.mantissa,
                       parts.exponent - least, parts.isNegative != (i >= 3));
    }
    return difference.sign();
}

constexpr bool isSamePoint(const ScreenVertex& a, const ScreenVertex& b) {
    return a.x == b.x && a.y == b.y && a.depth == b.depth;
}

/// Whether both have the same corners in whatever order: seen from two sides, the usual case of
/// equal depths. Corners of one triangle are different points.
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

/// Whether both lie in one plane across the line of sight.
constexpr bool areBothFlat(const ScreenVertex* const (&a)[3], const ScreenVertex* const (&b)[3]) {
    const double depth = a[0]->depth;
    return a[1]->depth == depth && a[2]->depth == depth && b[0]->depth == depth &&
           b[1]->depth == depth && b[2]->depth == depth;
}

/// compare() of the triangles with corners `a` and `b` at (x, y), in steps, which both cover.
constexpr int compareDepths(const ScreenVertex* const (&a)[3], const ScreenVertex* const (&b)[3],
                            std::int64_t x, std::int64_t y) {
    return compare(exactDepth(*a[0], *a[1], *a[2], x, y), exactDepth(*b[0], *b[1], *b[2], x, y));
}

}  // namespace threefold::raster
