#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cuda/library/context.h"
#include "cuda/library/convolution_shape.h"

namespace threefold::cuda::library {

/// Which engine of cuDNN runs a graph, and how it is set.
struct EngineChoice {
    std::int64_t engine = 0;                                   ///< global index
    std::vector<std::pair<std::int64_t, std::int64_t>> knobs;  ///< type, value
    bool compiled = false;  ///< its kernel is compiled when it is planned: some tenths of a second
};

/// Whether the proposal at this place is to be timed, where `worked` of those before it have worked
/// and `milliseconds` have passed: every ready-made engine, compiled ones of the first few, and any
/// until one works; none after a time limit.
bool isWorthTiming(const EngineChoice& choice, std::size_t place, std::size_t worked,
                   double milliseconds);

/// y = max(x ∗ w + b, 0) as a graph of three operations of cuDNN 9: images and filter with channels
/// innermost, the bias of their type (with a float32 one, cuDNN has no ready-made engine for 16
/// bits), the sums and what lies between the operations in float32.
class ConvolutionGraph {
  public:
    /// `handle` null: for the device that `deviceProperties` describe, as cuDNN writes them in JSON
    /// (CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION); engines can then be listed and planned, but not
    /// run, and no GPU is needed. Throws DeviceError.
    ConvolutionGraph(cudnnHandle_t handle, const ConvolutionShape& shape, FilterForm form,
                     const std::string& deviceProperties = {});

    /// Engines that cuDNN proposes and the precision allows, the likely fastest first; those for
    /// the asking of last resort at the end. All give the same bits for the same input.
    std::vector<EngineChoice> proposals() const;

    /// A plan, ready to be executed: kernels are compiled here where the engine needs that. Throws
    /// DeviceError where the engine is not there or cannot do it.
    DnnDescriptor plan(const EngineChoice& choice) const;

    /// A plan that planJson() described, without compiling anything. Throws DeviceError where it is
    /// not one of this cuDNN for this kind of device.
    DnnDescriptor restore(const std::string& json) const;

  private:
    DnnDescriptor engine(std::int64_t index) const;
    std::vector<DnnDescriptor> configs(cudnnBackendHeurMode_t mode) const;
    bool allowed(const DnnDescriptor& engine) const;
    DnnDescriptor emptyPlan() const;

    cudnnHandle_t handle_;
    Precision precision_;
    DnnDescriptor device_;
    std::vector<DnnDescriptor> parts_;  ///< of the graph, which refers to them
    DnnDescriptor graph_;
};

std::size_t workspaceBytes(const DnnDescriptor& plan);

/// The whole plan in cuDNN's own words, compiled kernels included.
std::string planJson(const DnnDescriptor& plan);

/// The pointers of one run.
DnnDescriptor variantPack(const void* input, const void* filter, const void* bias, void* output,
                          void* workspace);

}  // namespace threefold::cuda::library
