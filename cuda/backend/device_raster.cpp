#include "cuda/backend/device_raster.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <mutex>
#include <span>
#include <stop_token>
#include <type_traits>
#include <utility>

#include "cuda/backend/cuda_device_api.h"
#include "cuda/backend/device.h"
#include "cuda/kernels/raster.h"
#include "cuda/runtime/check.h"
#include "cuda/runtime/handles.h"
#include "cuda/runtime/memory_layout.h"
#include "cuda/runtime/memory_pool.h"
#include "engine/error.h"

namespace threefold::cuda {
namespace {

/// Bytes copied between two checks for cancellation; the copy takes some milliseconds.
constexpr std::size_t kCopyChunk = std::size_t{32} << 20;

// Results come back through page-locked memory, piece by piece.
constexpr std::size_t kPieceBytes = std::size_t{4} << 20;
constexpr std::size_t kPieces = 8;

/// Uploads from pageable host memory, which is free for reuse on return. Throws Cancelled.
void upload(std::byte* target, const void* from, std::size_t bytes, const std::stop_token& cancel,
            cudaStream_t stream) {
    const auto* source = static_cast<const std::byte*>(from);
    for (std::size_t offset = 0; offset < bytes; offset += kCopyChunk) {
        if (cancel.stop_requested()) throw Cancelled();
        CUDA_CHECK(cudaMemcpyAsync(target + offset, source + offset,
                                   std::min(kCopyChunk, bytes - offset), cudaMemcpyHostToDevice,
                                   stream));
    }
}

/// Ring of page-locked pieces for downloads: while the device fills one piece, the host copies
/// earlier ones to their targets.
class ResultRing {
  public:
    explicit ResultRing(MemoryPool& pinnedMemory) : pool_(pinnedMemory) {}

    /// Enqueues the copy of `bytes` after the work in `stream`; a later call or drain() fills
    /// `target`. Throws Cancelled.
    void fetch(void* target, const void* source, std::size_t bytes, const std::stop_token& cancel,
               cudaStream_t stream) {
        if (!memory_) memory_ = pool_.allocate(kPieces * kPieceBytes, stream);
        for (std::size_t offset = 0; offset < bytes; offset += kPieceBytes) {
            if (cancel.stop_requested()) throw Cancelled();
            Piece& piece = pieces_[next_];
            flush(piece);
            const std::size_t size = std::min(kPieceBytes, bytes - offset);
            CUDA_CHECK(cudaMemcpyAsync(pieceMemory(next_),
                                       static_cast<const std::byte*>(source) + offset, size,
                                       cudaMemcpyDeviceToHost, stream));
            CUDA_CHECK(cudaEventRecord(piece.copied.get(), stream));
            piece.target = static_cast<std::byte*>(target) + offset;
            piece.bytes = size;
            next_ = (next_ + 1) % kPieces;
        }
    }

    /// Waits until all fetched results have arrived. Throws Cancelled.
    void drain(const std::stop_token& cancel) {
        for (std::size_t i = 0; i < kPieces; ++i) {
            if (cancel.stop_requested()) throw Cancelled();
            flush(pieces_[(next_ + i) % kPieces]);
        }
    }

    /// Discards pending fetches. The streams must be idle.
    void forget() {
        for (Piece& piece : pieces_) piece.bytes = 0;
    }

  private:
    struct Piece {
        OwnedEvent copied = makeEvent();
        std::byte* target = nullptr;
        std::size_t bytes = 0;  ///< bytes in use; 0: the piece is empty
    };

    std::byte* pieceMemory(std::size_t piece) const { return memory_.data() + piece * kPieceBytes; }

    void flush(Piece& piece) {
        if (piece.bytes == 0) return;
        CUDA_CHECK(cudaEventSynchronize(piece.copied.get()));
        std::memcpy(piece.target, pieceMemory(static_cast<std::size_t>(&piece - pieces_.data())),
                    piece.bytes);
        piece.bytes = 0;
    }

    MemoryPool& pool_;
    PooledMemory memory_;
    std::array<Piece, kPieces> pieces_;
    std::size_t next_ = 0;
};

/// Faces in device memory.
struct DeviceFaces {
    FacesCacheKey key;  ///< RasterOptions::facesCacheKey
    PooledMemory memory;
    OwnedEvent uploaded = makeEvent();
};

class CudaRaster final : public raster::DeviceRaster {
  public:
    explicit CudaRaster(int device)
        : device_(chooseDevice(device, Precision::float32)),
          api_(device_),
          memory_(api_, MemoryKind::device),
          pinnedMemory_(api_, MemoryKind::pinned),
          ring_(pinnedMemory_) {}

    std::unique_ptr<Drawing> begin(const Faces& faces, const RasterOptions& options) override {
        return std::make_unique<CudaDrawing>(*this, faces, options);
    }

  private:
    class CudaDrawing final : public Drawing {
      public:
        CudaDrawing(CudaRaster& raster, const Faces& faces, const RasterOptions& options)
            : raster_(raster), lock_(raster.mutex_), options_(options) {
            makeCurrent(raster_.device_);
            faces_ = raster_.facesOnDevice(faces, options_);
        }

