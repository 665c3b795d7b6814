#include "engine/network/onednn.h"

#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <new>
#include <unordered_map>
#include <utility>

#include <dnnl.hpp>
#include <fmt/format.h>
#include <sys/mman.h>

#include "engine/error.h"

namespace threefold::onednn {
namespace {

using Type = dnnl::memory::data_type;
using Tag = dnnl::memory::format_tag;
using Dims = dnnl::memory::dims;
using Desc = dnnl::memory::desc;

// The engine must outlive oneDNN's descriptors, which point to it without owning it. The engine is
// immutable.
const dnnl::engine& processor() {
    static const dnnl::engine engine = [] {
        // ONEDNN_VERBOSE in the environment would write lines into a command's standard output.
        dnnl::set_verbose(0);
        return dnnl::engine(dnnl::engine::kind::cpu, 0);
    }();
    return engine;
}

[[noreturn]] void rethrow(const dnnl::error& error, const std::string& operation) {
    if (error.status == dnnl_out_of_memory) throw std::bad_alloc();
    throw DeviceError({"oneDNN " + version(), operation, error.what(),
                       "Please report this, with the facts about this machine (`doctor`)."});
}

/// Throws std::bad_alloc if there is no address space for generated code: in that case oneDNN 2.6
/// would write through a null pointer.
void requireRoomForCode() {
    constexpr std::size_t kMaxBytes = std::size_t{16} << 20U;
    void* const room = ::mmap(nullptr, kMaxBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED) throw std::bad_alloc();
    ::munmap(room, kMaxBytes);
}

Type typeOf(Precision precision) {
    return precision == Precision::bfloat16 ? Type::bf16 : Type::f32;
}

dnnl::primitive_attr attributes(bool relu) {
    dnnl::post_ops operations;
    if (relu) {
#if DNNL_VERSION_MAJOR >= 3
        operations.append_eltwise(dnnl::algorithm::eltwise_relu, 0.0F, 0.0F);
#else
        operations.append_eltwise(1.0F, dnnl::algorithm::eltwise_relu, 0.0F, 0.0F);
#endif
    }
    dnnl::primitive_attr attr;
    attr.set_post_ops(operations);
    attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    return attr;
}

/// Descriptor of y (rows, columns) = x (rows, inner) · w (inner, columns) + b.
dnnl::inner_product_forward::primitive_desc productDesc(Product::Shape shape, Type xType,
                                                        Type wType,
                                                        const dnnl::primitive_attr& attr) {
    const auto rows = static_cast<dnnl_dim_t>(shape.rows);
    const auto inner = static_cast<dnnl_dim_t>(shape.inner);
    const auto outer = static_cast<dnnl_dim_t>(shape.columns);
    const Desc x({rows, inner}, xType, Tag::ab);
    const Desc w({outer, inner}, wType, Tag::any);
    const Desc b({outer}, Type::f32, Tag::a);
    const Desc y({rows, outer}, Type::f32, Tag::ab);
#if DNNL_VERSION_MAJOR >= 3
    return {processor(), dnnl::prop_kind::forward_inference, x, w, b, y, attr};
#else
    return {{dnnl::prop_kind::forward_inference, x, w, b, y}, attr, processor()};
#endif
}

/// Weights quantised to −127…127, with a step per column.
struct ByteWeights {
    std::vector<std::int8_t> values;
    std::vector<float> steps;
};

ByteWeights roundToBytes(std::span<const float> weights, std::size_t outer) {
    constexpr float kMaxMagnitude = 127.0F;
    ByteWeights bytes{{}, std::vector<float>(outer, 0.0F)};
    for (std::size_t i = 0; i < weights.size(); ++i) {
        float& step = bytes.steps[i % outer];
        step = std::max(step, std::abs(weights[i]) / kMaxMagnitude);
    }
    for (float& step : bytes.steps) {
        if (step == 0.0F) step = 1.0F;
    }
    for (std::size_t i = 0; i < weights.size(); ++i)
        bytes.values.push_back(
            static_cast<std::int8_t>(std::lround(weights[i] / bytes.steps[i % outer])));
    return bytes;
}

dnnl::convolution_forward::primitive_desc convolutionDesc(const Desc& x, const Desc& w,
                                                          const Desc& b, const Desc& y, int stride,
                                                          int padBefore, int padAfter) {
    const Dims strides = {stride, stride};
    const Dims before = {padBefore, padBefore};
    const Dims after = {padAfter, padAfter};
    const auto attr = attributes(true);
    const auto direct = dnnl::algorithm::convolution_direct;
#if DNNL_VERSION_MAJOR >= 3
    return {
        processor(), dnnl::prop_kind::forward_inference, direct, x, w, b, y, strides, before, after,
        attr};
#else
    return {{dnnl::prop_kind::forward_inference, direct, x, w, b, y, strides, before, after},
            attr,
            processor()};
#endif
}

dnnl::memory repack(dnnl::memory source, const Desc& layout) {
    dnnl::stream stream(processor());
    dnnl::memory packed(layout, processor());
    requireRoomForCode();
    dnnl::reorder(source, packed).execute(stream, source, packed);
    stream.wait();
    return packed;
}

/// Copies `values` from the layout `plain` to the layout `packed`, which oneDNN's implementation
/// requires.
template <class Value>
dnnl::memory pack(std::span<const Value> values, const Desc& plain, const Desc& packed) {
    // oneDNN takes no pointer to const; a reorder only reads its source.
    return repack({plain, processor(), const_cast<Value*>(values.data())}, packed);
}

/// One operation with its packed weights.
struct Layer {
    template <class Operation>
    void make(const typename Operation::primitive_desc& desc) {
        requireRoomForCode();
        operation = Operation(desc);
        source = desc.src_desc();
        target = desc.dst_desc();
        scratchpad = desc.scratchpad_desc();
    }

