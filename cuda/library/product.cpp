#include "cuda/library/product.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <optional>
#include <utility>
#include <vector>

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include "cuda/library/timing.h"
#include "cuda/runtime/check.h"

namespace threefold::cuda::library {
namespace {

constexpr int kProposals = 16;
constexpr std::size_t kMeasured = 8;
constexpr std::uint32_t kPointerAlignment = 16;
constexpr std::string_view kAlgorithmPrefix = "cublasLt ";
constexpr std::size_t kDigits = 16;  ///< of one number

static_assert(sizeof(cublasLtMatmulAlgo_t) == sizeof(AlgorithmBytes));

cudaDataType_t typeOf(Element element) {
    switch (element) {
        case Element::float16:
            return CUDA_R_16F;
        case Element::bfloat16:
            return CUDA_R_16BF;
        case Element::float32:
            break;
    }
    return CUDA_R_32F;
}

template <class T>
void set(const BlasProduct& product, cublasLtMatmulDescAttributes_t name, const T& value) {
    CUBLAS_CHECK(cublasLtMatmulDescSetAttribute(product.get(), name, &value, sizeof(value)));
}

template <class T>
void set(const BlasLayout& layout, cublasLtMatrixLayoutAttribute_t name, const T& value) {
    CUBLAS_CHECK(cublasLtMatrixLayoutSetAttribute(layout.get(), name, &value, sizeof(value)));
}

template <class T>
void set(const BlasPreference& preference, cublasLtMatmulPreferenceAttributes_t name,
         const T& value) {
    CUBLAS_CHECK(
        cublasLtMatmulPreferenceSetAttribute(preference.get(), name, &value, sizeof(value)));
}

int pitchOr(int pitch, int width) {
    return pitch != 0 ? pitch : width;
}

/// Values that one operand takes up in all.
std::size_t valuesOf(int rows, int pitch, int columns, int count, std::int64_t distance) {
    return static_cast<std::size_t>(distance) * static_cast<std::size_t>(count - 1) +
           static_cast<std::size_t>(rows - 1) * static_cast<std::size_t>(pitch) +
           static_cast<std::size_t>(columns);
}

/// A row-major matrix is its transpose, column-major: cuBLASLt's own order, in which its epilogues
/// work. So rows and columns change places.
BlasLayout layoutOf(Element element, int rows, int columns, int pitch, int count,
                    std::int64_t distance) {
    cublasLtMatrixLayout_t layout = nullptr;
    CUBLAS_CHECK(cublasLtMatrixLayoutCreate(&layout, typeOf(element),
                                            static_cast<std::uint64_t>(columns),
                                            static_cast<std::uint64_t>(rows), pitch));
    BlasLayout owned(layout);
    set(owned, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, static_cast<std::int32_t>(count));
    set(owned, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, distance);
    return owned;
}

PooledMemory zeros(Context& context, std::size_t bytes) {
    PooledMemory memory = context.memory.allocate(bytes, context.stream);
    CUDA_CHECK(cudaMemsetAsync(memory.data(), 0, bytes, context.stream));
    return memory;
}

}  // namespace

std::string ProductShape::name() const {
    std::string text =
        fmt::format("product {}x{}x{} {}", rows, inner, columns, precisionName(precision));
    if (float32Output) text += " to float32";
    if (bias) text += " bias";
    if (relu) text += " relu";
    if (accumulate) text += " accumulate";
    if (xPitch != 0 || wPitch != 0 || yPitch != 0) {
        text += fmt::format(" pitch {}/{}/{}", xPitch, wPitch, yPitch);
    }
    if (count != 1) {
        text += fmt::format(" times {} at {}/{}/{}", count, xDistance, wDistance, yDistance);
    }
    return text;
}

std::string toText(const AlgorithmBytes& algorithm) {
    std::string text(kAlgorithmPrefix);
    for (const std::uint64_t number : algorithm) text += fmt::format("{:016x}", number);
    return text;
}

AlgorithmBytes algorithmFrom(std::string_view text) {
    AlgorithmBytes algorithm{};
    bool good = text.starts_with(kAlgorithmPrefix) &&
                text.size() == kAlgorithmPrefix.size() + kDigits * algorithm.size();
    if (good) {
        std::string_view digits = text.substr(kAlgorithmPrefix.size());
        for (std::uint64_t& number : algorithm) {
            const char* end = digits.data() + kDigits;
            const auto [stop, error] = std::from_chars(digits.data(), end, number, 16);
            good = good && error == std::errc() && stop == end;
            digits.remove_prefix(kDigits);
        }
    }
    if (!good || toText(algorithm) != text) {
        throw FormatError({"plan", {}, fmt::format("'{}' names no algorithm", text), {}});
    }
    return algorithm;
}

struct Product::Ready {
    BlasProduct product;
    BlasLayout w;
    BlasLayout x;
    BlasLayout y;
    cublasLtMatmulAlgo_t algorithm{};

