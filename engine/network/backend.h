#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "engine/devices/device_memory_use.h"
#include "engine/error.h"
#include "engine/mesh_operations/mesh_operations.h"
#include "engine/model/model.h"
#include "engine/model/progress.h"
#include "engine/network/precision.h"
#include "engine/network/reconstruction.h"
#include "engine/views/network_input.h"

namespace threefold {

/// Receives an intermediate tensor, for tests and comparisons. `name` is the tensor's name in the
/// golden files ("stage1_map_64", "level1_hidden", "stage2_features_1", "score_1", …). The values
/// are in C order: feature maps are (view, S, S, C), all other tensors (row, column, …). The span
/// is valid during the call only. Called on the thread that called finish().
using TensorProbe = std::function<void(std::string_view name, std::span<const float> values,
                                       std::span<const std::size_t> shape)>;

/// Options of Backend::begin().
struct BatchOptions {
    std::stop_token cancel;  ///< polled at least every 100 ms of work
    ProgressFunction progress;
    /// Called with the result of stage 1, on the thread that called finish(); exceptions propagate.
    /// Only the processor's back end calls this function: a GPU's stage 2 is too short to matter.
    /// Called again if another back end takes over.
    std::function<void(const Reconstruction& partial)> onCoarseMesh;
    /// Receives intermediate tensors; slows the run down, so leave it empty otherwise.
    TensorProbe probe;
    /// Whether to measure the time of each step. If false, a GPU measures only the time of
    /// preprocessing, so that its steps run without gaps between them.
    bool wantTimings = true;
};

/// Maximum number of unfinished batches on a GPU (Backend::maxUnfinishedBatches).
inline constexpr std::size_t kMaxUnfinishedBatches = 2;

/// Maximum useful batch size: larger batches are no faster on any device.
inline constexpr std::size_t kMaxUsefulBatchSize = 256;

/// Reconstructs meshes from views, on the processor or on a GPU. One thread at a time.
class Backend {
  public:
    Backend() = default;
    Backend(const Backend&) = delete;
    Backend& operator=(const Backend&) = delete;
    virtual ~Backend() = default;

    /// One line for users: "CPU · AMD EPYC … · 2 threads · float32".
    virtual std::string description() const = 0;
    virtual Precision precision() const = 0;
    virtual std::shared_ptr<const Model> model() const = 0;

    /// Begins a batch; a GPU computes it while the caller prepares the next one. Inputs may differ
    /// in the number and size of their views, and must outlive the batch. Other calls may come
    /// before finish(). Throws InputError (see requireValidInput), Cancelled, std::bad_alloc,
    /// DeviceError, and std::logic_error if maxUnfinishedBatches() batches are unfinished. After
    /// any exception this batch has not begun, and the back end stays usable, except after
    /// DeviceLost.
    virtual void begin(std::span<const NetworkInput> inputs, const BatchOptions& options) = 0;

    /// Finishes the oldest unfinished batch; a batch whose finish() throws is removed, too. Throws
    /// as begin() does, and std::logic_error if no batch is unfinished. Returns one result per
    /// input, in order, equal to results of single inputs up to rounding. If a GPU computes a batch
    /// as a whole, each result gets an equal part of the batch's timings. Progress restarts for
    /// each batch.
    virtual std::vector<Reconstruction> finish() = 0;

    /// Begins and finishes a batch. No other batch may be unfinished.
    std::vector<Reconstruction> reconstructBatch(std::span<const NetworkInput> inputs,
                                                 const BatchOptions& options);
    /// Begins and finishes a batch of one input.
    Reconstruction reconstruct(const NetworkInput& input, const BatchOptions& options);

    /// Maximum number of unfinished batches: 1 if finish() does all the work.
    virtual std::size_t maxUnfinishedBatches() const { return 1; }

    /// Maximum number of samples computed together, given the memory that is free now; 1 if samples
    /// run one after another. Larger batches are split.
    virtual std::size_t maxBatchSize() const { return 1; }

    /// Operations on meshes (fits, comparisons), on the back end's device if it implements them,
    /// else on the processor. The reference is valid as long as the back end lives. Use the
    /// operations on the back end's thread only.
    virtual MeshOperations& meshOperations() { return processorOperations_; }

    /// PCI bus id of the GPU: "0000:3b:00.0". Empty without a GPU.
    virtual std::string pciBusId() const { return {}; }

    /// Use of the device's memory; nullopt if the back end has no separate device.
    virtual std::optional<DeviceMemoryUse> memoryUse() const { return std::nullopt; }

  private:
    MeshOperations processorOperations_;
};

/// The error of Backend::begin() beyond maxUnfinishedBatches().
std::logic_error tooManyUnfinishedBatchesError();
/// The error of Backend::finish() without an unfinished batch.
std::logic_error noUnfinishedBatchError();

/// A kind of back end, named as in settings, journals and benchmarks.
struct BackendKind {
    std::string_view name;
    bool usesGpu;
    std::span<const Precision> precisions;  ///< a particular device may lack some

    bool has(Precision precision) const {
        return std::ranges::find(precisions, precision) != precisions.end();
    }
};

inline constexpr Precision kProcessorPrecisions[] = {Precision::float32, Precision::bfloat16,
                                                     Precision::int8};
inline constexpr BackendKind kProcessorKind{"cpu", false, kProcessorPrecisions};
inline constexpr BackendKind kCudaKind{"cuda", true, kAllPrecisions};

}  // namespace threefold
