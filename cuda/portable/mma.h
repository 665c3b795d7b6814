#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "cuda/portable/half.h"
#include "cuda/portable/spelling.h"
#if defined(THREEFOLD_EMULATION) && !defined(__CUDACC__)
#include "cuda/portable/emulated.h"
#include "cuda/portable/thread.h"
#endif

/// Products of small matrices by a whole warp: D (16 × 8) += A (16 × K, row-major) · B (K × 8,
/// column-major). All 32 lanes come, with fragments as in "PTX ISA, Matrix Fragments for mma". With
/// g = lane / 4, t = lane % 4, and N values v in a register of A or B (2 of 16 bits, 4 of 8 bits, 1
/// of tfloat32; the first in the lowest bits):
///   d[0], d[1]: row g,     columns 2t, 2t + 1;     d[2], d[3]: row g + 8, the same columns
///   a[0]: row g,     k = N t + v;                  a[1]: row g + 8, the same k
///   a[2]: row g,     k = N t + v + 4 N;            a[3]: row g + 8, the same k
///   b[0]: column g,  k = N t + v;                  b[1]: column g, k = N t + v + 4 N
/// so that two registers of D of one product, rounded and packed, are one register of A of the
/// next.
///
/// | function | K | values | from |
/// |---|---|---|---|
/// | mma<Half> | 16 | Half | 7.5 |
/// | mma<Bfloat16> | 16 | Bfloat16 | 8.0 |
/// | mmaTf32 | 8 | float32 bits, of which 10 mantissa bits count (toTf32) | 8.0 |
/// | mmaInt8 | 32 | signed bytes | 8.0 |
///
/// Older devices trap; a kernel's …Fits() function excludes them. The device's order of additions
/// is unspecified; the emulator's sum is exact but for one rounding.

#if defined(__CUDACC__)

namespace threefold::cuda {

/// One instruction for all of a, b and d; `types` is its name's end, `sum` the constraint of d.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define THREEFOLD_MMA(types, sum)                                                   \
    asm volatile("mma.sync.aligned." types                                          \
                 " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" \
                 : sum(d[0]), sum(d[1]), sum(d[2]), sum(d[3])                       \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))
#else
#define THREEFOLD_MMA(types, sum) __trap()
#endif

/// T = Half or Bfloat16; m16n8k16.
template <class T>
__device__ __forceinline__ void mma(float (&d)[4], const std::uint32_t (&a)[4],
                                    const std::uint32_t (&b)[2]) {
    static_assert(std::is_same_v<T, Half> || std::is_same_v<T, Bfloat16>);
    if constexpr (std::is_same_v<T, Bfloat16>) {
        THREEFOLD_MMA("m16n8k16.row.col.f32.bf16.bf16.f32", "+f");
    } else {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            asm volatile(
                "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 "
                "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
                : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                : "r"(a[2 * half]), "r"(a[2 * half + 1]), "r"(b[half]));
        }
#else
        THREEFOLD_MMA("m16n8k16.row.col.f32.f16.f16.f32", "+f");
#endif
    }
}

/// m16n8k8.
__device__ __forceinline__ void mmaTf32(float (&d)[4], const std::uint32_t (&a)[4],
                                        const std::uint32_t (&b)[2]) {
    THREEFOLD_MMA("m16n8k8.row.col.f32.tf32.tf32.f32", "+f");
}

/// m16n8k32; sums wrap around.
__device__ __forceinline__ void mmaInt8(int (&d)[4], const std::uint32_t (&a)[4],
                                        const std::uint32_t (&b)[2]) {
    THREEFOLD_MMA("m16n8k32.row.col.s32.s8.s8.s32", "+r");
}
#undef THREEFOLD_MMA

/// ldmatrix: four matrices of 8 rows of 16 bytes from shared memory. Lanes 8 m … 8 m + 7 give the
/// addresses (aligned to 16 bytes) of the rows of matrix m. Lane gets in registers[m] bytes
/// 4 (lane % 4) … + 3 of row lane / 4 of matrix m.
__device__ __forceinline__ void loadMatrix(std::uint32_t (&registers)[4], const void* shared) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(registers[0]), "=r"(registers[1]), "=r"(registers[2]), "=r"(registers[3])
                 : "r"(static_cast<unsigned>(__cvta_generic_to_shared(shared)))
                 : "memory");
}

/// movmatrix: transposes a matrix of 8 × 8 values of 16 bits that lies in the registers of a warp.
/// Lane gives the values of row lane / 4, columns 2 (lane % 4) and + 1, and gets those of the same
/// places of the transpose. All 32 lanes come.
__device__ __forceinline__ std::uint32_t transposeMatrix(std::uint32_t pair) {
    std::uint32_t transposed;
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(transposed) : "r"(pair));
    return transposed;
}

}  // namespace threefold::cuda

#elif defined(THREEFOLD_EMULATION)

namespace threefold::cuda {

namespace emulation {

/// Fragments of one lane.
template <class Sum>
struct Fragments {
    Sum d[4];
    std::uint32_t a[4];
    std::uint32_t b[2];
};

/// Reads the values of a register: `perRegister` of them, `value(register, index)`. `Wide` holds a
/// sum of K products with no or little rounding.
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

inline void loadMatrix(std::uint32_t (&registers)[4], const void* shared,
                       THREEFOLD_PLACE_PARAMETERS) {
    emulation::requireShared(shared, 16, 16, "loadMatrix", {file, line});
    emulation::MatrixRows mine{shared, {}};
    emulation::meetWarp("loadMatrix", 0xffffffffU, &mine,
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

inline std::uint32_t transposeMatrix(std::uint32_t pair, THREEFOLD_PLACE_PARAMETERS) {
    std::uint32_t mine = pair;
    emulation::meetWarp(
        "transposeMatrix", 0xffffffffU, &mine,
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

#endif
