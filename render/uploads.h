#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "render/memory.h"
#include "render/pipeline.h"
#include "render/scene.h"
#include "resources/shaders/shared.h"

namespace threefold::render {

/// Mesh data in the layout of the shaders. Vertices that are not finite are marked hidden, and
/// their faces omitted.
struct MeshGeometry {
    std::vector<shared::MeshVertex> vertices;  ///< in the order of the mesh
    std::vector<std::uint32_t> indices;        ///< three per face
    glm::vec3 centre{0.0F};                    ///< centre of the box around the finite vertices
    float radius = 0.0F;        ///< radius of the sphere around `centre` with all finite vertices
    bool mixedWinding = false;  ///< faces wind inconsistently
};

/// Checks the mesh and computes its vertex normals, each face weighted by its area.
/// Throws InputError: a face index out of range.
MeshGeometry makeGeometry(const SceneMesh& mesh);

/// A mesh on the device. MeshPreparation fills the buffers or their staging copies, MeshStore adds
/// the descriptors.
struct DeviceMesh {
    StagedBuffer vertices;
    StagedBuffer indices;
    std::uint32_t vertexCount = 0;
    std::uint32_t indexCount = 0;
    glm::vec3 centre{0.0F};
    float radius = 0.0F;
    bool mixedWinding = false;
    DescriptorSet descriptors = {};
};

/// Checks the mesh and stages its geometry; null for a mesh without vertices. Throws InputError
/// (makeGeometry; too large for the device), DeviceError. Thread-safe.
std::optional<DeviceMesh> stageMesh(const Device& device, const SceneMesh& mesh);

/// Stages large meshes one after another on a separate thread, so that frames do not wait for them.
/// Call its functions on one thread, the renderer's.
class MeshPreparation {
  public:
    /// The device must outlive the object.
    explicit MeshPreparation(const Device& device) : device_(device) {}

    /// Returns true if take() will return at once, as for all small meshes. Otherwise starts
    /// staging and returns false; the other thread calls `onReady` when done.
    bool prepareAsync(const SceneMeshRef& mesh, const std::function<void()>& onReady);

    /// Moves the staged mesh out; stages the mesh now unless prepareAsync() started that and it is
    /// done. Throws as stageMesh.
    std::optional<DeviceMesh> take(const SceneMeshRef& mesh);

    /// Forgets meshes that are no longer in use.
    void removeUnused() {
        std::erase_if(staged_, [](const auto& entry) { return entry.first.expired(); });
    }

  private:
    using Task = std::packaged_task<std::optional<DeviceMesh>()>;
    struct Job {
        SceneMeshRef mesh;
        Task task;
        std::function<void()> onReady;
    };

    void loop(const std::stop_token& closing);

    const Device& device_;
    // Accessed on the renderer's thread only.
    std::map<std::weak_ptr<const SceneMesh>, std::future<std::optional<DeviceMesh>>,
             std::owner_less<>>
        staged_;
    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::deque<Job> waiting_;
    // Started by the first large mesh. Last member, because its destruction needs the others.
    std::jthread thread_;
};

/// Maps shared objects of the scene to their copies on the device. An entry lasts as long as its
/// object; removeUnused() drops entries whose upload commands were recorded, but not submitted.
template <typename OnDevice>
class UploadCache {
  public:
    using Source = std::shared_ptr<const void>;

    bool contains(const Source& source) const { return entries_.contains(source); }

    /// Finds the copy of an object and keeps it alive in `kept`, for the frame that reads it; null
    /// if unknown.
    std::shared_ptr<const OnDevice> find(const Source& source, KeptAlive& kept) const {
        const auto entry = entries_.find(source);
        if (entry == entries_.end()) return nullptr;
        kept.push_back(entry->second.onDevice);
        return entry->second.onDevice;
    }

