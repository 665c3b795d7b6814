#include "cuda/backend/plugin_entries.h"

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

// Results come back through page-locked memory, piece by piece.
constexpr std::size_t kPiece = std::size_t{4} << 20;
constexpr std::size_t kPieces = 8;

/// From host memory that is not page-locked; it may be used again on return. Throws Cancelled.
void send(std::byte* to, const void* from, std::size_t bytes, const std::stop_token& cancel,
          cudaStream_t stream) {
    const auto* source = static_cast<const std::byte*>(from);
    for (std::size_t at = 0; at < bytes; at += kCopyAtOnce) {
        if (cancel.stop_requested()) throw Cancelled();
        CUDA_CHECK(cudaMemcpyAsync(to + at, source + at, std::min(kCopyAtOnce, bytes - at),
                                   cudaMemcpyHostToDevice, stream));
    }
}

/// Page-locked pieces of memory in a ring: while the device fills one, the host empties those
/// before it into the memory that the results are for.
class ResultRing {
  public:
    explicit ResultRing(MemoryPool& pinnedMemory) : pool_(pinnedMemory) {}

    /// Enqueues the copy of `bytes` behind what is in `stream`; `to` is filled by a later call or
    /// by drain(). Throws Cancelled.
    void fetch(void* to, const void* from, std::size_t bytes, const std::stop_token& cancel,
               cudaStream_t stream) {
        if (!memory_) memory_ = pool_.allocate(kPieces * kPiece, stream);
        for (std::size_t at = 0; at < bytes; at += kPiece) {
            if (cancel.stop_requested()) throw Cancelled();
            Piece& piece = pieces_[next_];
            empty(piece);
            const std::size_t size = std::min(kPiece, bytes - at);
            CUDA_CHECK(cudaMemcpyAsync(place(next_), static_cast<const std::byte*>(from) + at, size,
                                       cudaMemcpyDeviceToHost, stream));
            CUDA_CHECK(cudaEventRecord(piece.copied.get(), stream));
            piece.to = static_cast<std::byte*>(to) + at;
            piece.bytes = size;
            next_ = (next_ + 1) % kPieces;
        }
    }

    /// Waits until all that was fetched is there. Throws Cancelled.
    void drain(const std::stop_token& cancel) {
        for (std::size_t i = 0; i < kPieces; ++i) {
            if (cancel.stop_requested()) throw Cancelled();
            empty(pieces_[(next_ + i) % kPieces]);
        }
    }

    /// Forgets what was fetched; the streams are idle.
    void forget() {
        for (Piece& piece : pieces_) piece.bytes = 0;
    }

  private:
    struct Piece {
        OwnedEvent copied = makeEvent(false);
        std::byte* to = nullptr;
        std::size_t bytes = 0;  ///< 0: nothing waits in it
    };

    std::byte* place(std::size_t piece) const { return memory_.data() + piece * kPiece; }