    explicit Ready(const ProductShape& shape);
};

Product::Ready::Ready(const ProductShape& shape) {
    const Element element = storageOf(shape.precision);
    const Element output = shape.float32Output ? Element::float32 : element;
    const cublasComputeType_t compute =
        shape.precision == Precision::tfloat32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
    cublasLtMatmulDesc_t made = nullptr;
    CUBLAS_CHECK(cublasLtMatmulDescCreate(&made, compute, CUDA_R_32F));
    product.reset(made);
    cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
    if (shape.bias && shape.relu) {
        epilogue = CUBLASLT_EPILOGUE_RELU_BIAS;
    } else if (shape.bias) {
        epilogue = CUBLASLT_EPILOGUE_BIAS;
    } else if (shape.relu) {
        epilogue = CUBLASLT_EPILOGUE_RELU;
    }
    set(product, CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue);

    w = layoutOf(element, shape.inner, shape.columns, pitchOr(shape.wPitch, shape.columns),
                 shape.count, shape.wDistance);
    x = layoutOf(element, shape.rows, shape.inner, pitchOr(shape.xPitch, shape.inner), shape.count,
                 shape.xDistance);
    y = layoutOf(output, shape.rows, shape.columns, pitchOr(shape.yPitch, shape.columns),
                 shape.count, shape.yDistance);
}

Product::Product(Context& context, const ProductShape& shape, std::size_t largestWorkspace)
    : shape_(shape), ready_(std::make_unique<Ready>(shape)) {
    const auto found = context.algorithms.find(shape.name());
    if (found != context.algorithms.end()) {
        try {
            const auto algorithm =
                std::bit_cast<cublasLtMatmulAlgo_t>(algorithmFrom(found->second));
            cublasLtMatmulHeuristicResult_t result{};
            const cublasStatus_t status = cublasLtMatmulAlgoCheck(
                context.blas.get(), ready_->product.get(), ready_->w.get(), ready_->x.get(),
                ready_->y.get(), ready_->y.get(), &algorithm, &result);
            if (status == CUBLAS_STATUS_SUCCESS && result.workspaceSize <= largestWorkspace) {
                ready_->algorithm = algorithm;
                workspaceBytes_ = result.workspaceSize;
                return;
            }
        } catch (const FormatError&) {  // measured anew, and replaced
        }
    }
    measure(context, largestWorkspace);
}

Product::Product(Product&&) noexcept = default;
Product& Product::operator=(Product&&) noexcept = default;
Product::~Product() = default;

void Product::measure(Context& context, std::size_t largestWorkspace) {
    cublasLtMatmulPreference_t made = nullptr;
    CUBLAS_CHECK(cublasLtMatmulPreferenceCreate(&made));
    const BlasPreference preference(made);
    set(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
        static_cast<std::uint64_t>(largestWorkspace));
    set(preference, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK,
        static_cast<std::uint32_t>(CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE));
    for (const auto name :
         {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES,
          CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES}) {
        set(preference, name, kPointerAlignment);
    }

    const std::size_t bytes = bytesOf(storageOf(shape_.precision));
    const PooledMemory x =
        zeros(context, bytes * valuesOf(shape_.rows, pitchOr(shape_.xPitch, shape_.inner),
                                        shape_.inner, shape_.count, shape_.xDistance));
    const PooledMemory w =
        zeros(context, bytes * valuesOf(shape_.inner, pitchOr(shape_.wPitch, shape_.columns),
                                        shape_.columns, shape_.count, shape_.wDistance));
    const PooledMemory y =
        zeros(context, sizeof(float) * valuesOf(shape_.rows, pitchOr(shape_.yPitch, shape_.columns),
                                                shape_.columns, shape_.count, shape_.yDistance));
    const PooledMemory bias =
        zeros(context, sizeof(float) * static_cast<std::size_t>(shape_.columns));

    std::vector<cublasLtMatmulHeuristicResult_t> results(kProposals);
    int found = 0;
    const cublasStatus_t status = cublasLtMatmulAlgoGetHeuristic(
        context.blas.get(), ready_->product.get(), ready_->w.get(), ready_->x.get(),
        ready_->y.get(), ready_->y.get(), preference.get(), kProposals, results.data(), &found);
    if (status != CUBLAS_STATUS_NOT_SUPPORTED) CUBLAS_CHECK(cublasStatus_t{status});
    results.resize(static_cast<std::size_t>(found));
    std::erase_if(results,
                  [](const auto& result) { return result.state != CUBLAS_STATUS_SUCCESS; });

    const std::optional<std::size_t> best = fastest(results.size(), kMeasured, [&](std::size_t i) {
        const PooledMemory workspace =
            context.memory.allocate(results[i].workspaceSize, context.stream);
        return millisecondsOf(context.stream, [&] {
            run(context, context.stream, &results[i].algo, results[i].workspaceSize,
                {x.data(), w.data(), bias.data(), y.data(), workspace.data()});
        });
    });
    if (!best) {
        throw DeviceError({"cuBLASLt", shape_.name(), "no algorithm runs this product on this GPU",
                           "Use another --precision, or --backend cpu."});
    }
    ready_->algorithm = results[*best].algo;
    workspaceBytes_ = results[*best].workspaceSize;
    context.algorithms[shape_.name()] = toText(std::bit_cast<AlgorithmBytes>(results[*best].algo));
}

void Product::run(Context& context, Stream stream, const void* algorithm,
                  std::size_t workspaceBytes, const ProductArguments& arguments) const {
    const float one = 1.0F;
    const float beta = shape_.accumulate ? 1.0F : 0.0F;
    if (shape_.bias) {
        set(ready_->product, CUBLASLT_MATMUL_DESC_BIAS_POINTER, arguments.bias);
    }
    CUBLAS_CHECK(cublasLtMatmul(context.blas.get(), ready_->product.get(), &one, arguments.w,
                                ready_->w.get(), arguments.x, ready_->x.get(), &beta, arguments.y,
                                ready_->y.get(), arguments.y, ready_->y.get(),
                                static_cast<const cublasLtMatmulAlgo_t*>(algorithm),
                                arguments.workspace, workspaceBytes, stream));
}

void Product::enqueue(Context& context, Stream stream, const ProductArguments& arguments) const {
    run(context, stream, &ready_->algorithm, workspaceBytes_, arguments);
}

}  // namespace threefold::cuda::library
