#pragma once

#include <cstdint>
#include <type_traits>

#include "cuda/portable/function_qualifiers.h"
#include "cuda/portable/half.h"
#if defined(THREEFOLD_EMULATION)
#include <emulated/mma.h>
#endif

/// Products of small matrices by a whole warp: D (16 × 8) += A (16 × K, row-major) · B (K × 8,
/// column-major). All 32 lanes make the call. Fragments as in "PTX ISA, Matrix Fragments for mma":
/// with g = lane / 4, t = lane % 4, and N values in a register of A or B (2 of 16 bits, 4 of 8
/// bits, 1 of tfloat32), where v = 0 … N - 1 is a value's index (0: in the lowest bits):
///   d[0], d[1]: row g,     columns 2t, 2t + 1;     d[2], d[3]: row g + 8, the same columns
///   a[0]: row g,     k = N t + v;                  a[1]: row g + 8, the same k
///   a[2]: row g,     k = N t + v + 4 N;            a[3]: row g + 8, the same k
///   b[0]: column g,  k = N t + v;                  b[1]: column g, k = N t + v + 4 N
/// so that two registers of D of one product, rounded and packed, are one register of A of the
/// next.
///
/// | function | K | values | from capability |
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

/// The mma instruction on the fragments a, b and d. `types`: end of its name; `sum`: asm constraint
/// of d.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define THREEFOLD_MMA(types, sum)                                                   \
    asm volatile("mma.sync.aligned." types                                          \
                 " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" \
                 : sum(d[0]), sum(d[1]), sum(d[2]), sum(d[3])                       \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))
#else
#define THREEFOLD_MMA(types, sum) __trap()
#endif

/// D += A · B by m16n8k16; T = Half or Bfloat16.
template <class T>
__device__ __forceinline__ void mma(float (&d)[4], const std::uint32_t (&a)[4],
                                    const std::uint32_t (&b)[2]) {
    static_assert(std::is_same_v<T, Half> || std::is_same_v<T, Bfloat16>);
    if constexpr (std::is_same_v<T, Bfloat16>) {
        THREEFOLD_MMA("m16n8k16.row.col.f32.bf16.bf16.f32", "+f");
    } else {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#pragma unroll
        for (int half = 0; half < 2; ++half)
            asm volatile(
                "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 "
                "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
                : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                : "r"(a[2 * half]), "r"(a[2 * half + 1]), "r"(b[half]));
#else
        THREEFOLD_MMA("m16n8k16.row.col.f32.f16.f16.f32", "+f");
#endif
    }
}

/// D += A · B by m16n8k8.
__device__ __forceinline__ void mmaTf32(float (&d)[4], const std::uint32_t (&a)[4],
                                        const std::uint32_t (&b)[2]) {
    THREEFOLD_MMA("m16n8k8.row.col.f32.tf32.tf32.f32", "+f");
}

/// D += A · B by m16n8k32; sums wrap around.
__device__ __forceinline__ void mmaInt8(int (&d)[4], const std::uint32_t (&a)[4],
                                        const std::uint32_t (&b)[2]) {
    THREEFOLD_MMA("m16n8k32.row.col.s32.s8.s8.s32", "+r");
}
#undef THREEFOLD_MMA

/// ldmatrix: four matrices of 8 rows of 16 bytes from shared memory. Lanes 8 m … 8 m + 7 give the
/// addresses (aligned to 16 bytes) of the rows of matrix m. Each lane receives in registers[m]
/// bytes 4 (lane % 4) … + 3 of row lane / 4 of matrix m.
__device__ __forceinline__ void ldmatrix(std::uint32_t (&registers)[4], const void* shared) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(registers[0]), "=r"(registers[1]), "=r"(registers[2]), "=r"(registers[3])
                 : "r"(static_cast<unsigned>(__cvta_generic_to_shared(shared)))
                 : "memory");
}

/// movmatrix: transposes a matrix of 8 × 8 values of 16 bits that lies in the registers of a warp.
/// Each lane gives the values of row lane / 4, columns 2 (lane % 4) and + 1, and gets the values at
/// the same positions of the transpose. Called by all 32 lanes.
__device__ __forceinline__ std::uint32_t movmatrix(std::uint32_t pair) {
    std::uint32_t transposed;
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(transposed) : "r"(pair));
    return transposed;
}

}  // namespace threefold::cuda

#endif
