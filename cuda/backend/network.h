#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "cuda/backend/batch_slots.h"
#include "cuda/backend/input_staging.h"
#include "cuda/backend/lanes.h"
#include "cuda/backend/weights.h"
#include "cuda/kernels/element.h"
#include "cuda/kernels/pooling.h"
#include "cuda/library/cnn.h"
#include "cuda/library/graph_block.h"
#include "cuda/library/hypothesis_block.h"
#include "engine/network/reconstruction.h"

namespace threefold::cuda {

/// What a sequence of launches is made for. Any difference needs another one.
struct NetworkShape {
    std::size_t batch = 1;
    std::size_t views = 3;
    std::size_t slotPixels = 0;  ///< that an image may have (slotPixels())
    /// Also keeps what only a probe looks at: the scores and some features. Batch 1.
    bool probed = false;
    /// Batches that may be in flight at once.
    std::size_t slots = 1;
    /// Also keeps the hypotheses' scores, and gives kEntropyChannel of their stages.
    bool scored = false;

    bool keepsScores() const { return probed || scored; }

    bool operator==(const NetworkShape&) const = default;
};

/// Points in the sequence that a stage begins or ends at.
enum class Mark {
    begin,
    preprocessed,
    cnn1,
    pooled1,  ///< features of a level are there
    graph1,
    pooled2,
    graph2,
    pooled3,
    graph3,
    cnn2,    ///< in the side stream
    joined,  ///< stage 1 and the maps of stage 2 are both there
    block1,
    block2,
};
inline constexpr std::size_t kMarks = 13;

/// A tensor in device memory that a probe may copy out: rows of `width` values, `pitch` apart.
struct DeviceTensor {
    std::string_view name;           ///< as in the golden files (TensorProbe)
    std::vector<std::size_t> shape;  ///< the last is `width`
    const void* values = nullptr;
    Element element = Element::float32;
    std::size_t pitch = 0;
};

/// What else happens while the sequence is enqueued; all may be empty.
struct NetworkHooks {
    std::function<void(Mark, cudaStream_t)> mark;
    /// Called in place of each step, which `work` enqueues into `stream`: must call it at least
    /// once (see library::StepHook). `stage`: as timings name it; "download" for the results' copy.
    std::function<void(std::string_view stage, const library::Step& step, cudaStream_t stream,
                       const std::function<void()>& work)>
        step;
    /// After the step that makes the tensor; in the main stream, but for stage 2's maps, which are
    /// shown once they are joined. Needs NetworkShape::probed.
    std::function<void(const DeviceTensor&)> tensor;
    /// Six values in device memory for each hypothesis block (HypothesisArguments::ranges), or
    /// null. Fused blocks only.
    std::array<float*, kPublishedHypothesisBlocks> ranges{};
};

/// The whole method as a sequence of launches over fixed memory (METHOD.md §3 to §7): inputs from
/// page-locked memory, meshes back into it. One thread at a time.
class Network {
  public:
    /// Takes all memory that a run needs and lets the libraries choose their algorithms (see
    /// library::Context). Returns when constants are in place. Throws OutOfDeviceMemory,
    /// DeviceError.
    Network(const DeviceModel& model, const DeviceLimits& limits, Precision precision,
            const KernelChoice& choice, const NetworkShape& shape, Lanes& lanes,
            MemoryPool& deviceMemory, MemoryPool& pinnedMemory);

    /// From inputs to meshes that are on the device: only launches that may be captured, beginning
    /// and ending in the main stream.
    void enqueue(const NetworkHooks& hooks);

    /// Writes inputs of this shape into page-locked memory. Returns the slot that the batch has
    /// until it is finished or dropped. Throws InputError where none is free.
    std::size_t stage(std::span<const NetworkInput> inputs) { return slots_->stage(inputs); }
    /// Enqueues a staged batch's upload, `compute` (enqueue(), or a graph of it) and its download.
    /// Where it throws, the device is idle and the batch dropped.
    void begin(std::size_t slot, const NetworkHooks& hooks, const std::function<void()>& compute);
    /// The meshes of a batch, which is waited for; without faces and timings.
    std::vector<Reconstruction> finish(std::size_t slot);
    /// Waits for a batch and discards its meshes.
    void drop(std::size_t slot) noexcept;

    /// All of it for one batch, launch by launch.
    std::vector<Reconstruction> run(std::span<const NetworkInput> inputs,
                                    const NetworkHooks& hooks);

    const NetworkShape& shape() const { return shape_; }
    std::size_t bytes() const { return memory_.size() + slots_->bytes(); }

  private:
    struct Level {
        int vertices = 0;
        float* points = nullptr;      ///< (batch, vertices, 3): what the block starts from
        void* inputs = nullptr;       ///< shared by all levels
        int pitch = 0;                ///< of the inputs
        void* hiddenBelow = nullptr;  ///< (batch, vertices, 192), unpooled; not on level 1
        void* hidden = nullptr;       ///< (batch, vertices, 192)
        std::size_t result = 0;       ///< floats into the results
    };

    void planMemory(MemoryPool& deviceMemory, MemoryPool& pinnedMemory);
    void placeConstants();
    void preprocessImages(const NetworkHooks& hooks);
    void convolve(Stage stage, cudaStream_t stream, const library::Cnn& cnn,
                  const std::byte* weights, std::byte* workspace, const NetworkHooks& hooks);
    void graphBlock(std::size_t level, const NetworkHooks& hooks);
    void unpool(std::size_t level, const NetworkHooks& hooks);
    void hypothesisBlock(std::size_t block, const NetworkHooks& hooks);
    double flopOf(Stage stage) const;  ///< of the whole batch
    /// Pooling of `count` points of each mesh in the maps of `cnn`, which lie in `workspace`.
    PoolingArguments pooling(const float* points, int count, const library::Cnn& cnn,
                             const std::byte* workspace) const;
    void reportMaps(std::string_view prefix, const std::vector<DeviceMap>& maps,
                    const NetworkHooks& hooks) const;
    void reportFeatures(std::size_t block, const float* points, const NetworkHooks& hooks);
    void report(const NetworkHooks& hooks, std::string_view name, const void* values,
                Element element, std::vector<std::size_t> shape, std::size_t pitch = 0) const;

    const DeviceModel* model_;
    DeviceLimits limits_;
    Precision precision_;
    Element element_;
    KernelChoice choice_;
    NetworkShape shape_;
    Lanes* lanes_;
    InputLayout layout_;
    OwnedEvent forked_;
    OwnedEvent sideDone_;

    library::Cnn cnn1_;
    library::Cnn cnn2_;
    std::vector<library::GraphBlock> libraryGraph_;  ///< empty where they are fused
    std::optional<library::HypothesisBlock> libraryBlock_;

    PooledMemory memory_;
    std::optional<BatchSlots> slots_;

    std::byte* inputs_ = nullptr;
    void* images_ = nullptr;
    std::byte* workspace1_ = nullptr;      ///< of stage 1's convolutions; holds their maps
    std::byte* workspace2_ = nullptr;      ///< of stage 2's
    std::byte* graphWorkspace_ = nullptr;  ///< of any level
    std::byte* blockWorkspace_ = nullptr;  ///< of the library's hypothesis blocks
    void* features_ = nullptr;             ///< only where probed
    std::vector<Level> levels_;
    float* results_ = nullptr;
    std::size_t resultFloats_ = 0;
    std::array<std::size_t, kPublishedHypothesisBlocks> refined_{};  ///< floats into the results
    std::array<std::size_t, kPublishedHypothesisBlocks>
        scores_{};  ///< floats into the results, where scores are kept
};

}  // namespace threefold::cuda
