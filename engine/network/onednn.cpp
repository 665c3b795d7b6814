#include "engine/network/onednn.h"

#include <omp.h>

#include <algorithm>
#include <chrono>
#include <unordered_map>
#include <vector>

#include <dnnl.hpp>
#include <fmt/format.h>

#include "engine/error.h"

namespace threefold::onednn {
namespace {

using Type = dnnl::memory::data_type;
using Tag = dnnl::memory::format_tag;
using Dims = dnnl::memory::dims;
using Desc = dnnl::memory::desc;

// oneDNN's descriptions point to their engine without owning it, so it has to outlive them all; it
// has no state that changes.
const dnnl::engine& processor() {
    static const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
    return engine;
}

[[noreturn]] void rethrow(const dnnl::error& error, const std::string& what) {
    throw DeviceError({"oneDNN " + version(), what, error.what(),
                       "Please report this with the output of 'threefold doctor'."});
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

dnnl::inner_product_forward::primitive_desc productDesc(const Desc& x, const Desc& w, const Desc& b,
                                                        const Desc& y, bool relu) {
    const auto attr = attributes(relu);
#if DNNL_VERSION_MAJOR >= 3
    return {processor(), dnnl::prop_kind::forward_inference, x, w, b, y, attr};
#else
    return {{dnnl::prop_kind::forward_inference, x, w, b, y}, attr, processor()};
#endif
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

/// A copy of `values` in the layout that the chosen implementation wants.
dnnl::memory pack(std::span<const float> values, const Desc& plain, const Desc& wanted) {
    dnnl::stream stream(processor());
    // oneDNN takes no pointer to const; a reorder only reads its source.
    dnnl::memory source(plain, processor(), const_cast<float*>(values.data()));
    dnnl::memory packed(wanted, processor());
    dnnl::reorder(source, packed).execute(stream, source, packed);
    stream.wait();
    return packed;
}

dnnl::memory repack(dnnl::memory from, const Desc& wanted) {
    if (from.get_desc() == wanted) return from;
    dnnl::stream stream(processor());
    dnnl::memory packed(wanted, processor());
    dnnl::reorder(from, packed).execute(stream, from, packed);
    stream.wait();
    return packed;
}

}  // namespace

std::string version() {
    const dnnl::version_t* v = dnnl::version();
    return fmt::format("{}.{}.{}", v->major, v->minor, v->patch);
}

std::string instructions() {
    switch (dnnl::get_effective_cpu_isa()) {
        case dnnl::cpu_isa::sse41:
            return "SSE4.1";
        case dnnl::cpu_isa::avx:
            return "AVX";
        case dnnl::cpu_isa::avx2:
            return "AVX2";
        case dnnl::cpu_isa::avx512_core:
            return "AVX-512";
        case dnnl::cpu_isa::avx512_core_vnni:
            return "AVX-512 VNNI";
        case dnnl::cpu_isa::avx512_core_bf16:
            return "AVX-512 BF16";
        default:
            return "the newest instructions it knows";
    }
}

ThreadLimit::ThreadLimit(int threads) : before_(omp_get_max_threads()) {
    if (threads > 0) omp_set_num_threads(threads);
}

ThreadLimit::~ThreadLimit() {
    omp_set_num_threads(before_);
}

struct Product::State {
    dnnl::inner_product_forward::primitive_desc desc;
    dnnl::inner_product_forward primitive;
    dnnl::memory weights;
    dnnl::memory bias;
    std::size_t scratchBytes = 0;
};

Product::Product(Shape shape, Precision precision, std::span<const float> weights,
                 std::span<const float> bias, bool relu)
    : shape_(shape), state_(std::make_unique<State>()) {
    // Blocking and partitioning are chosen for the number of threads at construction.
    const ThreadLimit single(1);
    const auto rows = static_cast<dnnl_dim_t>(shape.rows);
    const auto inner = static_cast<dnnl_dim_t>(shape.inner);
    const auto outer = static_cast<dnnl_dim_t>(shape.outer);
    try {
        const Type type = precision == Precision::bfloat16 ? Type::bf16 : Type::f32;
        const Desc x({rows, inner}, type, Tag::ab);
        const Desc w({outer, inner}, type, Tag::any);
        const Desc b({outer}, Type::f32, Tag::a);
        const Desc y({rows, outer}, Type::f32, Tag::ab);
        state_->desc = productDesc(x, w, b, y, relu);
        state_->primitive = dnnl::inner_product_forward(state_->desc);
        // oneDNN names the axes (outer, inner); 'ba' is (inner, outer) in memory.
        state_->weights =
            pack(weights, Desc({outer, inner}, Type::f32, Tag::ba), state_->desc.weights_desc());
        const std::vector<float> none(bias.empty() ? shape.outer : 0, 0.0F);
        state_->bias = pack(bias.empty() ? std::span<const float>(none) : bias, b, b);
        state_->scratchBytes = state_->desc.scratchpad_desc().get_size();
    } catch (const dnnl::error& error) {
        rethrow(error, fmt::format("product {} × {} × {}", rows, inner, outer));
    }
}

Product::~Product() = default;
Product::Product(Product&&) noexcept = default;
Product& Product::operator=(Product&&) noexcept = default;

std::size_t Product::scratchBytes() const {
    return state_->scratchBytes;
}

void Product::run(const void* x, float* y, std::byte* scratch) const {
    const dnnl::engine& engine = processor();
    dnnl::stream stream(engine);
    const dnnl::memory from(state_->desc.src_desc(), engine, const_cast<void*>(x));
    const dnnl::memory to(state_->desc.dst_desc(), engine, y);
    const dnnl::memory space(state_->desc.scratchpad_desc(), engine, scratch);
    try {
        state_->primitive.execute(stream, {{DNNL_ARG_SRC, from},
                                           {DNNL_ARG_WEIGHTS, state_->weights},
                                           {DNNL_ARG_BIAS, state_->bias},
                                           {DNNL_ARG_DST, to},
                                           {DNNL_ARG_SCRATCHPAD, space}});
        stream.wait();
    } catch (const dnnl::error& error) {
        rethrow(error, "product");
    }
}

std::vector<double> timeProduct(Product::Shape shape, int repeats) {
    using Clock = std::chrono::steady_clock;
    const auto rows = static_cast<dnnl_dim_t>(shape.rows);
    const auto inner = static_cast<dnnl_dim_t>(shape.inner);
    const auto outer = static_cast<dnnl_dim_t>(shape.outer);
    try {
        const Desc x({rows, inner}, Type::f32, Tag::ab);
        const Desc w({outer, inner}, Type::f32, Tag::any);
        const Desc b({outer}, Type::f32, Tag::a);
        const Desc y({rows, outer}, Type::f32, Tag::ab);
        const auto desc = productDesc(x, w, b, y, false);
        const dnnl::inner_product_forward primitive(desc);
        const auto filled = [](const Desc& d) {
            dnnl::memory memory(d, processor());
            const std::size_t count = d.get_size() / sizeof(float);
            std::fill_n(static_cast<float*>(memory.get_data_handle()), count, 0.5F);
            return memory;
        };
        const std::unordered_map<int, dnnl::memory> arguments = {
            {DNNL_ARG_SRC, filled(x)},
            {DNNL_ARG_WEIGHTS, filled(desc.weights_desc())},
            {DNNL_ARG_BIAS, filled(b)},
            {DNNL_ARG_DST, filled(y)},
            {DNNL_ARG_SCRATCHPAD, dnnl::memory(desc.scratchpad_desc(), processor())}};
        dnnl::stream stream(processor());
        std::vector<double> seconds;
        for (int i = 0; i <= repeats; ++i) {
            const auto begin = Clock::now();
            primitive.execute(stream, arguments);
            stream.wait();
            if (i > 0) {
                seconds.push_back(std::chrono::duration<double>(Clock::now() - begin).count());
            }
        }
        return seconds;
    } catch (const dnnl::error& error) {
        rethrow(error, "timed product");
    }
}

struct Convolution::State {
    ConvolutionSpec spec;
    int side;
    std::size_t views;
    dnnl::convolution_forward::primitive_desc desc;
    dnnl::convolution_forward primitive;
    dnnl::memory weights;
    dnnl::memory bias;
    dnnl::memory scratch;

    int outputSide() const { return side / spec.stride; }

    void build() {
        const auto batch = static_cast<dnnl_dim_t>(views);
        const int out = outputSide();
        // TensorFlow's SAME: what is left over goes after (METHOD.md §4).
        const int padding = spec.stride == 1 ? spec.kernel - 1 : spec.kernel - 2;
        const int before = padding / 2;
        desc = convolutionDesc(
            Desc({batch, spec.in, side, side}, Type::f32, Tag::nhwc),
            Desc({spec.out, spec.in, spec.kernel, spec.kernel}, Type::f32, Tag::any),
            Desc({spec.out}, Type::f32, Tag::a),
            Desc({batch, spec.out, out, out}, Type::f32, Tag::nhwc), spec.stride, before,
            padding - before);
        primitive = dnnl::convolution_forward(desc);
        scratch = dnnl::memory(desc.scratchpad_desc(), processor());
    }
};

Convolution::Convolution(const ConvolutionSpec& spec, int side, std::size_t views,
                         std::span<const float> weights, std::span<const float> bias)
    : state_(new State{spec, side, views, {}, {}, {}, {}, {}}) {
    try {
        state_->build();
        state_->weights =
            pack(weights, Desc({spec.out, spec.in, spec.kernel, spec.kernel}, Type::f32, Tag::oihw),
                 state_->desc.weights_desc());
        const Desc b({spec.out}, Type::f32, Tag::a);
        state_->bias = pack(bias, b, b);
    } catch (const dnnl::error& error) {
        rethrow(error, fmt::format("convolution {} → {}", spec.in, spec.out));
    }
}

Convolution::Convolution(const Convolution& other, std::size_t views)
    : state_(new State{other.state_->spec, other.state_->side, views, {}, {}, {}, {}, {}}) {
    try {
        state_->build();
        state_->weights = repack(other.state_->weights, state_->desc.weights_desc());
        state_->bias = other.state_->bias;
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
    return state_->views * side * side * static_cast<std::size_t>(state_->spec.out);
}

void Convolution::run(const float* x, float* y) const {
    const dnnl::engine& engine = processor();
    dnnl::stream stream(engine);
    const dnnl::memory from(state_->desc.src_desc(), engine, const_cast<float*>(x));
    const dnnl::memory to(state_->desc.dst_desc(), engine, y);
    try {
        state_->primitive.execute(stream, {{DNNL_ARG_SRC, from},
                                           {DNNL_ARG_WEIGHTS, state_->weights},
                                           {DNNL_ARG_BIAS, state_->bias},
                                           {DNNL_ARG_DST, to},
                                           {DNNL_ARG_SCRATCHPAD, state_->scratch}});
        stream.wait();
    } catch (const dnnl::error& error) {
        rethrow(error, "convolution");
    }
}

}  // namespace threefold::onednn
