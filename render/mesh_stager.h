#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

#include "render/mesh_geometry.h"
#include "render/scene.h"
#include "render/staging.h"

namespace threefold::render {

/// A mesh in buffers of the device, or in staging copies of them.
struct StagedMesh {
    StagedBuffer vertices;
    StagedBuffer indices;
    std::uint32_t vertexCount = 0;
    std::uint32_t indexCount = 0;
    MeshBounds bounds;
    bool mixedWinding = false;  ///< faces wind inconsistently
};

/// Checks the mesh and stages its geometry; null for a mesh without vertices. Throws InputError
/// (for an index out of range, or a mesh too large for the device), DeviceError. Thread-safe.
std::optional<StagedMesh> stageMesh(const Device& device, const SceneMesh& mesh);

/// Stages large meshes one after another on a separate thread, so that frames do not wait for them.
/// Call its functions on one thread, the renderer's.
class MeshStager {
  public:
    /// The device must outlive the object.
    explicit MeshStager(const Device& device) : device_(device) {}

    /// Whether take() will return at once: for small meshes always, for others once staged.
    bool isReady(const SceneMeshRef& mesh) const;

    /// Starts to stage a mesh on another thread, which then calls `onReady`; does nothing if the
    /// mesh is small, or if its staging was started before.
    void startPreparing(const SceneMeshRef& mesh, const std::function<void()>& onReady);

    /// Moves the staged mesh out; stages the mesh now unless the other thread has already
    /// staged it. Throws as stageMesh.
    std::optional<StagedMesh> take(const SceneMeshRef& mesh);

    /// Forgets meshes that are no longer in use.
    void removeUnused() {
        std::erase_if(staged_, [](const auto& entry) { return entry.first.expired(); });
    }

  private:
    using Task = std::packaged_task<std::optional<StagedMesh>()>;
    struct Job {
        SceneMeshRef mesh;
        Task task;
        std::function<void()> onReady;
    };

    void run(const std::stop_token& closing);

    const Device& device_;
    // Accessed on the renderer's thread only.
    std::map<std::weak_ptr<const SceneMesh>, std::future<std::optional<StagedMesh>>,
             std::owner_less<>>
        staged_;
    std::mutex mutex_;
    std::condition_variable_any condition_;
    std::deque<Job> queue_;
    // Started by the first large mesh. Last member, because its destruction needs the others.
    std::jthread thread_;
};

}  // namespace threefold::render
