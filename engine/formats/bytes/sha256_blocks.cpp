#include "engine/formats/bytes/sha256_blocks.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace threefold {

#if defined(__x86_64__)

bool processorHasSha256() {
    // Compilers of today do not know the name in __builtin_cpu_supports: leaf 7, EBX bit 29.
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    return __builtin_cpu_supports("sse4.1") && __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 &&
           (b & (1U << 29)) != 0;
}

__attribute__((target("sha,sse4.1,ssse3"))) void addSha256Blocks(Sha256State& state,
                                                                 const std::byte* blocks,
                                                                 std::size_t count) {
    // The instructions keep the eight words as two registers: A B E F and C D G H, highest first.
    auto* words = reinterpret_cast<__m128i*>(state.data());
    const __m128i badc = _mm_shuffle_epi32(_mm_loadu_si128(words), 0xB1);
    const __m128i hgfe = _mm_shuffle_epi32(_mm_loadu_si128(words + 1), 0x1B);
    __m128i abef = _mm_alignr_epi8(badc, hgfe, 8);
    __m128i cdgh = _mm_blend_epi16(hgfe, badc, 0xF0);

    const __m128i bigEndian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    const auto* rounds = reinterpret_cast<const __m128i*>(kSha256Round.data());
    for (std::size_t block = 0; block < count; ++block) {
        const auto* input = reinterpret_cast<const __m128i*>(blocks + block * kSha256Block);
        const __m128i abefBefore = abef, cdghBefore = cdgh;
        __m128i w[4];  // the last sixteen words of the message schedule, four a register
        for (int four = 0; four < 16; ++four) {
            __m128i& now = w[four % 4];
            const __m128i last = w[(four + 3) % 4];
            if (four < 4) {
                now = _mm_shuffle_epi8(_mm_loadu_si128(input + four), bigEndian);
            } else {
                const __m128i sevenBack = _mm_alignr_epi8(last, w[(four + 2) % 4], 4);
                const __m128i part = _mm_sha256msg1_epu32(now, w[(four + 1) % 4]);
                now = _mm_sha256msg2_epu32(_mm_add_epi32(part, sevenBack), last);
            }
            const __m128i sum = _mm_add_epi32(now, _mm_loadu_si128(rounds + four));
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0E));
        }
        abef = _mm_add_epi32(abef, abefBefore);
        cdgh = _mm_add_epi32(cdgh, cdghBefore);
    }

    const __m128i feba = _mm_shuffle_epi32(abef, 0x1B);
    const __m128i dchg = _mm_shuffle_epi32(cdgh, 0xB1);
    _mm_storeu_si128(words, _mm_blend_epi16(feba, dchg, 0xF0));
    _mm_storeu_si128(words + 1, _mm_alignr_epi8(dchg, feba, 8));
}

#else

bool processorHasSha256() {
    return false;
}

void addSha256Blocks(Sha256State& state, const std::byte* blocks, std::size_t count) {
    addSha256BlocksPortable(state, blocks, count);
}

#endif

}  // namespace threefold
