#include "tests/cuda/simulation/rounding.h"

#include "cuda/kernels/element.h"
#include "cuda/portable/half.h"

namespace threefold::cuda::simulation {
namespace {

struct Unrounded {
    static float of(float value) { return value; }
};
struct Tfloat32 {
    static float of(float value) { return detail::floatOf(toTf32(value)); }
};
struct TruncatedTfloat32 {
    static float of(float value) { return detail::floatOf(detail::bitsOf(value) & 0xffffe000U); }
};
template <class T>
struct RoundedTo {
    static float of(float value) { return toFloat(fromFloat<T>(value)); }
};
template <class Once>
struct InTwoParts {
    static float of(float value) {
        const float high = Once::of(value);
        return high + Once::of(value - high);
    }
};

/// Calls `use` with the function object of `format`.
template <class Use>
auto withFormat(Format format, const Use& use) {
    switch (format) {
        case Format::tfloat32:
            return use(Tfloat32{});
        case Format::truncatedTfloat32:
            return use(TruncatedTfloat32{});
        case Format::bfloat16:
            return use(RoundedTo<Bfloat16>{});
        case Format::float16:
            return use(RoundedTo<Half>{});
        default:
            return use(Unrounded{});
    }
}

}  // namespace

float rounded(float value, Rounding rounding) {
    roundAll({&value, 1}, rounding);
    return value;
}

void roundAll(std::span<float> values, Rounding rounding) {
    withFormat(rounding.format, [&](auto once) {
        using Once = decltype(once);
        if (rounding.twoParts) {
            for (float& value : values) value = InTwoParts<Once>::of(value);
        } else {
            for (float& value : values) value = Once::of(value);
        }
    });
}

Format storedFormat(Precision precision) {
    switch (storageOf(precision)) {
        case ElementType::float32:
            return Format::float32;
        case ElementType::bfloat16:
            return Format::bfloat16;
        default:
            return Format::float16;
    }
}

Format operandFormat(Precision precision) {
    return precision == Precision::tfloat32 ? Format::tfloat32 : storedFormat(precision);
}

Format libraryOperandFormat(Precision precision, LibraryOperands operands) {
    const Format ours = operandFormat(precision);
    const bool truncates = ours == Format::tfloat32 && operands == LibraryOperands::truncated;
    return truncates ? Format::truncatedTfloat32 : ours;
}

}  // namespace threefold::cuda::simulation
