#pragma once

#include <cstddef>
#include <memory>

#include "cuda/library/context.h"
#include "cuda/library/convolution_shape.h"

namespace threefold::cuda::library {

/// Everything in device memory, 16-byte aligned, of storageOf(precision).
struct ConvolutionArguments {
    const void* input = nullptr;   ///< (images, side, side, in)
    const void* filter = nullptr;  ///< packFilter() of the convolution's form
    const void* bias = nullptr;    ///< (out)
    void* output = nullptr;        ///< (images, outputSide, outputSide, out)
    std::byte* workspace = nullptr;
};

/// A convolution with bias and ReLU and a chosen engine, ready to run: cuDNN 9's graph API. Sums
/// are float32; the same input gives the same bits.
class Convolution {
  public:
    /// The plan in context.algorithms, or else the fastest of those that cuDNN proposes, measured
    /// here (see isWorthTiming) and put there. `largestWorkspace`: engines that need more are left
    /// out. Throws DeviceError if no engine runs it, OutOfDeviceMemory, DeviceLost.
    Convolution(Context& context, const ConvolutionShape& shape,
                std::size_t largestWorkspace = std::size_t{64} << 20);

    const ConvolutionShape& shape() const { return shape_; }
    FilterForm form() const { return form_; }
    std::size_t workspaceBytes() const { return workspaceBytes_; }

    /// Only enqueues: may be captured.
    void enqueue(Context& context, Stream stream, const ConvolutionArguments& arguments) const;

  private:
    ConvolutionShape shape_;
    FilterForm form_ = FilterForm::asIs;
    std::size_t workspaceBytes_ = 0;
    std::shared_ptr<const void> plan_;  ///< shared by layers of the same shape
};

}  // namespace threefold::cuda::library
