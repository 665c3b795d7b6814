#include "cuda/backend/cuda_fit_solver.h"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "cuda/kernels/fit_solve.h"
#include "cuda/kernels/fit_terms.h"
#include "cuda/runtime/check.h"
#include "cuda/runtime/memory_layout.h"
#include "engine/error.h"
#include "engine/fitting/regularisation_weights.h"

namespace threefold::cuda {
namespace {

using fitting::SymmetricMatrix3f;
using fitting::VertexEquations;

/// Matrix entries in the order in which kFitValuesPerVertex lists them.
constexpr float SymmetricMatrix3f::*kMatrix[] = {&SymmetricMatrix3f::xx, &SymmetricMatrix3f::xy,
                                                 &SymmetricMatrix3f::xz, &SymmetricMatrix3f::yy,
                                                 &SymmetricMatrix3f::yz, &SymmetricMatrix3f::zz};
constexpr std::size_t kMatrixValues = std::size(kMatrix);
static_assert(kMatrixValues + 3 == kFitValuesPerVertex);

class CudaFitSolver final : public fitting::FitSolver {
  public:
    CudaFitSolver(const DeviceLimits& limits, MemoryPool& memory, Stream stream,
                  std::stop_token cancel)
        : limits_(limits), pool_(&memory), stream_(stream), cancel_(std::move(cancel)) {}

    void begin(const fitting::MeshLevels& levels, const fitting::FitStart& start,
               const fitting::FitTerms& terms, const Points& vertices) override {
        const PackedFitMesh mesh(levels);
        const PackedOutlines views = packOutlines(terms.outlines);
        levels_ = &levels;
        vertexTerms_ = terms.vertexTerms;
        vertices_ = vertices;
        hostVerticesValid_ = true;

        const auto vertexCount = static_cast<std::uint32_t>(vertices.size());
        const auto viewCount = static_cast<std::uint32_t>(views.views.size());
        const std::uint32_t energies = fitEnergyCount(vertexCount, viewCount);
        const fitting::RegularisationWeights weights =
            fitting::RegularisationWeights::forCounts(viewCount, vertexCount);
        const std::size_t values = vertices.size() * kFitValuesPerVertex;
        const std::uint32_t* words = nullptr;
        memory_ = pool_->allocateParts(stream_, [&](MemoryLayout& parts) {
            words = uploadArray<std::uint32_t>(parts, mesh.words());
            auto* moving = uploadArray<float>(parts, vertices);
            normals_ = parts.add<float>(3 * vertices.size());
            terms_ = {.vertices = moving,
                      .normals = normals_,
                      .vertexCount = vertexCount,
                      .views = uploadArray<PackedOutline>(parts, views.views),
                      .points = uploadArray<PackedTangentPoint>(parts, views.points),
                      .distances = uploadArray<float>(parts, views.distances),
                      .viewCount = viewCount,
                      .maxPoints = views.maxPoints,
                      .nearest = parts.add<std::uint32_t>(std::size_t{viewCount} * views.maxPoints),
                      .viewTerms = parts.add<float>(viewCount * values),
                      .energies = parts.add<double>(energies),
                      .termSums = parts.add<float>(values)};
            auto* workspace = parts.add<std::byte>(fitSolveWorkspaceBytes(vertexCount));
            solve_ = {.mesh = {},
                      .start = uploadArray<float>(parts, start.anchorPositions),
                      .restLaplacian = uploadArray<float>(parts, start.restLaplacian),
                      .normals = normals_,
                      .bending = weights.bending,
                      .tangentialSmoothing = weights.tangentialSmoothing,
                      .damping = weights.damping,
                      .anchor = weights.anchor,
                      .termSums = terms_.termSums,
                      .vertices = moving,
                      .energies = terms_.energies,
                      .energyCount = energies,
                      .sums = parts.add<FitStepSums>(1),
                      .workspace = reinterpret_cast<float*>(workspace)};
        });
        solve_.mesh = mesh.at(words);
    }

