#pragma once

namespace threefold::simd {

/// Whether this processor runs code compiled for AVX2 with FMA, or for AVX-512 (F, BW, VL, DQ).
/// False wherever the program is not built for x86-64.
bool runsAvx2();
bool runsAvx512();

}  // namespace threefold::simd
