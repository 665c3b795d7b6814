#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "cuda/kernels/view.h"
#include "cuda/library/context.h"
#include "cuda/library/convolution_shape.h"
#include "engine/model/model.h"

namespace threefold::cuda::library {

/// Arguments in device memory, 16-byte aligned, of storageOf(precision).
struct ConvolutionArguments {
    const void* input = nullptr;   ///< (images, side, side, in)
    const void* filter = nullptr;  ///< packFilter() of the convolution's layout
    const void* bias = nullptr;    ///< (out)
    void* output = nullptr;        ///< (images, outputSide, outputSide, out)
    std::byte* workspace = nullptr;
};

/// A convolution with bias and ReLU in cuDNN 9's graph API, with a chosen engine, ready to run.
/// Sums are float32; the same input gives the same bits.
class Convolution {
  public:
    /// Takes the plan in context.algorithms; else times cuDNN's proposals (see isWorthTiming) and
    /// stores the fastest there. Skips engines that need more than 64 MiB. Throws DeviceError if no
    /// engine runs the convolution, OutOfDeviceMemory, DeviceLost.
    Convolution(Context& context, const ConvolutionShape& shape);

    const ConvolutionShape& shape() const { return shape_; }
    FilterLayout layout() const { return layout_; }
    std::size_t workspaceBytes() const { return workspaceBytes_; }

    /// Only enqueues: may be captured.
    void enqueue(Context& context, Stream stream, const ConvolutionArguments& arguments) const;

  private:
    ConvolutionShape shape_;
    FilterLayout layout_ = FilterLayout::original;
    std::size_t workspaceBytes_ = 0;
    std::shared_ptr<const DnnDescriptor> plan_;  ///< shared by layers of the same shape
};

/// Layers of CNN18 that a stage runs (METHOD.md §4). Stage 1: all 18 layers, taps 2 to 5; stage 2:
/// 8 layers, taps 0 to 2.
struct CnnStage {
    std::string prefix;  ///< "stage1.cnn", "stage2.cnn"
    std::size_t layers = 18;
    std::size_t firstTap = 0;
    std::size_t endTap = 6;  ///< one past the last tap
};
CnnStage stage1Cnn();
CnnStage stage2Cnn();

/// Channels of the first convolution's input images: three colours, the others zero. Also
/// launchPreprocess()'s `channels`.
inline constexpr int kImageChannels = 8;

/// Filters (in both forms, where they differ) and biases of all layers, rounded to
/// storageOf(precision), to be copied to device memory as they are, 256-byte aligned. They do not
/// depend on the number of images. Throws ModelError.
std::vector<std::byte> packCnn(const Model& model, const CnnStage& stage, Precision precision);

/// Convolutions of one stage by cuDNN for a fixed number of images; the fused path uses them too.
/// Maps are (images, side, side, channels) of storageOf(precision).
class Cnn {
  public:
    /// `images`: batch · views. Chooses and compiles engines, which takes seconds unless
    /// context.algorithms has them. Throws DeviceError, OutOfDeviceMemory, DeviceLost.
    Cnn(Context& context, const CnnStage& stage, Precision precision, int images);

    /// Bytes of enqueue()'s workspace: maps, intermediate outputs and cuDNN's scratch memory;
    /// 256-byte aligned. Maps stay valid until the next run.
    std::size_t workspaceBytes() const { return workspaceBytes_; }

    /// Maps of a run in this workspace, in the order of the taps, for PoolingArguments.
    std::vector<DeviceMap> maps(const std::byte* workspace) const;

    /// Only enqueues: may be captured after a call outside of a capture. `images` (images, 224,
    /// 224, kImageChannels) as launchPreprocess() writes them; `weights` from packCnn().
    void enqueue(Stream stream, const void* images, const std::byte* weights, std::byte* workspace,
                 const OperationHook& hook = runOperation) const;

  private:
    struct Layer {
        Convolution convolution;
        std::size_t filter = 0;  ///< byte offset into the packed weights, of the layout in use
        std::size_t bias = 0;
        std::size_t output = 0;  ///< byte offset into the workspace
        bool isMap = false;      ///< whether the output is the map of a tap
    };

    Context* context_;
    ElementType element_;
    std::vector<Layer> layers_;
    std::size_t scratch_ = 0;  ///< byte offset into the workspace: cuDNN's scratch memory
    std::size_t workspaceBytes_ = 0;
};

}  // namespace threefold::cuda::library
