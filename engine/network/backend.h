#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/model.h"
#include "engine/network/mesh_operations.h"
#include "engine/network/reconstruction.h"
#include "engine/progress.h"
#include "engine/views/network_input.h"

namespace threefold {

/// Number format of the products. The processor's backend supports float32, bfloat16 and int8, the
/// latter two in stage 2 only (CpuOptions); the GPU's supports all that the device has.
enum class Precision {
    float32,
    tfloat32,  ///< products' operands rounded to 10 mantissa bits, all else float32
    float16,
    bfloat16,
    int8,  ///< hypothesis blocks' products in int8, all else float16 (as CpuOptions says there)
};

inline constexpr Precision kAllPrecisions[] = {Precision::float32, Precision::tfloat32,
                                               Precision::float16, Precision::bfloat16,
                                               Precision::int8};

std::string_view precisionName(Precision precision);  ///< "float32", "tfloat32", "int8", …
/// Also takes the short names "fp32", "tf32", "fp16", "bf16". Throws UsageError.
Precision precisionFromName(std::string_view name);

/// Receives an intermediate tensor, for tests and comparisons. `name` as in the golden files
/// ("stage1_map_64", "level1_hidden", "stage2_features_1", "score_1", …); C order; maps are
/// (view, S, S, C), all else (row, column…). The span is valid during the call, which comes from
/// the thread that called finish().
using TensorProbe = std::function<void(std::string_view name, std::span<const float> values,
                                       std::span<const std::size_t> shape)>;

struct RunOptions {
    std::stop_token cancel;  ///< polled at least every 100 ms of work
    ProgressFunction progress;
    /// Called once the coarse mesh is there, from the thread that called finish(), where the
    /// rest takes long enough to be worth a call: on the processor. `soFar` has all of stage 1;
    /// its exceptions propagate. Again, where another backend takes over.
    std::function<void(const Reconstruction& soFar)> coarse;
    TensorProbe probe;  ///< slows the run down; leave empty
    /// False: of a GPU, whose stages run closer together without a clock between them, only
    /// preprocessing is timed.
    bool stages = true;
};

/// Batches that a GPU may have begun and not finished (Backend::mostPending).
inline constexpr std::size_t kMostPendingBatches = 2;

/// What the pools of memory of a device have done so far: of its own memory, and of the page-locked
/// memory of the host.
struct DevicePoolUse {
    std::uint64_t hits = 0;             ///< requests served by a block that was there already
    std::uint64_t frees = 0;            ///< blocks given back to the device or the system
    std::uint64_t lateAllocations = 0;  ///< blocks allocated after the warm-up, which needs none
};

/// "1200 blocks reused, 3 given back, 0 allocated after the warm-up"
std::string poolUseText(const DevicePoolUse& use);

/// Memory use of the device that a backend runs on, in bytes.
struct DeviceMemoryUse {
    std::size_t before = 0;    ///< used by all processes just before its first allocation,
                               ///< including the bare CUDA context
    std::size_t peak = 0;      ///< highest observed use beyond `before`, by all processes
    std::size_t peakPool = 0;  ///< highest use by its weights and buffers, without the libraries'
    DevicePoolUse pools = {};
};

/// Turns views into meshes, on the processor or on a GPU. One thread at a time.
class Backend : public MeshOperations {
  public:
    /// One line for users: "CPU · AMD EPYC … · 2 threads · float32".
    virtual std::string description() const = 0;
    virtual Precision precision() const = 0;
    virtual const Model& model() const = 0;

    /// Begins a batch; a GPU computes it while the caller prepares the next one. Inputs may differ
    /// in the number and size of their views; they and the backend outlive the batch. Other calls
    /// may come before finish(). Throws InputError (see checkInput, and where mostPending() batches
    /// are begun already), Cancelled, std::bad_alloc, DeviceError; then nothing has begun, and the
    /// backend can be used again, unless it is lost (DeviceLost).
    virtual void begin(std::span<const NetworkInput> inputs, const RunOptions& options) = 0;

    /// Waits for the oldest batch that was begun, which is no more then, also where this throws, as
    /// begin() does. One result for each input, in their order, equal to those of single inputs up
    /// to rounding; where a GPU computes them together, each result's timings are its share of the
    /// batch's. Progress restarts for each batch.
    virtual std::vector<Reconstruction> finish() = 0;

    /// Begins and finishes a batch. None may be begun already.
    std::vector<Reconstruction> reconstructBatch(std::span<const NetworkInput> inputs,
                                                 const RunOptions& options);
    /// Likewise, of one input.
    Reconstruction reconstruct(const NetworkInput& input, const RunOptions& options);

    /// Most batches that may be begun and not finished: 1 where finish() does all the work.
    virtual std::size_t mostPending() const { return 1; }

    /// Most samples that it computes together, as far as its memory allows just now: 1 where
    /// it runs them one after another. Larger batches are split.
    virtual std::size_t largestBatch() const { return 1; }

    /// Where its GPU lies on the PCI bus: "0000:3b:00.0". Empty where there is none.
    virtual std::string bus() const { return {}; }

    /// std::nullopt if the backend does not run on a separate device.
    virtual std::optional<DeviceMemoryUse> memoryUse() const { return std::nullopt; }
};

/// A backend whose finish() does all the work, one input after another.
class SerialBackend : public Backend {
  public:
    void begin(std::span<const NetworkInput> inputs, const RunOptions& options) override;
    std::vector<Reconstruction> finish() override;

  protected:
    /// Throws as begin() does.
    virtual Reconstruction compute(const NetworkInput& input, const RunOptions& options) = 0;

  private:
    std::span<const NetworkInput> inputs_;
    RunOptions options_;
    bool begun_ = false;
};

/// A kind of backend, by its name in settings, journals and benchmarks.
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
