#include "cuda/backend/weights.h"

#include <cuda_runtime_api.h>

#include <span>
#include <utility>

#include "cuda/backend/arena.h"
#include "cuda/kernels/graph_block.h"
#include "cuda/library/cnn.h"
#include "cuda/library/graph_block.h"
#include "cuda/library/hypothesis_block.h"
#include "cuda/runtime/check.h"

namespace threefold::cuda {
namespace {

/// Host blocks and where each goes in the one device block.
class Upload {
  public:
    std::size_t add(std::vector<std::byte> bytes) {
        const std::size_t offset = plan_.add(bytes.size());
        parts_.push_back({offset, std::move(bytes)});
        return offset;
    }

    template <class T>
    std::size_t addValues(std::span<const T> values) {
        const auto bytes = std::as_bytes(values);
        return add({bytes.begin(), bytes.end()});
    }

    PooledMemory send(MemoryPool& pool, Stream stream) const {
        PooledMemory memory = pool.allocate(plan_.bytes(), stream);
        for (const Part& part : parts_) {
            if (part.bytes.empty()) continue;
            CUDA_CHECK(cudaMemcpyAsync(memory.data() + part.offset, part.bytes.data(),
                                       part.bytes.size(), cudaMemcpyHostToDevice, stream));
        }
        CUDA_CHECK(cudaStreamSynchronize(stream));
        return memory;
    }

  private:
    struct Part {
        std::size_t offset;
        std::vector<std::byte> bytes;
    };
    ArenaPlan plan_;
    std::vector<Part> parts_;
};

}  // namespace

KernelChoice KernelChoice::on(const DeviceLimits& limits, Precision precision, int hypotheses,
                              bool library) {
    if (library) return {false, false};
    return {graphBlockFits(limits, widePrecision(precision)),
            hypothesisBlockFits(limits, precision, hypotheses)};
}

DeviceModel::DeviceModel(std::shared_ptr<const Model> model, const DeviceLimits& limits,
                         Precision precision, const KernelChoice& choice,
                         const CalibratedRanges& ranges, MemoryPool& pool, Stream stream)
    : model_(std::move(model)) {
    const TemplateMesh& mesh = model_->mesh;
    Upload upload;
    coordinates_ = upload.addValues(std::span(mesh.coordinates));
    hypotheses_ = upload.addValues(std::span(mesh.hypotheses));
    for (const TemplateLevel& level : mesh.levels) {
        edges_.push_back(upload.addValues(std::span(level.unpoolEdges)));
    }
    const Precision wide = widePrecision(precision);
    cnns_ = {upload.add(library::packCnn(*model_, library::stage1Cnn(), wide)),
             upload.add(library::packCnn(*model_, library::stage2Cnn(), wide))};
    for (std::size_t level = 0; level < mesh.levels.size(); ++level) {
        graph_.push_back(upload.add(choice.fusedGraph
                                        ? packGraphBlock(*model_, level, wide)
                                        : library::packGraphWeights(*model_, level, wide)));
    }
    for (std::size_t block = 0; block < kHypothesisBlocks; ++block) {
        blocks_.push_back(
            upload.add(choice.fusedHypotheses
                           ? packHypothesisBlock(*model_, block, precision, limits, ranges[block])
                           : library::packHypothesisWeights(*model_, block, wide)));
    }
    memory_ = upload.send(pool, stream);
}

int DeviceModel::vertices(std::size_t level) const {
    return static_cast<int>(model_->mesh.levels[level].vertexCount);
}

}  // namespace threefold::cuda