    /// Adds a copy. `complete`: needs no upload commands.
    void add(const Source& source, std::shared_ptr<const OnDevice> copy, bool complete = false) {
        entries_.emplace(source, Entry{std::move(copy), complete});
    }

    /// Forgets objects that are gone and uploads that were never submitted.
    void removeUnused() {
        std::erase_if(entries_, [](const auto& entry) {
            return entry.first.expired() || !entry.second.submitted;
        });
    }

    void markSubmitted() {
        for (auto& [source, entry] : entries_) entry.submitted = true;
    }

  private:
    struct Entry {
        std::shared_ptr<const OnDevice> onDevice;
        bool submitted = false;
    };
    std::map<std::weak_ptr<const void>, Entry, std::owner_less<>> entries_;
};

/// Uploads each mesh once. A mesh is freed when its SceneMesh is gone and every frame that drew the
/// mesh has released its KeptAlive.
class MeshStore {
  public:
    /// `setLayout`: layout of shared::kMeshSet. All arguments must outlive the store.
    MeshStore(const Device& device, VkDescriptorSetLayout setLayout, const Buffer& colourTable);

    /// Returns true if `get` will return without delay. Otherwise starts preparing the mesh, large
    /// and new, on another thread, which then calls `onReady`, and returns false.
    bool prepareAsync(const SceneMeshRef& mesh, const std::function<void()>& onReady) {
        return meshes_.contains(mesh) || preparation_.prepareAsync(mesh, onReady);
    }

    /// Returns the mesh on the device, null for a mesh without vertices. Records the upload of a
    /// new mesh in `commands`, outside of a render pass. Throws InputError (makeGeometry; too large
    /// for the device), DeviceError.
    std::shared_ptr<const DeviceMesh> get(const SceneMeshRef& mesh, VkCommandBuffer commands,
                                          KeptAlive& kept);

    /// Forgets meshes that are no longer in use or whose upload was never submitted.
    void removeUnused() {
        meshes_.removeUnused();
        preparation_.removeUnused();
    }

    /// Notes that the commands given to `get` were submitted.
    void markSubmitted() { meshes_.markSubmitted(); }

  private:
    const Device& device_;
    VkDescriptorSetLayout setLayout_;
    const Buffer& colourTable_;
    UploadCache<DeviceMesh> meshes_;
    MeshPreparation preparation_;
};

struct DeviceValues {
    Buffer buffer;
    DescriptorSet descriptors;
};

/// Uploads each set of values and each texture once, and frees them as MeshStore does meshes.
class ValueStore {
  public:
    /// `setLayout`: layout of shared::kValueSet. Both arguments must outlive the store. Throws
    /// DeviceError.
    ValueStore(const Device& device, VkDescriptorSetLayout setLayout);

    /// Returns the values, which must not be empty, on the device; null gives a placeholder that no
    /// shader reads. Throws InputError (too large for the device), DeviceError.
    std::shared_ptr<const DeviceValues> get(const SceneValuesRef& values, VkCommandBuffer commands,
                                            KeptAlive& kept);

    /// Returns the texture on the device, packed in place of values: see shared::kTextureWidth and
    /// the constants after it. Throws as for values.
    std::shared_ptr<const DeviceValues> get(const SceneTextureRef& texture,
                                            VkCommandBuffer commands, KeptAlive& kept);

    void removeUnused() { uploaded_.removeUnused(); }
    void markSubmitted() { uploaded_.markSubmitted(); }

  private:
    std::shared_ptr<const DeviceValues> describe(Buffer buffer) const;
    std::shared_ptr<const DeviceValues> upload(const std::shared_ptr<const void>& source,
                                               std::span<const std::byte> data, const char* name,
                                               VkCommandBuffer commands, KeptAlive& kept);

    const Device& device_;
    VkDescriptorSetLayout setLayout_;
    std::shared_ptr<const DeviceValues> none_;
    UploadCache<DeviceValues> uploaded_;
};

}  // namespace threefold::render
