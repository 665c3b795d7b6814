#include "cuda/backend/device_model.h"

#include <cuda_runtime_api.h>

#include <span>
#include <utility>

#include "cuda/kernels/graph_block.h"
#include "cuda/library/cnn.h"
#include "cuda/library/graph_block.h"
#include "cuda/library/hypothesis_block.h"
#include "cuda/library/layout.h"
#include "cuda/runtime/check.h"

namespace threefold::cuda {

KernelChoice KernelChoice::on(const DeviceLimits& limits, Precision precision, int hypotheses,
                              KernelSource kernels) {
    if (kernels == KernelSource::library) return {false, false};
    return {graphBlockFits(limits, precisionOutsideHypothesisBlocks(precision)),
            hypothesisBlockFits(limits, precision, hypotheses)};
}

std::string_view KernelChoice::text() const {
    if (fusedGraph != fusedHypotheses) return "fused and library kernels";
    return fusedGraph ? "fused kernels" : "library kernels";
}

DeviceModel::DeviceModel(std::shared_ptr<const Model> model,
                         const NetworkConfiguration& configuration,
                         const BlockQuantisationRanges& ranges, MemoryPool& pool, Stream stream)
    : model_(std::move(model)), configuration_(configuration) {
    const auto& [limits, precision, choice] = configuration_;
    const TemplateMesh& mesh = model_->templateMesh;
    library::Packer packer;
    coordinates_ = packer.add(std::as_bytes(std::span(mesh.vertices)));
    hypotheses_ = packer.add(std::as_bytes(std::span(mesh.hypothesisOffsets)));
    for (const TemplateLevel& level : mesh.levels)
        edgeOffsets_.push_back(packer.add(std::as_bytes(std::span(level.unpoolEdges))));
    const Precision wide = precisionOutsideHypothesisBlocks(precision);
    cnnOffsets_ = {packer.add(library::packCnn(*model_, library::stage1Cnn(), wide)),
                   packer.add(library::packCnn(*model_, library::stage2Cnn(), wide))};
    for (std::size_t level = 0; level < mesh.levels.size(); ++level)
        graphOffsets_.push_back(packer.add(choice.fusedGraph
                                               ? packGraphBlock(*model_, level, wide)
                                               : library::packGraphWeights(*model_, level, wide)));
    for (std::size_t block = 0; block < kPublishedHypothesisBlocks; ++block)
        blockOffsets_.push_back(
            packer.add(choice.fusedHypotheses
                           ? packHypothesisBlock(*model_, block, precision, limits, ranges[block])
                           : library::packHypothesisWeights(*model_, block, wide)));
    const std::vector<std::byte> bytes = packer.release();
    memory_ = pool.allocate(bytes.size(), stream);
    CUDA_CHECK(cudaMemcpyAsync(memory_.data(), bytes.data(), bytes.size(), cudaMemcpyHostToDevice,
                               stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));
}

}  // namespace threefold::cuda
