#include "cuda/library/convolution_graph.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <span>

#include "cuda/kernels/element.h"
#include "cuda/runtime/check.h"

namespace threefold::cuda::library {
namespace {

// Tensors are aligned for 16-byte vector loads.
constexpr std::int64_t kAlignment = 16;

/// Tensor ids in the graph and in variant packs.
enum TensorId : std::int64_t { kInput = 1, kFilter, kBias, kOutput, kSums, kBiased };

DnnDescriptor make(cudnnBackendDescriptorType_t type) {
    cudnnBackendDescriptor_t descriptor = nullptr;
    CUDNN_CHECK(cudnnBackendCreateDescriptor(type, &descriptor));
    return DnnDescriptor(descriptor);
}

void finalize(const DnnDescriptor& descriptor) {
    CUDNN_CHECK(cudnnBackendFinalize(descriptor.get()));
}

template <class T>
void set(const DnnDescriptor& descriptor, cudnnBackendAttributeName_t name,
         cudnnBackendAttributeType_t type, std::span<const T> values) {
    CUDNN_CHECK(cudnnBackendSetAttribute(descriptor.get(), name, type,
                                         static_cast<std::int64_t>(values.size()), values.data()));
}

template <class T>
void set(const DnnDescriptor& descriptor, cudnnBackendAttributeName_t name,
         cudnnBackendAttributeType_t type, const T& value) {
    set(descriptor, name, type, std::span<const T>(&value, 1));
}

void setNumbers(const DnnDescriptor& descriptor, cudnnBackendAttributeName_t name,
                std::initializer_list<std::int64_t> values) {
    set(descriptor, name, CUDNN_TYPE_INT64,
        std::span<const std::int64_t>(values.begin(), values.size()));
}

void setDescriptor(const DnnDescriptor& descriptor, cudnnBackendAttributeName_t name,
                   const DnnDescriptor& value) {
    set<cudnnBackendDescriptor_t>(descriptor, name, CUDNN_TYPE_BACKEND_DESCRIPTOR, value.get());
}

/// Reads up to `capacity` values; returns the number available.
std::int64_t get(const DnnDescriptor& descriptor, cudnnBackendAttributeName_t name,
                 cudnnBackendAttributeType_t type, std::int64_t capacity, void* values) {
    std::int64_t count = 0;
    CUDNN_CHECK(cudnnBackendGetAttribute(descriptor.get(), name, type, capacity, &count, values));
    return count;
}

std::int64_t getNumber(const DnnDescriptor& descriptor, cudnnBackendAttributeName_t name) {
    std::int64_t value = 0;
    get(descriptor, name, CUDNN_TYPE_INT64, 1, &value);
    return value;
}

/// Reads descriptors, by handing cuDNN empty descriptors to fill.
std::vector<DnnDescriptor> getDescriptors(const DnnDescriptor& descriptor,
                                          cudnnBackendAttributeName_t name,
                                          cudnnBackendDescriptorType_t type,
                                          std::int64_t capacity) {
    std::vector<DnnDescriptor> owned;
    std::vector<cudnnBackendDescriptor_t> raw;
    for (std::int64_t i = 0; i < capacity; ++i) {
        owned.push_back(make(type));
        raw.push_back(owned.back().get());
    }
    const std::int64_t count =
        get(descriptor, name, CUDNN_TYPE_BACKEND_DESCRIPTOR, capacity, raw.data());
    owned.resize(static_cast<std::size_t>(std::min(count, capacity)));
    return owned;
}

cudnnDataType_t dataType(Precision precision) {
    switch (storageOf(precision)) {
        case ElementType::float32:
            return CUDNN_DATA_FLOAT;
        case ElementType::bfloat16:
            return CUDNN_DATA_BFLOAT16;
        case ElementType::float16:
            break;
    }
    return CUDNN_DATA_HALF;
}

/// Virtual tensors are cuDNN's intermediate values, which are not written to memory.
constexpr bool kVirtual = true;

/// (images, channels, side, side) as cuDNN counts dimensions, channels innermost in memory.
DnnDescriptor tensor(TensorId id, cudnnDataType_t type, int images, int channels, int side,
                     bool isVirtual = false) {
    const std::int64_t c = channels;
    const std::int64_t s = side;
    DnnDescriptor descriptor = make(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
    set(descriptor, CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, type);
    setNumbers(descriptor, CUDNN_ATTR_TENSOR_DIMENSIONS, {images, c, s, s});
    setNumbers(descriptor, CUDNN_ATTR_TENSOR_STRIDES, {c * s * s, 1, c * s, c});
    setNumbers(descriptor, CUDNN_ATTR_TENSOR_UNIQUE_ID, {id});
    setNumbers(descriptor, CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, {kAlignment});
    set(descriptor, CUDNN_ATTR_TENSOR_IS_VIRTUAL, CUDNN_TYPE_BOOLEAN, isVirtual);
    finalize(descriptor);
    return descriptor;
}

DnnDescriptor pointwise(cudnnPointwiseMode_t mode) {
    DnnDescriptor descriptor = make(CUDNN_BACKEND_POINTWISE_DESCRIPTOR);
    set(descriptor, CUDNN_ATTR_POINTWISE_MODE, CUDNN_TYPE_POINTWISE_MODE, mode);
    set(descriptor, CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_TYPE_DATA_TYPE, CUDNN_DATA_FLOAT);
    finalize(descriptor);
    return descriptor;
}

DnnDescriptor convolution(const ConvolutionShape& shape, const FilterGeometry& geometry) {
    DnnDescriptor descriptor = make(CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
    set(descriptor, CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, CUDNN_DATA_FLOAT);
    set(descriptor, CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_TYPE_CONVOLUTION_MODE,
        CUDNN_CROSS_CORRELATION);
    setNumbers(descriptor, CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, {2});
    setNumbers(descriptor, CUDNN_ATTR_CONVOLUTION_DILATIONS, {1, 1});
    setNumbers(descriptor, CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, {shape.stride, shape.stride});
    const auto [before, after] = geometry.padding;
    setNumbers(descriptor, CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, {before, before});
    setNumbers(descriptor, CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, {after, after});
    finalize(descriptor);
    return descriptor;
}

/// Whether a note marks results that vary between runs or are not exact products summed in float32.
bool isForbidden(cudnnBackendNumericalNote_t note, Precision precision) {
    switch (note) {
        case CUDNN_NUMERICAL_NOTE_TENSOR_CORE:
            return precision == Precision::float32;
        case CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS:
        case CUDNN_NUMERICAL_NOTE_REDUCED_PRECISION_REDUCTION:
        case CUDNN_NUMERICAL_NOTE_FFT:
        case CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC:
        case CUDNN_NUMERICAL_NOTE_WINOGRAD:
        case CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_4x4:
        case CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_6x6:
        case CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_13x13:
            return true;
        default:
            return false;
    }
}

/// Notes of cuDNN about an engine.
template <class Note>
std::vector<Note> engineNotes(const DnnDescriptor& engine, cudnnBackendAttributeName_t name,
                              cudnnBackendAttributeType_t type) {
    // A newer cuDNN than these headers may have more kinds of notes.
    std::vector<Note> notes(std::size_t{4} * CUDNN_NUMERICAL_NOTE_TYPE_COUNT);
    const std::int64_t count =
        get(engine, name, type, static_cast<std::int64_t>(notes.size()), notes.data());
    notes.resize(std::min(static_cast<std::size_t>(count), notes.size()));
    return notes;
}

bool isCompiled(const DnnDescriptor& engine) {
    const auto notes = engineNotes<cudnnBackendBehaviorNote_t>(
        engine, CUDNN_ATTR_ENGINE_BEHAVIOR_NOTE, CUDNN_TYPE_BEHAVIOR_NOTE);
    return std::ranges::count(notes, CUDNN_BEHAVIOR_NOTE_RUNTIME_COMPILATION) > 0;
}

/// Engine of a configuration. Null if cuDNN proposes an engine that is not available, such as a
/// runtime-compiled engine without a GPU.
DnnDescriptor engineDescriptor(const DnnDescriptor& config) {
    std::vector<DnnDescriptor> engines =
        getDescriptors(config, CUDNN_ATTR_ENGINECFG_ENGINE, CUDNN_BACKEND_ENGINE_DESCRIPTOR, 1);
    return engines.empty() ? DnnDescriptor() : std::move(engines.front());
}

/// sums = x ∗ w, with the parameters of `description`, made by convolution().
DnnDescriptor convolutionOperation(const DnnDescriptor& x, const DnnDescriptor& w,
                                   const DnnDescriptor& description, const DnnDescriptor& sums) {
    DnnDescriptor operation = make(CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR);
    setDescriptor(operation, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X, x);
    setDescriptor(operation, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W, w);
    setDescriptor(operation, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y, sums);
    setDescriptor(operation, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC, description);
    set(operation, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA, CUDNN_TYPE_FLOAT, 1.0F);
    set(operation, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA, CUDNN_TYPE_FLOAT, 0.0F);
    finalize(operation);
    return operation;
}

/// output = mode(input), or mode(input, operand) unless `operand` is null; `mode` is a pointwise()
/// descriptor.
DnnDescriptor pointwiseOperation(const DnnDescriptor& mode, const DnnDescriptor& input,
                                 const DnnDescriptor* operand, const DnnDescriptor& output) {
    DnnDescriptor operation = make(CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR);
    setDescriptor(operation, CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, mode);
    setDescriptor(operation, CUDNN_ATTR_OPERATION_POINTWISE_XDESC, input);
    if (operand) setDescriptor(operation, CUDNN_ATTR_OPERATION_POINTWISE_BDESC, *operand);
    setDescriptor(operation, CUDNN_ATTR_OPERATION_POINTWISE_YDESC, output);
    finalize(operation);
    return operation;
}

}  // namespace

bool isWorthTiming(const EngineChoice& choice, std::size_t proposalIndex, std::size_t workingCount,
                   double milliseconds) {
    constexpr std::size_t kMaxCompiledIndex = 6;
    constexpr double kMaxMilliseconds = 2000;
    if (workingCount == 0) return true;
    return milliseconds < kMaxMilliseconds &&
           (!choice.compiled || proposalIndex < kMaxCompiledIndex);
}

ConvolutionGraph::ConvolutionGraph(cudnnHandle_t handle, const ConvolutionShape& shape,
                                   FilterLayout layout, const std::string& deviceProperties)
    : handle_(handle), precision_(shape.precision) {
    if (!deviceProperties.empty()) {
        device_ = make(CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR);
        set(device_, CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION, CUDNN_TYPE_CHAR,
            std::span<const char>(deviceProperties));
        finalize(device_);
    }

    const FilterGeometry geometry = filterGeometry(shape, layout);
    const cudnnDataType_t type = dataType(shape.precision);
    const int side = shape.outputSide();
    const auto own = [this](DnnDescriptor descriptor) -> const DnnDescriptor& {
        return descriptors_.emplace_back(std::move(descriptor));
    };
    descriptors_.reserve(16);  // references to its elements are held below
    const DnnDescriptor& x = own(tensor(kInput, type, shape.images, shape.in, shape.side));
    const DnnDescriptor& w = own(tensor(kFilter, type, shape.out, shape.in, geometry.kernel));
    const DnnDescriptor& b = own(tensor(kBias, type, 1, shape.out, 1));
    const DnnDescriptor& sums =
        own(tensor(kSums, CUDNN_DATA_FLOAT, shape.images, shape.out, side, kVirtual));
    const DnnDescriptor& biased =
        own(tensor(kBiased, CUDNN_DATA_FLOAT, shape.images, shape.out, side, kVirtual));
    const DnnDescriptor& y = own(tensor(kOutput, type, shape.images, shape.out, side));

    const DnnDescriptor& convolve =
        own(convolutionOperation(x, w, own(convolution(shape, geometry)), sums));
    const DnnDescriptor& add =
        own(pointwiseOperation(own(pointwise(CUDNN_POINTWISE_ADD)), sums, &b, biased));
    const DnnDescriptor& rectify =
        own(pointwiseOperation(own(pointwise(CUDNN_POINTWISE_RELU_FWD)), biased, nullptr, y));

    graph_ = make(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
    const std::array<cudnnBackendDescriptor_t, 3> operations = {convolve.get(), add.get(),
                                                                rectify.get()};
    set(graph_, CUDNN_ATTR_OPERATIONGRAPH_OPS, CUDNN_TYPE_BACKEND_DESCRIPTOR,
        std::span<const cudnnBackendDescriptor_t>(operations));
    if (handle_ != nullptr)
        set(graph_, CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, handle_);
    finalize(graph_);
}

bool ConvolutionGraph::isAllowed(const DnnDescriptor& engine) const {
    const auto notes = engineNotes<cudnnBackendNumericalNote_t>(
        engine, CUDNN_ATTR_ENGINE_NUMERICAL_NOTE, CUDNN_TYPE_NUMERICAL_NOTE);
    return std::ranges::none_of(notes, [this](auto note) { return isForbidden(note, precision_); });
}

std::vector<DnnDescriptor> ConvolutionGraph::configs(cudnnBackendHeurMode_t mode) const {
    const DnnDescriptor heuristics = make(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
    setDescriptor(heuristics, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph_);
    set(heuristics, CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, mode);
    if (device_) setDescriptor(heuristics, CUDNN_ATTR_ENGINEHEUR_DEVICEPROP, device_);
    // One heuristic may have no result where another has.
    if (cudnnBackendFinalize(heuristics.get()) != CUDNN_STATUS_SUCCESS) return {};
    const std::int64_t maxCount =
        get(heuristics, CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_TYPE_BACKEND_DESCRIPTOR, 0, nullptr);
    return getDescriptors(heuristics, CUDNN_ATTR_ENGINEHEUR_RESULTS,
                          CUDNN_BACKEND_ENGINECFG_DESCRIPTOR, maxCount);
}

std::vector<EngineChoice> ConvolutionGraph::proposals() const {
    std::vector<EngineChoice> choices;
    for (const cudnnBackendHeurMode_t mode : {CUDNN_HEUR_MODE_A, CUDNN_HEUR_MODE_FALLBACK}) {
        for (const DnnDescriptor& config : configs(mode)) {
            const DnnDescriptor engine = engineDescriptor(config);
            if (!engine || !isAllowed(engine)) continue;
            EngineChoice choice;
            choice.engine = getNumber(engine, CUDNN_ATTR_ENGINE_GLOBAL_INDEX);
            choice.compiled = isCompiled(engine);
            for (const DnnDescriptor& knob :
                 getDescriptors(config, CUDNN_ATTR_ENGINECFG_KNOB_CHOICES,
                                CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR, CUDNN_KNOB_TYPE_COUNTS)) {
                cudnnBackendKnobType_t type{};
                get(knob, CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE, CUDNN_TYPE_KNOB_TYPE, 1, &type);
                choice.knobs.emplace_back(type, getNumber(knob, CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE));
            }
            choices.push_back(std::move(choice));
        }
    }
    return choices;
}

DnnDescriptor ConvolutionGraph::engine(std::int64_t index) const {
    DnnDescriptor descriptor = make(CUDNN_BACKEND_ENGINE_DESCRIPTOR);
    setDescriptor(descriptor, CUDNN_ATTR_ENGINE_OPERATION_GRAPH, graph_);
    setNumbers(descriptor, CUDNN_ATTR_ENGINE_GLOBAL_INDEX, {index});
    if (device_) setDescriptor(descriptor, CUDNN_ATTR_ENGINE_DEVICEPROP, device_);
    finalize(descriptor);
    return descriptor;
}

DnnDescriptor ConvolutionGraph::plan(const EngineChoice& choice) const {
    const DnnDescriptor chosen = engine(choice.engine);
    std::vector<DnnDescriptor> knobs;
    std::vector<cudnnBackendDescriptor_t> rawKnobs;
    for (const auto& [type, value] : choice.knobs) {
        const DnnDescriptor& knob = knobs.emplace_back(make(CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR));
        set(knob, CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE, CUDNN_TYPE_KNOB_TYPE,
            static_cast<cudnnBackendKnobType_t>(type));
        setNumbers(knob, CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE, {value});
        finalize(knob);
        rawKnobs.push_back(knob.get());
    }
    const DnnDescriptor config = make(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
    setDescriptor(config, CUDNN_ATTR_ENGINECFG_ENGINE, chosen);
    if (!rawKnobs.empty())
        set(config, CUDNN_ATTR_ENGINECFG_KNOB_CHOICES, CUDNN_TYPE_BACKEND_DESCRIPTOR,
            std::span<const cudnnBackendDescriptor_t>(rawKnobs));
    finalize(config);

    DnnDescriptor ready = emptyPlan();
    setDescriptor(ready, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, config);
    finalize(ready);
    return ready;
}

DnnDescriptor ConvolutionGraph::restore(const std::string& json) const {
    DnnDescriptor ready = emptyPlan();
    set(ready, CUDNN_ATTR_EXECUTION_PLAN_JSON_REPRESENTATION, CUDNN_TYPE_CHAR,
        std::span<const char>(json));
    finalize(ready);
    return ready;
}

DnnDescriptor ConvolutionGraph::emptyPlan() const {
    DnnDescriptor empty = make(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
    if (handle_ != nullptr)
        set(empty, CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE, handle_);
    if (device_) setDescriptor(empty, CUDNN_ATTR_EXECUTION_PLAN_DEVICEPROP, device_);
    return empty;
}

std::size_t workspaceBytes(const DnnDescriptor& plan) {
    return static_cast<std::size_t>(getNumber(plan, CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE));
}

std::string planJson(const DnnDescriptor& plan) {
    constexpr auto kName = CUDNN_ATTR_EXECUTION_PLAN_JSON_REPRESENTATION;
    std::string json(static_cast<std::size_t>(get(plan, kName, CUDNN_TYPE_CHAR, 0, nullptr)), ' ');
    get(plan, kName, CUDNN_TYPE_CHAR, static_cast<std::int64_t>(json.size()), json.data());
    while (json.ends_with('\0')) json.pop_back();
    return json;
}

DnnDescriptor variantPack(const void* input, const void* filter, const void* bias, void* output,
                          void* workspace) {
    DnnDescriptor pack = make(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
    setNumbers(pack, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, {kInput, kFilter, kBias, kOutput});
    // cuDNN takes all pointers as writable, and writes to the output and the workspace alone.
    const std::array<void*, 4> pointers = {const_cast<void*>(input), const_cast<void*>(filter),
                                           const_cast<void*>(bias), output};
    set(pack, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR,
        std::span<void* const>(pointers));
    set(pack, CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, workspace);
    finalize(pack);
    return pack;
}

}  // namespace threefold::cuda::library