        ~CudaDrawing() override {
            for (const OwnedStream& stream : raster_.streams_)
                ignoreFailure(cudaStreamSynchronize(stream.get()));
            raster_.ring_.forget();
        }

        // Views alternate between two streams: a view is drawn while the previous view is copied
        // back.
        void draw(const raster::SnappedView& snapped, std::span<const float> previousDepths,
                  RasterImage& image) override {
            cudaStream_t stream = raster_.streams_[degenerate_.size() % 2].get();
            const std::size_t pixels = std::size_t{snapped.width} * snapped.height;
            RasterTriangles triangles{
                .faces = faces_->memory.as<std::uint32_t>(),
                .faceCount = static_cast<std::uint32_t>(snapped.faces->size()),
                .clippedTriangleCount = static_cast<std::uint32_t>(snapped.clippedTriangles.size()),
                .width = snapped.width,
                .height = snapped.height,
                .minGap = options_.peeling.minGap};
            RasterOutput output;
            std::byte* workspace = nullptr;
            CUDA_CHECK(cudaStreamWaitEvent(stream, faces_->uploaded.get(), 0));
            const PooledMemory memory =
                raster_.memory_.allocateParts(stream, [&](MemoryLayout& parts) {
                    const auto uploadArray = [&](const auto* values, std::size_t count) {
                        using Value = std::remove_cvref_t<decltype(*values)>;
                        auto* part = parts.add<Value>(count);
                        if (part != nullptr)
                            upload(reinterpret_cast<std::byte*>(part), values,
                                   count * sizeof(Value), options_.cancel, stream);
                        return part;
                    };
                    triangles.vertices = uploadArray(snapped.vertices.get(), snapped.vertexCount);
                    triangles.clippedTriangles = uploadArray(snapped.clippedTriangles.data(),
                                                             snapped.clippedTriangles.size());
                    if (!previousDepths.empty())
                        triangles.previousDepths =
                            uploadArray(previousDepths.data(), previousDepths.size());
                    output = {parts.add<std::uint32_t>(pixels), parts.add<float>(3 * pixels),
                              options_.wantDepth ? parts.add<float>(pixels) : nullptr,
                              parts.add<std::uint32_t>(1)};
                    workspace = parts.add<std::byte>(rasterWorkspaceBytes(triangles));
                });
            CUDA_CHECK(cudaMemsetAsync(output.degenerateFaceCount, 0,
                                       sizeof *output.degenerateFaceCount, stream));
            launchRaster(stream, raster_.device_.limits, triangles, output, workspace);

            const auto fetch = [&](auto& values, const void* source) {
                raster_.ring_.fetch(values.data(), source, values.size() * sizeof values[0],
                                    options_.cancel, stream);
            };
            fetch(image.facePlusOne, output.facePlusOne);
            if (options_.wantBarycentric) fetch(image.barycentric, output.barycentric);
            if (options_.wantDepth) fetch(image.depth, output.depth);
            image.degenerateFaceCount = snapped.degenerateClippedFaceCount;
            auto& [target, count] = degenerate_.emplace_back(&image, 0U);
            raster_.ring_.fetch(&count, output.degenerateFaceCount, sizeof count, options_.cancel,
                                stream);
        }

        void finish() override {
            raster_.ring_.drain(options_.cancel);
            for (const auto& [image, count] : degenerate_) image->degenerateFaceCount += count;
            degenerate_.clear();
        }

      private:
        CudaRaster& raster_;
        std::unique_lock<std::mutex> lock_;
        const RasterOptions& options_;
        std::shared_ptr<const DeviceFaces> faces_;
        std::deque<std::pair<RasterImage*, std::uint32_t>> degenerate_;  ///< one pair per view
    };

    std::shared_ptr<const DeviceFaces> facesOnDevice(const Faces& faces,
                                                     const RasterOptions& options) {
        if (options.facesCacheKey && cachedFaces_ && cachedFaces_->key == options.facesCacheKey)
            return cachedFaces_;
        cudaStream_t stream = streams_.front().get();
        const std::size_t bytes = faces.size() * sizeof(glm::u32vec3);
        auto entry = std::make_shared<DeviceFaces>();
        entry->key = options.facesCacheKey;
        entry->memory = memory_.allocate(bytes, stream);
        upload(entry->memory.data(), faces.data(), bytes, options.cancel, stream);
        CUDA_CHECK(cudaEventRecord(entry->uploaded.get(), stream));
        if (options.facesCacheKey) cachedFaces_ = entry;
        return entry;
    }

    // The order of the members matters: streams and pools need the device; the ring and the cached
    // faces need the pools.
    std::mutex mutex_;
    DeviceInfo device_;
    CudaDeviceApi api_;
    std::array<OwnedStream, 2> streams_ = {makeStream(), makeStream()};
    MemoryPool memory_;
    MemoryPool pinnedMemory_;
    ResultRing ring_;
    std::shared_ptr<const DeviceFaces> cachedFaces_;
};

}  // namespace

std::unique_ptr<raster::DeviceRaster> makeDeviceRaster(int device) {
    return std::make_unique<CudaRaster>(device);
}

}  // namespace threefold::cuda
