#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include <glm/vec3.hpp>

#include "render/device.h"
#include "render/memory.h"
#include "render/pipeline.h"
#include "render/scene.h"
#include "resources/shaders/shared.h"

namespace threefold::render {

/// A mesh as the shaders read it. Vertices that are not finite are marked hidden; their faces are
/// left out.
struct MeshGeometry {
    std::vector<shared::MeshVertex> vertices;  ///< in the order of the mesh's
    std::vector<std::uint32_t> indices;        ///< three per face
    glm::vec3 centre{0.0F};                    ///< of the box around the finite vertices
    float radius = 0.0F;                       ///< of the sphere around `centre` with all vertices
};

/// Checks the mesh and computes its vertex normals, each face weighted by its area.
/// Throws InputError: a face index out of range.
MeshGeometry makeGeometry(const SceneMesh& mesh);

/// A mesh on the device. MeshPreparation fills the buffers or what they are copied from, MeshStore
/// adds the descriptors.
struct DeviceMesh {
    StagedBuffer vertices;
    StagedBuffer indices;
    std::uint32_t vertexCount = 0;
    std::uint32_t indexCount = 0;
    glm::vec3 centre{0.0F};
    float radius = 0.0F;
    DescriptorSet descriptors;
};

/// Checks the mesh and stages its geometry; null for a mesh without vertices. Throws InputError
/// (makeGeometry; too large for the device), DeviceError. Thread-safe.
std::optional<DeviceMesh> stageMesh(const Device& device, const SceneMesh& mesh);

/// Stages large meshes on a thread of its own, one after another, so that frames do not wait for
/// them. Call its functions on one thread, the renderer's.
class MeshPreparation {
  public:
    /// The device must outlive it.
    explicit MeshPreparation(const Device& device) : device_(device) {}
    ~MeshPreparation();

    /// Whether release() will return at once, as for all small meshes. Otherwise starts staging and
    /// calls `then` on the other thread when done.
    bool ready(const SceneMeshRef& mesh, const std::function<void()>& then);

    /// Moves the staged mesh out; stages it now unless ready() started that. As stageMesh.
    std::optional<DeviceMesh> release(const SceneMeshRef& mesh);

    /// Forgets meshes that are no longer in use.
    void tidy();

  private:
    struct Outcome {
        std::optional<DeviceMesh> mesh;
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
    // No value while the mesh is being staged.
    std::map<std::weak_ptr<const SceneMesh>, std::optional<Outcome>, std::owner_less<>> outcomes_;
    std::jthread thread_;  // from the first large mesh on
};

}  // namespace threefold::render
