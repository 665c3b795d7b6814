#include "cuda/library/product.h"

#include <bit>
#include <charconv>
#include <vector>

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include "cuda/library/timing.h"
#include "cuda/runtime/check.h"

namespace threefold::cuda::library {
namespace {

constexpr int kProposals = 16;
constexpr std::size_t kMeasured = 8;
constexpr std::size_t kMaxWorkspaceBytes = std::size_t{32} << 20;
constexpr std::uint32_t kPointerAlignment = 16;
constexpr std::string_view kAlgorithmPrefix = "cublasLt ";
constexpr std::size_t kDigits = 16;  ///< hexadecimal digits of one number

static_assert(sizeof(cublasLtMatmulAlgo_t) == sizeof(AlgorithmBytes));

cudaDataType_t dataType(ElementType element) {
    switch (element) {
        case ElementType::float16:
            return CUDA_R_16F;
        case ElementType::bfloat16:
            return CUDA_R_16BF;
        case ElementType::float32:
            break;
    }
    return CUDA_R_32F;
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

/// Memory layout of one operand of a product or of a batch of products.
struct Operand {
    ElementType element = ElementType::float32;
    int rows = 0;
    int columns = 0;
    int pitch = 0;
    int count = 1;
    std::int64_t distance = 0;

    std::size_t bytes() const {
        return elementBytes(element) *
               (static_cast<std::size_t>(distance) * (count - 1U) +
                static_cast<std::size_t>(rows - 1) * static_cast<std::size_t>(pitch) +
                static_cast<std::size_t>(columns));
    }
};

struct Operands {
    Operand x;
    Operand w;
    Operand y;

    explicit Operands(const ProductShape& shape) {
        const ElementType element = storageOf(shape.precision);
        const auto operand = [&shape](ElementType type, int rows, int columns, int pitch,
                                      std::int64_t distance) {
            return Operand{type,        rows,    columns, pitch != 0 ? pitch : columns,
                           shape.count, distance};
        };
        x = operand(element, shape.rows, shape.inner, shape.xPitch, 0);
        w = operand(element, shape.inner, shape.columns, shape.wPitch, shape.wBatchStride);
        y = operand(shape.float32Output ? ElementType::float32 : element, shape.rows, shape.columns,
                    shape.yPitch, shape.yBatchStride);
    }
};

/// cuBLASLt is column-major: a row-major matrix is passed as its transpose, with rows and columns
/// swapped.
BlasLayout makeLayout(const Operand& operand) {
    auto layout = makeOwned<BlasLayout>([&](cublasLtMatrixLayout_t* descriptor) {
        CUBLAS_CHECK(cublasLtMatrixLayoutCreate(
            descriptor, dataType(operand.element), static_cast<std::uint64_t>(operand.columns),
            static_cast<std::uint64_t>(operand.rows), operand.pitch));
    });
    set(layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, static_cast<std::int32_t>(operand.count));
    set(layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, operand.distance);
    return layout;
}

}  // namespace

std::string ProductShape::name() const {
    std::string text =
        fmt::format("product {}x{}x{} {}", rows, inner, columns, precisionName(precision));
    if (float32Output) text += " to float32";
    if (accumulate) text += " accumulate";
    if (xPitch != 0 || wPitch != 0 || yPitch != 0)
        text += fmt::format(" pitch {}/{}/{}", xPitch, wPitch, yPitch);
    if (count != 1) text += fmt::format(" times {} at {}/{}", count, wBatchStride, yBatchStride);
    return text;
}

std::string toText(const AlgorithmBytes& algorithm) {
    std::string text(kAlgorithmPrefix);
    for (const std::uint64_t number : algorithm) text += fmt::format("{:016x}", number);
    return text;
}

std::optional<AlgorithmBytes> algorithmFrom(std::string_view text) {
    AlgorithmBytes algorithm{};
    if (text.size() != toText(algorithm).size()) return std::nullopt;
    for (std::size_t i = 0; i < algorithm.size(); ++i) {
        const char* digits = text.data() + kAlgorithmPrefix.size() + i * kDigits;
        std::from_chars(digits, digits + kDigits, algorithm[i], 16);
    }
    return toText(algorithm) == text ? std::optional(algorithm) : std::nullopt;
}

struct Product::Plan {
    BlasProduct product;
    BlasLayout w;
    BlasLayout x;
    BlasLayout y;
    cublasLtMatmulAlgo_t algorithm{};

