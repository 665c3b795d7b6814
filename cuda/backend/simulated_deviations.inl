// Rows of kSimulatedDeviations: the output of `threefold_cuda_simulation --table`, rounded up,
// which tests/golden/update puts here. The simulation sums in reverse order for float32, and in the
// order of the AVX2 code for all others. For tfloat32 it truncates the operands of NVIDIA's
// libraries, since these may round or truncate, and truncation is worse. nearest-first truncates
// pixels: a point that rounding moves across a texel's edge reads other features and drags its
// neighbours along. All rows use views 0, 6 and 7; float32 and float16 with bilinear-each also use
// two other sets of views, float16 there in both orders of sums.
//
// Numbers of a row: maps, levels, typical vertex, furthest vertex, score (Deviation).
// clang-format off
    {Precision::float32,  KernelSource::fused,   SamplerKind::bilinearPerView, {1.2e-6, 3.7e-6, 7.1e-7, 1.2e-6, 0.00}},
    {Precision::tfloat32, KernelSource::fused,   SamplerKind::bilinearPerView, {4.3e-3, 2.6e-3, 1.7e-3, 2.3e-3, 0.05}},
    {Precision::float16,  KernelSource::fused,   SamplerKind::bilinearPerView, {1.5e-3, 4.4e-4, 1.5e-4, 4.9e-4, 0.04}},
    {Precision::bfloat16, KernelSource::fused,   SamplerKind::bilinearPerView, {1.6e-2, 5.9e-3, 3.1e-3, 3.5e-3, 0.09}},
    {Precision::int8,     KernelSource::fused,   SamplerKind::bilinearPerView, {1.5e-3, 4.4e-4, 2.3e-4, 2.9e-4, 0.05}},
    {Precision::float32,  KernelSource::library, SamplerKind::bilinearPerView, {1.2e-6, 3.7e-6, 7.1e-7, 1.2e-6, 0.00}},
    {Precision::tfloat32, KernelSource::library, SamplerKind::bilinearPerView, {4.3e-3, 3.3e-3, 2.2e-3, 5.2e-3, 0.23}},
    {Precision::float16,  KernelSource::library, SamplerKind::bilinearPerView, {1.5e-3, 2.7e-3, 8.0e-4, 2.4e-3, 0.11}},
    {Precision::bfloat16, KernelSource::library, SamplerKind::bilinearPerView, {1.6e-2, 1.2e-2, 3.5e-3, 4.7e-3, 0.05}},
    {Precision::float32,  KernelSource::fused,   SamplerKind::nearestInFirstView, {1.3e-6, 2.3e-6, 4.9e-7, 6.3e-7, 0.00}},
    {Precision::tfloat32, KernelSource::fused,   SamplerKind::nearestInFirstView, {6.4e-3, 1.6e-2, 4.3e-3, 6.9e-3, 0.23}},
    {Precision::float16,  KernelSource::fused,   SamplerKind::nearestInFirstView, {1.9e-3, 1.2e-2, 7.0e-4, 1.4e-3, 0.06}},
    {Precision::bfloat16, KernelSource::fused,   SamplerKind::nearestInFirstView, {1.5e-2, 4.7e-2, 3.6e-3, 5.1e-3, 0.33}},
    {Precision::int8,     KernelSource::fused,   SamplerKind::nearestInFirstView, {1.9e-3, 1.2e-2, 7.0e-4, 1.5e-3, 0.10}},
    {Precision::float32,  KernelSource::library, SamplerKind::nearestInFirstView, {1.3e-6, 2.3e-6, 4.9e-7, 6.3e-7, 0.00}},
    {Precision::tfloat32, KernelSource::library, SamplerKind::nearestInFirstView, {6.4e-3, 1.2e-2, 4.3e-3, 6.9e-3, 0.06}},
    {Precision::float16,  KernelSource::library, SamplerKind::nearestInFirstView, {1.9e-3, 1.1e-2, 1.2e-3, 2.2e-3, 0.15}},
    {Precision::bfloat16, KernelSource::library, SamplerKind::nearestInFirstView, {1.5e-2, 4.7e-2, 6.2e-3, 9.2e-3, 0.27}},
    // clang-format on
