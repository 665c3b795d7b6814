#include "cuda/backend/raster.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>

#include "cuda/backend/cuda_device.h"
#include "cuda/backend/device.h"
#include "cuda/kernels/raster.h"
#include "cuda/runtime/check.h"
#include "cuda/runtime/handles.h"
#include "cuda/runtime/memory_pool.h"
#include "cuda/runtime/partition.h"
#include "engine/error.h"

namespace threefold::cuda {
namespace {

/// What is copied between two looks at whether to go on: some milliseconds.
constexpr std::size_t kCopyAtOnce = std::size_t{32} << 20;

/// Between host memory that is not page-locked and the device; the host's side may be used again on
/// return. Throws Cancelled.
void copy(std::byte* to, const std::byte* from, std::size_t bytes, cudaMemcpyKind kind,
          const std::stop_token& cancel, cudaStream_t stream) {
    for (std::size_t at = 0; at < bytes; at += kCopyAtOnce) {
        if (cancel.stop_requested()) throw Cancelled();
        CUDA_CHECK(
            cudaMemcpyAsync(to + at, from + at, std::min(kCopyAtOnce, bytes - at), kind, stream));
    }
}

/// One view's buffers, in one block of the pool's.
class ViewMemory {
  public:
    ViewMemory(const raster::Screen& screen, const RasterOptions& options,
               std::span<const float> prior, MemoryPool& pool, cudaStream_t stream)
        : screen_(screen), priorValues_(prior), options_(options), stream_(stream) {
        const std::size_t pixels = std::size_t{screen.width} * screen.height;
        Partition plan;
        vertices_ = plan.take(screen.vertexCount * sizeof(raster::ScreenVertex));
        faces_ = plan.take(screen.faces->size() * sizeof(glm::u32vec3));
        pieces_ = plan.take(screen.pieces.size() * sizeof(raster::Piece));
        prior_ = plan.take(prior.size_bytes());
        face_ = plan.take(pixels * sizeof(std::uint32_t));
        barycentric_ = plan.take(pixels * sizeof(glm::vec3));
        depth_ = plan.take(options.wantDepth ? pixels * sizeof(float) : 0);
        degenerate_ = plan.take(sizeof(std::uint32_t));
        workspace_ = plan.take(rasterWorkspace(scene()));
        memory_ = pool.allocate(plan.bytes(), stream);
    }

    RasterScene upload() const {
        send(vertices_, screen_.vertices.get(), screen_.vertexCount * sizeof(raster::ScreenVertex));
        send(faces_, screen_.faces->data(), screen_.faces->size() * sizeof(glm::u32vec3));
        send(pieces_, screen_.pieces.data(), screen_.pieces.size() * sizeof(raster::Piece));
        send(prior_, priorValues_.data(), priorValues_.size_bytes());
        RasterScene uploaded = scene();
        uploaded.vertices = at<raster::ScreenVertex>(vertices_);
        uploaded.faces = at<std::uint32_t>(faces_);
        uploaded.pieces = at<raster::Piece>(pieces_);
        uploaded.prior = priorValues_.empty() ? nullptr : at<float>(prior_);
        return uploaded;
    }

    RasterOutput output() const {
        return {at<std::uint32_t>(face_), at<float>(barycentric_),
                options_.wantDepth ? at<float>(depth_) : nullptr, at<std::uint32_t>(degenerate_)};
    }
    std::byte* workspace() const { return at<std::byte>(workspace_); }

  private:
    template <class T>
    T* at(std::size_t place) const {
        return reinterpret_cast<T*>(memory_.data() + place);
    }

    /// Without what is in device memory.
    RasterScene scene() const {
        RasterScene scene;
        scene.faceCount = static_cast<std::uint32_t>(screen_.faces->size());
        scene.pieceCount = static_cast<std::uint32_t>(screen_.pieces.size());
        scene.width = screen_.width;
        scene.height = screen_.height;
        scene.truncation = options_.occlusionTruncation;
        return scene;
    }

    void send(std::size_t place, const void* from, std::size_t bytes) const {
        copy(at<std::byte>(place), static_cast<const std::byte*>(from), bytes,
             cudaMemcpyHostToDevice, options_.cancel, stream_);
    }

    const raster::Screen& screen_;
    std::span<const float> priorValues_;
    const RasterOptions& options_;
    cudaStream_t stream_;
    PooledMemory memory_;
    std::size_t vertices_ = 0;
    std::size_t faces_ = 0;
    std::size_t pieces_ = 0;
    std::size_t prior_ = 0;
    std::size_t face_ = 0;
    std::size_t barycentric_ = 0;
    std::size_t depth_ = 0;
    std::size_t degenerate_ = 0;
    std::size_t workspace_ = 0;
};

class CudaRaster final : public raster::DeviceRaster {
  public:
    explicit CudaRaster(int device)
        : device_(chooseDevice(device, Precision::float32)),
          api_(device_),
          stream_(makeStream()),
          memory_(api_, MemoryKind::device) {}

    void draw(const raster::Screen& screen, const RasterOptions& options,
              std::span<const float> prior, RasterImage& image) override {
        makeCurrent(device_);
        cudaStream_t stream = stream_.get();
        const ViewMemory view(screen, options, prior, memory_, stream);
        const RasterScene scene = view.upload();
        const RasterOutput output = view.output();
        CUDA_CHECK(cudaMemsetAsync(output.degenerate, 0, sizeof *output.degenerate, stream));
        launchRaster(stream, device_.limits, scene, output, view.workspace());

        const auto fetch = [&](void* to, const void* from, std::size_t bytes) {
            copy(static_cast<std::byte*>(to), static_cast<const std::byte*>(from), bytes,
                 cudaMemcpyDeviceToHost, options.cancel, stream);
        };
        fetch(image.face.data(), output.face, image.face.size() * sizeof(std::uint32_t));
        fetch(image.barycentric.data(), output.barycentric,
              image.barycentric.size() * sizeof(glm::vec3));
        if (options.wantDepth) {
            fetch(image.depth.data(), output.depth, image.depth.size() * sizeof(float));
        }
        std::uint32_t degenerate = 0;
        fetch(&degenerate, output.degenerate, sizeof degenerate);
        CUDA_CHECK(cudaStreamSynchronize(stream));
        image.degenerate = screen.degenerateCut + degenerate;
    }

  private:
    // Each needs those before it.
    Device device_;
    CudaDevice api_;
    OwnedStream stream_;
    MemoryPool memory_;
};

}  // namespace

std::unique_ptr<raster::DeviceRaster> makeDeviceRaster(int device) {
    return std::make_unique<CudaRaster>(device);
}

}  // namespace threefold::cuda
