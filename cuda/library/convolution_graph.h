#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cuda/library/context.h"
#include "cuda/library/convolution_shape.h"

namespace threefold::cuda::library {

/// cuDNN engine for a graph, with its settings.
struct EngineChoice {
    std::int64_t engine = 0;                                   ///< global index of the engine
    std::vector<std::pair<std::int64_t, std::int64_t>> knobs;  ///< type and value of each
    bool compiled = false;  ///< whether planning compiles the kernel, in some tenths of a second
};

/// Whether to time the proposal at index `proposalIndex`, after `workingCount` working engines and
/// `milliseconds` elapsed. All proposals are timed until one works. After that, within a time
/// limit, proposals that need no compilation are timed; proposals that need compilation only if
/// they are among the first few of all.
bool isWorthTiming(const EngineChoice& choice, std::size_t proposalIndex, std::size_t workingCount,
                   double milliseconds);

/// y = max(x ∗ w + b, 0) as a cuDNN 9 graph of three operations. Images and filter have channels
/// innermost; the bias has their type (with a float32 bias, cuDNN has no ready-made engine for 16
/// bits); sums and intermediate values are float32.
class ConvolutionGraph {
  public:
    /// With a null `handle`, the graph is for the device that `deviceProperties` describes in
    /// cuDNN's JSON (CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION); engines can then be listed and
    /// planned, but not run, and no GPU is needed. Throws DeviceError.
    ConvolutionGraph(cudnnHandle_t handle, const ConvolutionShape& shape, FilterLayout layout,
                     const std::string& deviceProperties = {});

    /// Engines that cuDNN proposes and the precision allows, the likely fastest first, fallback
    /// engines last. Each gives the same bits for the same input.
    std::vector<EngineChoice> proposals() const;

    /// Executable plan; compiles kernels if the engine needs it. Throws DeviceError if the engine
    /// is missing or does not support the graph.
    DnnDescriptor plan(const EngineChoice& choice) const;

    /// Plan restored from planJson() without compiling. Throws DeviceError if the plan is not from
    /// this cuDNN version for this kind of device.
    DnnDescriptor restore(const std::string& json) const;

  private:
    DnnDescriptor engine(std::int64_t index) const;
    std::vector<DnnDescriptor> configs(cudnnBackendHeurMode_t mode) const;
    bool isAllowed(const DnnDescriptor& engine) const;
    DnnDescriptor emptyPlan() const;

    cudnnHandle_t handle_;
    Precision precision_;
    DnnDescriptor device_;
    std::vector<DnnDescriptor> descriptors_;  ///< descriptors that the graph refers to
    DnnDescriptor graph_;
};

std::size_t workspaceBytes(const DnnDescriptor& plan);

/// The whole plan in cuDNN's JSON, compiled kernels included.
std::string planJson(const DnnDescriptor& plan);

/// Variant pack with the pointers of one run.
DnnDescriptor variantPack(const void* input, const void* filter, const void* bias, void* output,
                          void* workspace);

}  // namespace threefold::cuda::library
