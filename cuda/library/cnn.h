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
    /// here (see isWorthTiming) and put there. Engines that need more than 64 MiB are left out.
    /// Throws DeviceError if no engine runs it, OutOfDeviceMemory, DeviceLost.
    Convolution(Context& context, const ConvolutionShape& shape);

    const ConvolutionShape& shape() const { return shape_; }
    FilterForm form() const { return form_; }
    std::size_t workspaceBytes() const { return workspaceBytes_; }

    /// Only enqueues: may be captured.
    void enqueue(Context& context, Stream stream, const ConvolutionArguments& arguments) const;

  private:
    ConvolutionShape shape_;
    FilterForm form_ = FilterForm::asIs;
    std::size_t workspaceBytes_ = 0;
    std::shared_ptr<const DnnDescriptor> plan_;  ///< shared by layers of the same shape
};

/// What of CNN18 runs (METHOD.md §4). Stage 1: all 18 layers, taps 2 to 5; stage 2: 8 layers, taps
/// 0 to 2.
struct CnnPart {
    std::string prefix;  ///< "stage1.cnn", "stage2.cnn"
    std::size_t layers = 18;
    std::size_t firstTap = 0;
    std::size_t lastTap = 6;  ///< one past the last
};
CnnPart stage1Cnn();
CnnPart stage2Cnn();

/// Channels of the images that the first convolution reads, of which the first three count; the
/// others are zero. The `channels` of launchPreprocess().
inline constexpr int kImageChannels = 8;

/// Filters (in both forms, where they differ) and biases of all layers, rounded to
/// storageOf(precision), to be copied to device memory as they are, 256-byte aligned. The same for
/// any number of images. Throws ModelError.
std::vector<std::byte> packCnn(const Model& model, const CnnPart& part, Precision precision);

/// The convolutions of one stage by cuDNN for a fixed number of images. Also what the fused path
/// runs. Maps are (images, side, side, channels) of storageOf(precision).
class Cnn {
  public:
    /// `images`: batch · views. Chooses and compiles engines: seconds where context.algorithms
    /// lacks them. Throws DeviceError, OutOfDeviceMemory, DeviceLost.
    Cnn(Context& context, const CnnPart& part, Precision precision, int images);

    /// Device memory that enqueue() works in: maps, what lies between them, and cuDNN's own;
    /// 256-byte aligned. The maps in it are good until the next run.
    std::size_t workspaceBytes() const { return workspaceBytes_; }

    /// Where the maps of a run in this workspace lie, in the order of the taps: what
    /// PoolingArguments takes.
    std::vector<DeviceMap> maps(const std::byte* workspace) const;

    /// Only enqueues: may be captured, once it has run outside of a capture. `images` (images, 224,
    /// 224, kImageChannels) as launchPreprocess() writes them; `weights` from packCnn().
    void enqueue(Stream stream, const void* images, const std::byte* weights, std::byte* workspace,
                 const StepHook& step = runStep) const;

  private:
    struct Layer {
        Convolution convolution;
        std::size_t filter = 0;  ///< bytes into the packed weights, of the form that is used
        std::size_t bias = 0;
        std::size_t output = 0;  ///< bytes into the workspace
        bool kept = false;       ///< a map
    };

    Context* context_;
    Element element_;
    std::vector<Layer> layers_;
    std::size_t scratch_ = 0;  ///< bytes into the workspace: cuDNN's
    std::size_t workspaceBytes_ = 0;
};

}  // namespace threefold::cuda::library
