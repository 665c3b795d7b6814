#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cuda/kernels/element.h"
#include "cuda/library/context.h"

namespace threefold::cuda::library {

/// Padding before and after each of height and width.
struct Padding {
    int before = 0;
    int after = 0;

    bool operator==(const Padding&) const = default;
};

/// TensorFlow's SAME (METHOD.md §4): the output's side is ⌈side / stride⌉, what does not divide by
/// two goes behind.
Padding samePadding(int side, int kernel, int stride);

/// One convolution with bias and ReLU of a fixed size: what an engine is chosen for.
struct ConvolutionShape {
    int images = 1;
    int side = 224;
    int in = 8;  ///< channels as they lie in memory
    int out = 16;
    int kernel = 3;
    int stride = 1;
    /// float32 is strict: no engine that rounds operands or transforms them.
    Precision precision = Precision::float16;

    bool operator==(const ConvolutionShape&) const = default;

    int outputSide() const { return (side + stride - 1) / stride; }
    std::size_t inputValues() const;
    std::size_t outputValues() const;
    /// "convolution 3 images 224 16>32 3/2 float16": key of its algorithm in a plan.
    std::string name() const;
};

/// Engines differ in whether they take a padding that is not the same on both sides. The filter
/// with a row of zeros above and a column of zeros on the left needs one row and column more of
/// padding in front, which makes the padding the same all round, and gives the same sums.
enum class FilterForm { asIs, widened };

/// Side of the filter and padding in either form. Widening changes nothing where the padding
/// already is the same on both sides.
struct FilterGeometry {
    int kernel = 3;
    Padding padding;

    bool operator==(const FilterGeometry&) const = default;
};
FilterGeometry filterGeometry(const ConvolutionShape& shape, FilterForm form);

/// (out, in, kernel, kernel), as models hold filters, to the (out, kernel, kernel, channels) that
/// cuDNN wants beside channels-innermost images; rows and columns of zeros as `form` says, channels
/// beyond `in` zero. The result is float32. Throws InputError where the count does not fit.
std::vector<float> packFilter(std::span<const float> values, int in, const ConvolutionShape& shape,
                              FilterForm form);

/// Which engine of cuDNN runs a convolution, and how it is set.
struct EngineChoice {
    FilterForm form = FilterForm::asIs;
    std::int64_t engine = 0;                                   ///< global index
    std::vector<std::pair<std::int64_t, std::int64_t>> knobs;  ///< type, value

    bool operator==(const EngineChoice&) const = default;
};
std::string toText(const EngineChoice& choice);  ///< "as-is engine 7 knobs 24=26"
/// Throws FormatError for anything that toText() does not write.
EngineChoice engineChoiceFrom(const std::string& text);

/// Device memory in which a convolution is run while engines are timed.
struct ConvolutionArguments {
    const void* input = nullptr;    ///< (images, side, side, in)
    const void* filter = nullptr;   ///< (out, kernel, kernel, in) as is
    const void* widened = nullptr;  ///< the same, widened; may be null where form() is asIs
    const float* bias = nullptr;    ///< (out)
    void* output = nullptr;         ///< (images, outputSide, outputSide, out)
    std::byte* workspace = nullptr;
};

/// A convolution with a chosen engine, ready to run (cuDNN 9, graph API: convolution, bias and ReLU
/// in one operation graph). Sums in float32.
class Convolution {
  public:
    /// The engine named in context.algorithms, or else the fastest of those that cuDNN proposes,
    /// measured here and put there. `largestWorkspace`: engines that want more are left out.
    /// Throws DeviceError where no engine runs it.
    Convolution(Context& context, const ConvolutionShape& shape,
                std::size_t largestWorkspace = std::size_t{64} << 20);
    Convolution(Convolution&&) noexcept;
    Convolution& operator=(Convolution&&) noexcept;
    ~Convolution();

    const ConvolutionShape& shape() const { return shape_; }
    const EngineChoice& choice() const { return choice_; }
    FilterForm form() const { return choice_.form; }
    std::size_t workspaceBytes() const { return workspaceBytes_; }

    /// Only enqueues: may be captured. All pointers in device memory, 16-byte aligned.
    void enqueue(Stream stream, const ConvolutionArguments& arguments) const;

  private:
    struct Ready;

    Context* context_;
    ConvolutionShape shape_;
    EngineChoice choice_;
    std::size_t workspaceBytes_ = 0;
    std::unique_ptr<Ready> ready_;
};

}  // namespace threefold::cuda::library
