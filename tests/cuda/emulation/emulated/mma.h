#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "cuda/portable/half.h"
#include "tests/cuda/emulation/emulated/thread.h"

/// Emulated cuda/portable/mma.h: gathers the fragments of all lanes, multiplies, and scatters.
namespace threefold::cuda {

namespace emulation {

/// Fragments of one lane.
template <class Sum>
struct Fragments {
    Sum d[4];
    std::uint32_t a[4];
    std::uint32_t b[2];
};

/// Traits of the values of a register: `perRegister` is their number, `value(register, index)`
/// reads one, `Wide` is the type of sums, whose rounding errors are negligible or zero.
template <class T>
struct PairValues {
    static constexpr int perRegister = 2;
    using Wide = double;
    static Wide value(std::uint32_t bits, int index) {
        return toFloat(T{static_cast<std::uint16_t>(bits >> 16 * index)});
    }
};
struct Tf32Values {
    static constexpr int perRegister = 1;
    using Wide = double;
    static Wide value(std::uint32_t bits, int) { return detail::floatOf(bits & 0xffffe000U); }
};
struct Int8Values {
    static constexpr int perRegister = 4;
    using Wide = std::int64_t;
    static Wide value(std::uint32_t bits, int index) {
        return static_cast<std::int8_t>(bits >> 8 * index & 0xffU);
    }
};

/// D += A · B of a whole warp, from the fragments of its lanes.
template <class Values, class Sum>
void multiply(void* const* lanes, unsigned) {
    constexpr int n = Values::perRegister;
    constexpr int depth = 8 * n;
    using Wide = typename Values::Wide;
    const auto of = [lanes](int lane) -> Fragments<Sum>& {
        return *static_cast<Fragments<Sum>*>(lanes[lane]);
    };
    Wide a[16][depth];
    Wide b[8][depth];
    for (int lane = 0; lane < 32; ++lane) {
        const int group = lane / 4;
        for (int v = 0; v < n; ++v) {
            const int k = n * (lane % 4) + v;
            a[group][k] = Values::value(of(lane).a[0], v);
            a[group + 8][k] = Values::value(of(lane).a[1], v);
            a[group][k + 4 * n] = Values::value(of(lane).a[2], v);
            a[group + 8][k + 4 * n] = Values::value(of(lane).a[3], v);
            b[group][k] = Values::value(of(lane).b[0], v);
            b[group][k + 4 * n] = Values::value(of(lane).b[1], v);
        }
    }
    for (int lane = 0; lane < 32; ++lane) {
        for (int i = 0; i < 4; ++i) {
            const Wide* left = a[lane / 4 + 8 * (i / 2)];
            const Wide* right = b[2 * (lane % 4) + i % 2];
            Wide sum = of(lane).d[i];
            for (int k = 0; k < depth; ++k) sum += left[k] * right[k];
            of(lane).d[i] = static_cast<Sum>(sum);
        }
    }
}

template <class Values, class Sum>
void multiplyByWarp(const char* what, Sum (&d)[4], const std::uint32_t (&a)[4],
                    const std::uint32_t (&b)[2], Place place) {
    Fragments<Sum> mine;
    std::memcpy(mine.d, d, sizeof d);
    std::memcpy(mine.a, a, sizeof a);
    std::memcpy(mine.b, b, sizeof b);
    meetWarp(what, 0xffffffffU, &mine, multiply<Values, Sum>, place);
    std::memcpy(d, mine.d, sizeof d);
}

struct MatrixRows {
    const void* row;
    std::uint32_t registers[4];
};

}  // namespace emulation

template <class T>
void mma(float (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2],
         THREEFOLD_PLACE_PARAMETERS) {
    static_assert(std::is_same_v<T, Half> || std::is_same_v<T, Bfloat16>);
    emulation::multiplyByWarp<emulation::PairValues<T>>("mma", d, a, b, {file, line});
}
inline void mmaTf32(float (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2],
                    THREEFOLD_PLACE_PARAMETERS) {
    emulation::multiplyByWarp<emulation::Tf32Values>("mmaTf32", d, a, b, {file, line});
}
inline void mmaInt8(int (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2],
                    THREEFOLD_PLACE_PARAMETERS) {
    emulation::multiplyByWarp<emulation::Int8Values>("mmaInt8", d, a, b, {file, line});
}

inline void ldmatrix(std::uint32_t (&registers)[4], const void* shared,
                     THREEFOLD_PLACE_PARAMETERS) {
    emulation::requireShared(shared, 16, 16, "ldmatrix", {file, line});
    emulation::MatrixRows mine{shared, {}};
    emulation::meetWarp("ldmatrix", 0xffffffffU, &mine,
                        [](void* const* lanes, unsigned) {
                            const auto of = [lanes](int lane) -> emulation::MatrixRows& {
                                return *static_cast<emulation::MatrixRows*>(lanes[lane]);
                            };
                            for (int m = 0; m < 4; ++m) {
                                for (int lane = 0; lane < 32; ++lane) {
                                    const void* row = of(8 * m + lane / 4).row;
                                    std::memcpy(&of(lane).registers[m],
                                                static_cast<const std::byte*>(row) + 4 * (lane % 4),
                                                4);
                                }
                            }
                        },
                        {file, line});
    std::memcpy(registers, mine.registers, sizeof registers);
}

inline std::uint32_t movmatrix(std::uint32_t pair, THREEFOLD_PLACE_PARAMETERS) {
    std::uint32_t mine = pair;
    emulation::meetWarp(
        "movmatrix", 0xffffffffU, &mine,
        [](void* const* lanes, unsigned) {
            std::uint16_t rows[8][8];
            for (int lane = 0; lane < 32; ++lane) {
                std::memcpy(&rows[lane / 4][2 * (lane % 4)], lanes[lane], 4);
            }
            for (int lane = 0; lane < 32; ++lane) {
                const int row = 2 * (lane % 4);
                const std::uint16_t turned[2] = {rows[row][lane / 4], rows[row + 1][lane / 4]};
                std::memcpy(lanes[lane], turned, 4);
            }
        },
        {file, line});
    return mine;
}

}  // namespace threefold::cuda