    void empty(Piece& piece) {
        if (piece.bytes == 0) return;
        CUDA_CHECK(cudaEventSynchronize(piece.copied.get()));
        std::memcpy(piece.to, place(static_cast<std::size_t>(&piece - pieces_.data())),
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
    std::shared_ptr<const void> key;  ///< RasterOptions::facesKey
    PooledMemory memory;
    OwnedEvent uploaded = makeEvent(false);
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
        return std::make_unique<Views>(*this, faces, options);
    }

  private:
    class Views final : public Drawing {
      public:
        Views(CudaRaster& raster, const Faces& faces, const RasterOptions& options)
            : raster_(raster), lock_(raster.mutex_), options_(options) {
            makeCurrent(raster_.device_);
            faces_ = raster_.facesOnDevice(faces, options_);
        }

        ~Views() override {
            for (const OwnedStream& stream : raster_.streams_)
                ignoreFailure(cudaStreamSynchronize(stream.get()));
            raster_.ring_.forget();
        }

        // Views in turn have two streams: one is drawn while the one before is copied back.
        void draw(const raster::Screen& screen, std::span<const float> prior,
                  RasterImage& image) override {
            cudaStream_t stream = raster_.streams_[degenerate_.size() % 2].get();
            const std::size_t pixels = std::size_t{screen.width} * screen.height;
            RasterScene scene{.faces = faces_->memory.as<std::uint32_t>(),
                              .faceCount = static_cast<std::uint32_t>(screen.faces->size()),
                              .pieceCount = static_cast<std::uint32_t>(screen.pieces.size()),
                              .width = screen.width,
                              .height = screen.height,
                              .truncation = options_.occlusionTruncation};
            RasterOutput output;
            std::byte* workspace = nullptr;
            CUDA_CHECK(cudaStreamWaitEvent(stream, faces_->uploaded.get(), 0));
            const PooledMemory memory =
                raster_.memory_.allocateParts(stream, [&](Partition& parts) {
                    const auto sent = [&](const auto* values, std::size_t count) {
                        using Value = std::remove_cvref_t<decltype(*values)>;
                        auto* part = parts.take<Value>(count);
                        if (part != nullptr)
                            send(reinterpret_cast<std::byte*>(part), values, count * sizeof(Value),
                                 options_.cancel, stream);
                        return part;
                    };
                    scene.vertices = sent(screen.vertices.get(), screen.vertexCount);
                    scene.pieces = sent(screen.pieces.data(), screen.pieces.size());
                    if (!prior.empty()) scene.prior = sent(prior.data(), prior.size());
                    output = {parts.take<std::uint32_t>(pixels), parts.take<float>(3 * pixels),
                              options_.wantDepth ? parts.take<float>(pixels) : nullptr,
                              parts.take<std::uint32_t>(1)};
                    workspace = parts.take<std::byte>(rasterWorkspace(scene));
                });
            CUDA_CHECK(cudaMemsetAsync(output.degenerate, 0, sizeof *output.degenerate, stream));
            launchRaster(stream, raster_.device_.limits, scene, output, workspace);

            const auto fetch = [&](auto& values, const void* from) {
                raster_.ring_.fetch(values.data(), from, values.size() * sizeof values[0],
                                    options_.cancel, stream);
            };
            fetch(image.face, output.face);
            fetch(image.barycentric, output.barycentric);
            if (options_.wantDepth) fetch(image.depth, output.depth);
            image.degenerate = screen.degenerateCut;
            auto& [ofImage, count] = degenerate_.emplace_back(&image, 0U);
            raster_.ring_.fetch(&count, output.degenerate, sizeof count, options_.cancel, stream);
        }

        void finish() override {
            raster_.ring_.drain(options_.cancel);
            for (const auto& [image, count] : degenerate_) image->degenerate += count;
            degenerate_.clear();
        }

      private:
        CudaRaster& raster_;
        std::unique_lock<std::mutex> lock_;
        const RasterOptions& options_;
        std::shared_ptr<const DeviceFaces> faces_;
        std::deque<std::pair<RasterImage*, std::uint32_t>> degenerate_;  ///< of each view
    };

    std::shared_ptr<const DeviceFaces> facesOnDevice(const Faces& faces,
                                                     const RasterOptions& options) {
        if (options.facesKey && kept_ && kept_->key == options.facesKey) return kept_;
        cudaStream_t stream = streams_.front().get();
        const std::size_t bytes = faces.size() * sizeof(glm::u32vec3);
        auto uploaded = std::make_shared<DeviceFaces>();
        uploaded->key = options.facesKey;
        uploaded->memory = memory_.allocate(bytes, stream);
        send(uploaded->memory.data(), faces.data(), bytes, options.cancel, stream);
        CUDA_CHECK(cudaEventRecord(uploaded->uploaded.get(), stream));
        if (options.facesKey) kept_ = uploaded;
        return uploaded;
    }

    // Each needs those before it.
    std::mutex mutex_;
    ChosenDevice device_;
    CudaDevice api_;
    std::array<OwnedStream, 2> streams_ = {makeStream(), makeStream()};
    MemoryPool memory_;
    MemoryPool pinnedMemory_;
    ResultRing ring_;
    std::shared_ptr<const DeviceFaces> kept_;
};

}  // namespace

std::unique_ptr<raster::DeviceRaster> makeDeviceRaster(int device) {
    return std::make_unique<CudaRaster>(device);
}

}  // namespace threefold::cuda
