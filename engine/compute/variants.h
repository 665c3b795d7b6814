#pragma once

#include <span>
#include <type_traits>
#include <vector>

namespace threefold::simd {

/// Whether this processor runs code compiled for AVX2 with FMA, or for AVX-512 (F, BW, VL, DQ).
/// False wherever the program is not built for x86-64.
bool runsAvx2();
bool runsAvx512();

/// The variants of a kernel table that this processor can run, the fastest first, the portable one
/// last. The table is compiled once for each instruction set; AVX2 and AVX-512 on x86-64 only.
template <const auto& kPortable, const auto& kAvx2, const auto& kAvx512>
auto runnableVariants() {
    using Table = std::remove_cvref_t<decltype(kPortable)>;
    static const std::vector<const Table*> runnable = [] {
        std::vector<const Table*> list;
#if defined(__x86_64__)
        if (runsAvx512()) list.push_back(&kAvx512);
        if (runsAvx2()) list.push_back(&kAvx2);
#endif
        list.push_back(&kPortable);
        return list;
    }();
    return std::span<const Table* const>(runnable);
}

}  // namespace threefold::simd