    FitStep step(const fitting::FitScale& scale) override {
        if (cancel_.stop_requested()) throw Cancelled();
        launchFitNormals(stream_, solve_.mesh, solve_.vertices, normals_);
        terms_.withOutlinePoints = fitting::usesOutlinePoints(*levels_, scale.level);
        launchFitTerms(stream_, terms_);
        const double vertexTermEnergy = vertexTerms_.empty() ? 0 : addVertexTerms(scale);
        solve_.level = static_cast<std::uint32_t>(scale.level);
        launchFitSolve(stream_, limits_, solve_);
        hostVerticesValid_ = false;
        FitStepSums sums{};
        fetch(std::span(&sums, 1), solve_.sums);
        CUDA_CHECK(cudaStreamSynchronize(stream_));
        const auto count = static_cast<double>(terms_.vertexCount);
        return {scale.level,
                (sums.energy + vertexTermEnergy) / count / static_cast<double>(terms_.viewCount),
                sums.movement / count};
    }

    const Points& vertices() override {
        if (!hostVerticesValid_) {
            fetch(std::span(vertices_), solve_.vertices);
            CUDA_CHECK(cudaStreamSynchronize(stream_));
            hostVerticesValid_ = true;
        }
        return vertices_;
    }

  private:
    void upload(void* target, std::span<const std::byte> bytes) {
        CUDA_CHECK(
            cudaMemcpyAsync(target, bytes.data(), bytes.size(), cudaMemcpyHostToDevice, stream_));
    }
    /// Adds a part for `values` to the layout and enqueues their upload.
    template <class Part, class Values>
    Part* uploadArray(MemoryLayout& parts, const Values& values) {
        const auto bytes = std::as_bytes(std::span(values));
        auto* memory = parts.add<std::byte>(bytes.size());
        if (memory != nullptr && !bytes.empty()) upload(memory, bytes);
        return reinterpret_cast<Part*>(memory);
    }
    template <class T>
    void fetch(std::span<T> target, const void* source) {
        CUDA_CHECK(cudaMemcpyAsync(target.data(), source, target.size_bytes(),
                                   cudaMemcpyDeviceToHost, stream_));
    }

    /// Adds the vertex terms to the sums on the host; returns their energy.
    double addVertexTerms(const fitting::FitScale& scale) {
        vertices();
        const std::size_t count = vertices_.size();
        Points normals(count);
        std::vector<float> values(count * kFitValuesPerVertex);
        fetch(std::span(normals), normals_);
        fetch(std::span(values), terms_.termSums);
        CUDA_CHECK(cudaStreamSynchronize(stream_));
        VertexEquations sum{std::vector<SymmetricMatrix3f>(count), Points(count), 0};
        const auto forEachValue = [&](const auto& body) {
            for (std::size_t v = 0; v < count; ++v) {
                for (std::size_t i = 0; i < kMatrixValues; ++i)
                    body(values[i * count + v], sum.matrices[v].*kMatrix[i]);
                for (int axis = 0; axis < 3; ++axis)
                    body(values[(kMatrixValues + static_cast<std::size_t>(axis)) * count + v],
                         sum.rhs[v][axis]);
            }
        };
        forEachValue([](float value, float& element) { element = value; });
        for (fitting::VertexTerm* term : vertexTerms_) term->addTo(vertices_, normals, scale, sum);
        forEachValue([](float& value, float element) { value = element; });
        upload(terms_.termSums, std::as_bytes(std::span(values)));
        return sum.energy;
    }

    DeviceLimits limits_;
    MemoryPool* pool_;
    Stream stream_;
    std::stop_token cancel_;
    const fitting::MeshLevels* levels_ = nullptr;
    std::vector<fitting::VertexTerm*> vertexTerms_;
    PooledMemory memory_;
    float* normals_ = nullptr;
    FitTermsArguments terms_;
    FitSolveArguments solve_;
    Points vertices_;
    bool hostVerticesValid_ = false;
};

}  // namespace

std::unique_ptr<fitting::FitSolver> makeCudaFitSolver(const DeviceLimits& limits,
                                                      MemoryPool& memory, Stream stream,
                                                      std::stop_token cancel) {
    return std::make_unique<CudaFitSolver>(limits, memory, stream, std::move(cancel));
}

}  // namespace threefold::cuda