    void run(const void* x, void* y, const dnnl::memory& scratch, const char* name) const {
        const dnnl::engine& engine = processor();
        dnnl::stream stream(engine);
        const dnnl::memory input(source, engine, const_cast<void*>(x));
        const dnnl::memory output(target, engine, y);
        try {
            std::unordered_map<int, dnnl::memory> arguments = {{DNNL_ARG_SRC, input},
                                                               {DNNL_ARG_WEIGHTS, weights},
                                                               {DNNL_ARG_BIAS, bias},
                                                               {DNNL_ARG_DST, output},
                                                               {DNNL_ARG_SCRATCHPAD, scratch}};
#if DNNL_VERSION_MAJOR >= 3
            if (scales) arguments.emplace(DNNL_ARG_ATTR_SCALES | DNNL_ARG_WEIGHTS, scales);
#endif
            operation.execute(stream, arguments);
            stream.wait();
        } catch (const dnnl::error& error) {
            rethrow(error, name);
        }
    }

    dnnl::primitive operation;
    Desc source;
    Desc target;
    Desc scratchpad;
    dnnl::memory weights;
    dnnl::memory bias;
    dnnl::memory scales;  ///< quantisation scales of the columns of 8-bit weights
};

}  // namespace

std::string version() {
    const dnnl::version_t* v = dnnl::version();
    return fmt::format("{}.{}.{}", v->major, v->minor, v->patch);
}

std::string instructions() {
    using Isa = dnnl::cpu_isa;
    constexpr std::pair<Isa, const char*> kNames[] = {{Isa::sse41, "SSE4.1"},
                                                      {Isa::avx, "AVX"},
                                                      {Isa::avx2, "AVX2"},
                                                      {Isa::avx512_core, "AVX-512"},
                                                      {Isa::avx512_core_vnni, "AVX-512 VNNI"},
                                                      {Isa::avx512_core_bf16, "AVX-512 BF16"}};
    const auto* found = std::ranges::find(kNames, dnnl::get_effective_cpu_isa(),
                                          &std::pair<Isa, const char*>::first);
    return found != std::end(kNames) ? found->second
                                     : "an instruction set that this version cannot name";
}

ThreadLimit::ThreadLimit(int threads) : previous_(omp_get_max_threads()) {
    if (threads > 0) omp_set_num_threads(threads);
}

ThreadLimit::~ThreadLimit() {
    omp_set_num_threads(previous_);
}

struct Product::State : Layer {};

Product::Product(Shape shape, Precision precision, std::span<const float> weights,
                 std::span<const float> bias, bool relu)
    : shape_(shape), state_(std::make_shared<State>()) {
    // oneDNN chooses blocking and partitioning at construction, for the current thread limit.
    const ThreadLimit single(1);
    const auto inner = static_cast<dnnl_dim_t>(shape.inner);
    const auto outer = static_cast<dnnl_dim_t>(shape.columns);
    try {
        // oneDNN names the axes (outer, inner); 'ba' is (inner, outer) in memory.
        if (precision == Precision::int8) {
            const ByteWeights bytes = roundToBytes(weights, shape.columns);
            dnnl::primitive_attr attr = attributes(relu);
#if DNNL_VERSION_MAJOR >= 3
            attr.set_scales_mask(DNNL_ARG_WEIGHTS, 1);
            const Desc s({outer}, Type::f32, Tag::a);
            state_->scales = pack(std::span(bytes.steps), s, s);
#else
            attr.set_output_scales(2, bytes.steps);
#endif
            const auto desc = productDesc(shape, Type::u8, Type::s8, attr);
            state_->make<dnnl::inner_product_forward>(desc);
            state_->weights = pack(std::span(bytes.values), Desc({outer, inner}, Type::s8, Tag::ba),
                                   desc.weights_desc());
        } else {
            const Type type = typeOf(precision);
            const auto desc = productDesc(shape, type, type, attributes(relu));
            state_->make<dnnl::inner_product_forward>(desc);
            state_->weights =
                pack(weights, Desc({outer, inner}, Type::f32, Tag::ba), desc.weights_desc());
        }
        const std::vector<float> zeros(bias.empty() ? shape.columns : 0, 0.0F);
        const Desc b({outer}, Type::f32, Tag::a);
        state_->bias = pack(bias.empty() ? std::span<const float>(zeros) : bias, b, b);
        // oneDNN generates a matrix product's code at its first run, not at construction. So the
        // product runs here once, after the check for room, rather than first on the network's
        // threads.
        requireRoomForCode();
        const std::vector<float> x(shape.rows * shape.inner, 0.0F);
        std::vector<float> y(shape.rows * shape.columns);
        std::vector<std::byte> scratch(scratchBytes());
        run(x.data(), y.data(), scratch.data());
    } catch (const dnnl::error& error) {
        rethrow(error, fmt::format("product {} × {} × {}", shape.rows, inner, outer));
    }
}

std::size_t Product::scratchBytes() const {
    return state_->scratchpad.get_size();
}

void Product::run(const void* x, float* y, std::byte* scratch) const {
    state_->run(x, y, {state_->scratchpad, processor(), scratch}, "product");
}

std::vector<double> productSeconds(Product::Shape shape, int repeats) {
    using Clock = std::chrono::steady_clock;
    try {
        const auto desc = productDesc(shape, Type::f32, Type::f32, attributes(false));
        requireRoomForCode();
        const dnnl::inner_product_forward primitive(desc);
        const auto filled = [](const Desc& d) {
            dnnl::memory memory(d, processor());
            const std::size_t count = d.get_size() / sizeof(float);
            std::fill_n(static_cast<float*>(memory.get_data_handle()), count, 0.5F);
            return memory;
        };
        const std::unordered_map<int, dnnl::memory> arguments = {
            {DNNL_ARG_SRC, filled(desc.src_desc())},
            {DNNL_ARG_WEIGHTS, filled(desc.weights_desc())},
            {DNNL_ARG_BIAS, filled(desc.bias_desc())},
            {DNNL_ARG_DST, filled(desc.dst_desc())},
            {DNNL_ARG_SCRATCHPAD, dnnl::memory(desc.scratchpad_desc(), processor())}};
        dnnl::stream stream(processor());
        std::vector<double> seconds;
        for (int i = 0; i <= repeats; ++i) {
            const auto begin = Clock::now();
            primitive.execute(stream, arguments);
            stream.wait();
            if (i > 0)
                seconds.push_back(std::chrono::duration<double>(Clock::now() - begin).count());
        }
        return seconds;
    } catch (const dnnl::error& error) {
        rethrow(error, "timed product");
    }
}

struct Convolution::State : Layer {
    State(const ConvolutionSpec& layer, int inputSide, std::size_t viewCount, Type mapType)
        : spec(layer), side(inputSide), views(viewCount), type(mapType) {}

