#include "cuda/backend/peak_rates.h"

#include <cublasLt.h>
#include <cuda_runtime_api.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <vector>

#include <fmt/format.h>

#include "cuda/backend/cuda_device_api.h"
#include "cuda/backend/device.h"
#include "cuda/library/context.h"
#include "cuda/library/layout.h"
#include "cuda/library/timing.h"
#include "cuda/portable/half.h"
#include "cuda/runtime/check.h"
#include "cuda/runtime/handles.h"
#include "cuda/runtime/memory_pool.h"
#include "engine/error.h"

namespace threefold::cuda {
namespace {

constexpr int kWarmUp = 3;
constexpr int kRepeats = 10;
constexpr std::size_t kWorkspace = std::size_t{32} << 20;
constexpr std::size_t kMaxCopyBytes = std::size_t{1} << 30;
constexpr int kMaxSide = 8192;
constexpr int kMinSide = 1024;

/// Types of a product in cuBLASLt's terms: operands, result, sum, scale.
struct ProductTypes {
    cudaDataType_t operand;
    cudaDataType_t result;
    cublasComputeType_t compute;
    cudaDataType_t scale;
    std::size_t operandBytes;
    std::size_t resultBytes;
};

ProductTypes productTypes(Precision precision) {
    switch (precision) {
        case Precision::float32:
            return {CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_PEDANTIC, CUDA_R_32F, 4, 4};
        case Precision::tfloat32:
            return {CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32, CUDA_R_32F, 4, 4};
        case Precision::float16:
            return {CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F, CUDA_R_32F, 2, 2};
        case Precision::bfloat16:
            return {CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F, CUDA_R_32F, 2, 2};
        case Precision::int8:
            return {CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I, CUDA_R_32I, 1, 4};
    }
    return productTypes(Precision::float16);
}

/// Returns a random operand: products of constant values draw less power and run faster than real
/// work.
std::vector<std::byte> randomOperand(Precision precision, std::size_t count) {
    std::mt19937 random(1);
    std::uniform_real_distribution<float> values(-1.0F, 1.0F);
    std::vector<float> numbers(count);
    for (float& number : numbers) number = values(random);
    if (precision != Precision::int8) return library::toElement(numbers, storageOf(precision));
    std::vector<std::byte> bytes;
    for (const float number : numbers) bytes.push_back(std::byte(toInt8(127.0F * number)));
    return bytes;
}

/// Shortest time of some repeats, in seconds.
double bestSeconds(cudaStream_t stream, const std::function<void()>& work) {
    for (int i = 0; i < kWarmUp; ++i) work();
    double best = std::numeric_limits<double>::infinity();
    for (int i = 0; i < kRepeats; ++i)
        best = std::min(best, 1e-3 * library::elapsedMilliseconds(stream, work));
    return best;
}

library::BlasLayout squareLayout(cudaDataType_t type, int side) {
    const auto n = static_cast<std::uint64_t>(side);
    return makeOwned<library::BlasLayout>([&](cublasLtMatrixLayout_t* layout) {
        CUBLAS_CHECK(cublasLtMatrixLayoutCreate(layout, type, n, n, side));
    });
}

/// Product of two square matrices, with the algorithm that cuBLASLt proposes.
struct SquareProduct {
    library::BlasHandle handle;
    library::BlasProduct description;
    library::BlasLayout operand;
    library::BlasLayout result;
    cublasLtMatmulAlgo_t algorithm;
};

/// Chooses an algorithm for Aᵀ · B, both with the inner dimension contiguous, the only form that
/// every type supports. Throws DeviceError if cuBLASLt proposes none.
SquareProduct chooseProduct(Precision precision, const ProductTypes& types, int side) {
    SquareProduct product{
        library::makeBlasHandle(),
        makeOwned<library::BlasProduct>([&](cublasLtMatmulDesc_t* description) {
            CUBLAS_CHECK(cublasLtMatmulDescCreate(description, types.compute, types.scale));
        }),
        squareLayout(types.operand, side),
        squareLayout(types.result, side),
        {}};
    const cublasOperation_t transposed = CUBLAS_OP_T;
    CUBLAS_CHECK(cublasLtMatmulDescSetAttribute(
        product.description.get(), CUBLASLT_MATMUL_DESC_TRANSA, &transposed, sizeof transposed));
    const auto preference =
        makeOwned<library::BlasPreference>([](cublasLtMatmulPreference_t* handleOut) {
            CUBLAS_CHECK(cublasLtMatmulPreferenceCreate(handleOut));
        });
    CUBLAS_CHECK(cublasLtMatmulPreferenceSetAttribute(preference.get(),
                                                      CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                                      &kWorkspace, sizeof kWorkspace));
    cublasLtMatmulHeuristicResult_t proposed{};
    int count = 0;
    CUBLAS_CHECK(cublasLtMatmulAlgoGetHeuristic(product.handle.get(), product.description.get(),
                                                product.operand.get(), product.operand.get(),
                                                product.result.get(), product.result.get(),
                                                preference.get(), 1, &proposed, &count));
    if (count == 0)
        throw DeviceError({"cuBLASLt", "",
                           fmt::format("has no {} product on this GPU", precisionName(precision)),
                           "Use another precision (`precision`)."});
    product.algorithm = proposed.algo;
    return product;
}

/// Fills `memory` with repetitions of `pattern`.
void fillWith(const PooledMemory& memory, const std::vector<std::byte>& pattern,
              cudaStream_t stream) {
    for (std::size_t offset = 0; offset < memory.size(); offset += pattern.size())
        CUDA_CHECK(cudaMemcpyAsync(memory.data() + offset, pattern.data(),
                                   std::min(pattern.size(), memory.size() - offset),
                                   cudaMemcpyHostToDevice, stream));
}

double productTeraflops(Precision precision, std::size_t free, MemoryPool& pool,
                        cudaStream_t stream) {
    const ProductTypes types = productTypes(precision);
    int side = kMaxSide;
    const auto totalBytes = [&](int n) {
        return static_cast<std::size_t>(n) * static_cast<std::size_t>(n) *
               (2 * types.operandBytes + types.resultBytes);
    };
    while (side > kMinSide && totalBytes(side) > free / 4) side /= 2;
    const SquareProduct product = chooseProduct(precision, types, side);

    const auto values = static_cast<std::size_t>(side) * static_cast<std::size_t>(side);
    const PooledMemory first = pool.allocate(values * types.operandBytes, stream);
    const PooledMemory result = pool.allocate(values * types.resultBytes, stream);
    const PooledMemory second = pool.allocate(values * types.operandBytes, stream);
    const PooledMemory workspace = pool.allocate(kWorkspace, stream);
    const std::vector<std::byte> pattern =
        randomOperand(precision, std::size_t{kMinSide} * kMinSide);
    fillWith(first, pattern, stream);
    fillWith(second, pattern, stream);
    // alpha and beta have the scale type: int32 for int8, else float32; 0 has the same bits in
    // both.
    const std::int32_t one = types.scale == CUDA_R_32I ? 1 : std::bit_cast<std::int32_t>(1.0F);
    const std::int32_t zero = 0;
    const double seconds = bestSeconds(stream, [&] {
        CUBLAS_CHECK(cublasLtMatmul(product.handle.get(), product.description.get(), &one,
                                    first.data(), product.operand.get(), second.data(),
                                    product.operand.get(), &zero, result.data(),
                                    product.result.get(), result.data(), product.result.get(),
                                    &product.algorithm, workspace.data(), kWorkspace, stream));
    });
    return 2.0 * side * static_cast<double>(values) / seconds * 1e-12;
}

double copyGigabytesPerSecond(std::size_t free, MemoryPool& pool, cudaStream_t stream) {
    const std::size_t bytes = std::min(kMaxCopyBytes, free / 8);
    const PooledMemory source = pool.allocate(bytes, stream);
    const PooledMemory target = pool.allocate(bytes, stream);
    CUDA_CHECK(cudaMemsetAsync(source.data(), 1, bytes, stream));
    const double seconds = bestSeconds(stream, [&] {
        CUDA_CHECK(
            cudaMemcpyAsync(target.data(), source.data(), bytes, cudaMemcpyDeviceToDevice, stream));
    });
    return 2.0 * static_cast<double>(bytes) / seconds * 1e-9;
}

}  // namespace

GpuPeakRates measureGpuPeakRates(int index, Precision precision) {
    const DeviceInfo device = chooseDevice(index, precision);
    CudaDeviceApi api(device);
    const OwnedStream stream = makeStream();
    MemoryPool pool(api, MemoryKind::device);
    GpuPeakRates rates;
    rates.teraflops = productTeraflops(precision, api.memoryInfo().free, pool, stream.get());
    pool.trim();
    rates.gigabytesPerSecond = copyGigabytesPerSecond(api.memoryInfo().free, pool, stream.get());
    return rates;
}

}  // namespace threefold::cuda
