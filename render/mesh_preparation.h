#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include <glm/vec3.hpp>

#include "render/device.h"
#include "render/scene.h"
#include "render/upload.h"

namespace threefold::render {

/// A mesh as the device will read it, but for the copies that are still to be recorded.
struct StagedMesh {
    StagedBuffer vertices;
    StagedBuffer indices;
    std::uint32_t vertexCount = 0;
    std::uint32_t indexCount = 0;
    glm::vec3 centre{0.0F};
    float radius = 0.0F;
};

/// Checks the mesh and writes its geometry to where the device takes it from; null for a mesh
/// without vertices. Throws InputError (makeGeometry; too large for the device), DeviceError. Any
/// thread, beside others.
std::optional<StagedMesh> stageMesh(const Device& device, const SceneMesh& mesh);

/// Stages large meshes on a thread of its own, one after another, so that frames need not wait for
/// them. All functions are of one thread, the renderer's.
class MeshPreparation {
  public:
    /// The device must outlive it.
    explicit MeshPreparation(const Device& device) : device_(device) {}
    ~MeshPreparation();
    MeshPreparation(const MeshPreparation&) = delete;
    MeshPreparation& operator=(const MeshPreparation&) = delete;

    /// Whether take() will give the mesh at once: small ones always. Starts on others, and calls
    /// `then` on the other thread each time that one of them is ready.
    bool ready(const SceneMeshRef& mesh, const std::function<void()>& then);

    /// The staged mesh, once; staged here and now where ready() never began. As stageMesh.
    std::optional<StagedMesh> take(const SceneMeshRef& mesh);

    /// Forgets meshes that nobody holds.
    void tidy();

  private:
    struct Outcome {
        std::optional<StagedMesh> mesh;
        std::exception_ptr failure;
    };
    struct Job {
        SceneMeshRef mesh;
        std::function<void()> then;
    };

    void loop(const std::stop_token& closing);

    const Device& device_;
    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::deque<Job> waiting_;
    // Nothing while the mesh is being staged.
    std::map<std::weak_ptr<const SceneMesh>, std::optional<Outcome>, std::owner_less<>> outcomes_;
    std::jthread thread_;  // from the first large mesh on
};

}  // namespace threefold::render