    /// Creates the operation; returns the layout of its weights.
    Desc make() {
        const auto batch = static_cast<dnnl_dim_t>(views);
        // TensorFlow's SAME: the odd pixel of padding goes at the end (METHOD.md §4).
        const int padding = spec.stride == 1 ? spec.kernelSize - 1 : spec.kernelSize - 2;
        const int before = padding / 2;
        const auto desc = convolutionDesc(
            Desc({batch, spec.inChannels, side, side}, type, Tag::nhwc),
            Desc({spec.outChannels, spec.inChannels, spec.kernelSize, spec.kernelSize}, type,
                 Tag::any),
            Desc({spec.outChannels}, Type::f32, Tag::a),
            Desc({batch, spec.outChannels, outputSide(), outputSide()}, type, Tag::nhwc),
            spec.stride, before, padding - before);
        Layer::make<dnnl::convolution_forward>(desc);
        scratch = dnnl::memory(scratchpad, processor());
        return desc.weights_desc();
    }

    int outputSide() const { return side / spec.stride; }

    ConvolutionSpec spec;
    int side;
    std::size_t views;
    Type type;  ///< type of maps and weights
    dnnl::memory scratch;
};

Convolution::Convolution(const ConvolutionSpec& spec, int side, std::size_t views,
                         Precision precision, std::span<const float> weights,
                         std::span<const float> bias)
    : state_(std::make_unique<State>(spec, side, views, typeOf(precision))) {
    try {
        const Desc b({spec.outChannels}, Type::f32, Tag::a);
        state_->bias = pack(bias, b, b);
        const Desc w({spec.outChannels, spec.inChannels, spec.kernelSize, spec.kernelSize},
                     Type::f32, Tag::oihw);
        state_->weights = pack(weights, w, state_->make());
    } catch (const dnnl::error& error) {
        rethrow(error, fmt::format("convolution {} → {}", spec.inChannels, spec.outChannels));
    }
}

Convolution::Convolution(const Convolution& other, std::size_t views)
    : state_(std::make_unique<State>(other.state_->spec, other.state_->side, views,
                                     other.state_->type)) {
    try {
        state_->bias = other.state_->bias;
        const Desc layout = state_->make();
        const dnnl::memory& packed = other.state_->weights;
        state_->weights = packed.get_desc() == layout ? packed : repack(packed, layout);
    } catch (const dnnl::error& error) {
        rethrow(error, fmt::format("convolution for {} views", views));
    }
}

Convolution::~Convolution() = default;
Convolution::Convolution(Convolution&&) noexcept = default;
Convolution& Convolution::operator=(Convolution&&) noexcept = default;

int Convolution::outputSide() const {
    return state_->outputSide();
}

std::size_t Convolution::outputCount() const {
    const auto side = static_cast<std::size_t>(outputSide());
    return state_->views * side * side * static_cast<std::size_t>(state_->spec.outChannels);
}

void Convolution::run(const void* x, void* y) const {
    state_->run(x, y, state_->scratch, "convolution");
}

}  // namespace threefold::onednn