    explicit Plan(const ProductShape& shape) {
        const cublasComputeType_t type = shape.precision == Precision::tfloat32
                                             ? CUBLAS_COMPUTE_32F_FAST_TF32
                                             : CUBLAS_COMPUTE_32F;
        product = makeOwned<BlasProduct>([&](cublasLtMatmulDesc_t* descriptor) {
            CUBLAS_CHECK(cublasLtMatmulDescCreate(descriptor, type, CUDA_R_32F));
        });
        const Operands operands(shape);
        w = makeLayout(operands.w);
        x = makeLayout(operands.x);
        y = makeLayout(operands.y);
    }
};

Product::Product(Context& context, const ProductShape& shape)
    : shape_(shape), plan_(std::make_shared<Plan>(shape)) {
    const auto entry = context.algorithms.find(shape.name());
    const auto stored =
        entry != context.algorithms.end() ? algorithmFrom(entry->second) : std::nullopt;
    if (stored) {
        const auto algorithm = std::bit_cast<cublasLtMatmulAlgo_t>(*stored);
        cublasLtMatmulHeuristicResult_t result{};
        const cublasStatus_t status = cublasLtMatmulAlgoCheck(
            context.cublasLt.get(), plan_->product.get(), plan_->w.get(), plan_->x.get(),
            plan_->y.get(), plan_->y.get(), &algorithm, &result);
        if (status == CUBLAS_STATUS_SUCCESS && result.workspaceSize <= kMaxWorkspaceBytes) {
            plan_->algorithm = algorithm;
            workspaceBytes_ = result.workspaceSize;
            return;
        }
    }
    measure(context);
}

void Product::measure(Context& context) {
    const auto preference = makeOwned<BlasPreference>([](cublasLtMatmulPreference_t* descriptor) {
        CUBLAS_CHECK(cublasLtMatmulPreferenceCreate(descriptor));
    });
    set(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
        static_cast<std::uint64_t>(kMaxWorkspaceBytes));
    set(preference, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK,
        static_cast<std::uint32_t>(CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE));
    for (const auto name :
         {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES,
          CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES})
        set(preference, name, kPointerAlignment);

    const Operands operands(shape_);
    const PooledMemory x = context.zeros(operands.x.bytes());
    const PooledMemory w = context.zeros(operands.w.bytes());
    const PooledMemory y = context.zeros(operands.y.bytes());

    std::vector<cublasLtMatmulHeuristicResult_t> results(kProposals);
    int proposalCount = 0;
    const cublasStatus_t status = cublasLtMatmulAlgoGetHeuristic(
        context.cublasLt.get(), plan_->product.get(), plan_->w.get(), plan_->x.get(),
        plan_->y.get(), plan_->y.get(), preference.get(), kProposals, results.data(),
        &proposalCount);
    if (status != CUBLAS_STATUS_NOT_SUPPORTED) CUBLAS_CHECK(cublasStatus_t{status});
    results.resize(static_cast<std::size_t>(proposalCount));
    std::erase_if(results,
                  [](const auto& result) { return result.state != CUBLAS_STATUS_SUCCESS; });

    const std::optional<std::size_t> best =
        fastestIndex(results.size(), kMeasured, [&](std::size_t i) {
            const PooledMemory workspace =
                context.memory.allocate(results[i].workspaceSize, context.setupStream);
            return bestReplayMilliseconds(context.setupStream, [&] {
                run(context, context.setupStream, results[i].algo, results[i].workspaceSize,
                    {x.data(), w.data(), y.data(), workspace.data()});
            });
        });
    if (!best)
        throw DeviceError(
            {"cuBLASLt", shape_.name(), "no algorithm runs this product on this GPU",
             "Use another precision (`precision`), or the processor (`backend=cpu`)."});
    plan_->algorithm = results[*best].algo;
    workspaceBytes_ = results[*best].workspaceSize;
    context.algorithms[shape_.name()] = toText(std::bit_cast<AlgorithmBytes>(results[*best].algo));
}

void Product::run(Context& context, Stream stream, const cublasLtMatmulAlgo_t& algorithm,
                  std::size_t workspaceBytes, const ProductArguments& arguments) const {
    const float one = 1.0F;
    const float beta = shape_.accumulate ? 1.0F : 0.0F;
    CUBLAS_CHECK(cublasLtMatmul(context.cublasLt.get(), plan_->product.get(), &one, arguments.w,
                                plan_->w.get(), arguments.x, plan_->x.get(), &beta, arguments.y,
                                plan_->y.get(), arguments.y, plan_->y.get(), &algorithm,
                                arguments.workspace, workspaceBytes, stream));
}

void Product::enqueue(Context& context, Stream stream, const ProductArguments& arguments) const {
    run(context, stream, plan_->algorithm, workspaceBytes_, arguments);
}

}  // namespace threefold::cuda::library
