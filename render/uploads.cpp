#include "render/uploads.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>

#include "engine/error.h"

namespace threefold::render {
namespace {

void check(const SceneMesh& mesh) {
    for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
        for (int corner = 0; corner < 3; ++corner) {
            if (mesh.faces[f][corner] < mesh.vertices.size()) continue;
            throw InputError({"mesh", fmt::format("face {}", f),
                              fmt::format("vertex index {}, but the mesh has {} vertices",
                                          mesh.faces[f][corner], mesh.vertices.size()),
                              "Check the file that the mesh came from."});
        }
    }
}

shared::MeshVertex makeVertex(glm::vec3 position) {
    if (threefold::isFinite(position)) return {position, 0U, glm::vec3(0.0F), 0.0F};
    return {glm::vec3(0.0F), 1U, glm::vec3(0.0F), 0.0F};
}

void addFace(MeshGeometry& geometry, glm::u32vec3 face) {
    shared::MeshVertex* corners[3];
    for (int i = 0; i < 3; ++i) {
        corners[i] = &geometry.vertices[face[i]];
        if (corners[i]->hidden != 0) return;
    }
    const glm::vec3 a = corners[0]->position;
    const glm::vec3 areaNormal = glm::cross(corners[1]->position - a, corners[2]->position - a);
    const float area = glm::length(areaNormal);
    for (int i = 0; i < 3; ++i) {
        corners[i]->normal += areaNormal;
        corners[i]->spare += area;
        geometry.indices.push_back(face[i]);
    }
}

// Whether faces wind inconsistently: consistent neighbours run along their common edge in opposite
// directions.
bool hasMixedWinding(const MeshGeometry& geometry) {
    std::vector<std::uint64_t> edges;  // directed: from one vertex to the next
    edges.reserve(geometry.indices.size());
    for (std::size_t first = 0; first + 2 < geometry.indices.size(); first += 3)
        for (std::size_t i = 0; i < 3; ++i)
            edges.push_back(std::uint64_t{geometry.indices[first + i]} << 32U |
                            geometry.indices[first + (i + 1) % 3]);
    std::ranges::sort(edges);
    std::size_t repeated = 0;
    for (std::size_t i = 1; i < edges.size(); ++i) repeated += edges[i] == edges[i - 1] ? 1 : 0;
    // Where more than two faces meet, consistent meshes repeat an edge, too: up to 1 % is
    // tolerated.
    constexpr std::size_t kEdgesPerRepeated = 100;
    return repeated * kEdgesPerRepeated > edges.size();
}

// Recomputes vertex normals of meshes with inconsistent winding, as many published meshes have:
// where such faces meet, normals cancel. If this happens at many vertices, each face's normal is
// added on the side of the sum before it.
void alignNormals(MeshGeometry& geometry) {
    constexpr float kCancelled = 0.5F;  // a cube's corner keeps 0.58
    constexpr std::size_t kMany = 64;   // sharp blades have some as well
    std::size_t cancelled = 0;
    for (shared::MeshVertex& vertex : geometry.vertices) {
        if (glm::length(vertex.normal) < kCancelled * vertex.spare) ++cancelled;
        vertex.spare = 0;
    }
    if (cancelled * kMany <= geometry.vertices.size() || !hasMixedWinding(geometry)) return;
    geometry.mixedWinding = true;
    for (shared::MeshVertex& vertex : geometry.vertices) vertex.normal = glm::vec3(0.0F);
    for (std::size_t first = 0; first + 2 < geometry.indices.size(); first += 3) {
        shared::MeshVertex* corners[3];
        for (std::size_t i = 0; i < 3; ++i)
            corners[i] = &geometry.vertices[geometry.indices[first + i]];
        const glm::vec3 normal = glm::cross(corners[1]->position - corners[0]->position,
                                            corners[2]->position - corners[0]->position);
        for (shared::MeshVertex* corner : corners)
            corner->normal += glm::dot(normal, corner->normal) < 0 ? -normal : normal;
    }
}

void findBounds(MeshGeometry& geometry) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    glm::vec3 low(kInfinity), high(-kInfinity);
    for (const shared::MeshVertex& vertex : geometry.vertices) {
        if (vertex.hidden != 0) continue;
        low = glm::min(low, vertex.position);
        high = glm::max(high, vertex.position);
    }
    if (!(low.x <= high.x)) return;
    geometry.centre = 0.5F * low + 0.5F * high;
    for (const shared::MeshVertex& vertex : geometry.vertices) {
        if (vertex.hidden != 0) continue;
        geometry.radius =
            std::max(geometry.radius, glm::distance(geometry.centre, vertex.position));
    }
}

// Largest mesh that is staged at once, in about a millisecond.
constexpr std::size_t kMaxImmediate = 20'000;  // vertices and faces

// Clamps values to finite ones: they interpolate without NaN, and the colour range clamps them
// anyway.
float storedValue(float value) {
    if (std::isnan(value)) return shared::kNoValue;
    return std::clamp(value, -shared::kMaxValue, shared::kMaxValue);
}

bool isReady(const std::future<std::optional<DeviceMesh>>& staged) {
    return staged.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

std::vector<std::uint32_t> packTexture(const SceneTexture& texture) {
    const std::size_t firstPixel = shared::kTextureCorners + 2 * texture.corners.size();
    std::vector<std::uint32_t> words(firstPixel + texture.pixels.size() / 4);
    words[shared::kTextureWidth] = static_cast<std::uint32_t>(texture.width);
    words[shared::kTextureHeight] = static_cast<std::uint32_t>(texture.height);
    words[shared::kTexturePixels] = static_cast<std::uint32_t>(firstPixel);
    std::uint32_t* word = &words[shared::kTextureCorners];
    for (std::size_t face = 0; face + 2 < texture.corners.size(); face += 3) {
        const auto corners = std::span(texture.corners).subspan(face, 3);
        const bool plain = std::ranges::any_of(corners, [](glm::vec2 corner) {
            return !std::isfinite(corner.x) || !std::isfinite(corner.y);
        });
        for (const glm::vec2 corner : corners) {
            const glm::vec2 stored = plain ? glm::vec2(-1.0F) : glm::clamp(corner, 0.0F, 1.0F);
            *word++ = std::bit_cast<std::uint32_t>(stored.x);
            *word++ = std::bit_cast<std::uint32_t>(stored.y);
        }
    }
    std::memcpy(words.data() + firstPixel, texture.pixels.data(), texture.pixels.size() / 4 * 4);
    return words;
}

}  // namespace

MeshGeometry makeGeometry(const SceneMesh& mesh) {
    check(mesh);
    MeshGeometry geometry;
    geometry.vertices.reserve(mesh.vertices.size());
    for (const glm::vec3 position : mesh.vertices)
        geometry.vertices.push_back(makeVertex(position));
    geometry.indices.reserve(3 * mesh.faces.size());
    for (const glm::u32vec3 face : mesh.faces) addFace(geometry, face);
    alignNormals(geometry);
    for (shared::MeshVertex& vertex : geometry.vertices) {
        const float size = glm::length(vertex.normal);
        vertex.normal = size > 0.0F && std::isfinite(size) ? vertex.normal / size : glm::vec3(0.0F);
    }
    findBounds(geometry);
    return geometry;
}

std::optional<DeviceMesh> stageMesh(const Device& device, const SceneMesh& mesh) {
    const MeshGeometry geometry = makeGeometry(mesh);
    if (geometry.vertices.empty()) return std::nullopt;
    // A buffer cannot be empty: a mesh without faces gets one index that nothing draws.
    static constexpr std::array<std::uint32_t, 1> kNoIndices{};
    const std::span<const std::uint32_t> indices = geometry.indices.empty()
                                                       ? std::span<const std::uint32_t>(kNoIndices)
                                                       : std::span(geometry.indices);
    return DeviceMesh{
        .vertices = stage(device, std::as_bytes(std::span(geometry.vertices)), "vertices"),
        .indices = stage(device, std::as_bytes(indices), "faces"),
        .vertexCount = static_cast<std::uint32_t>(geometry.vertices.size()),
        .indexCount = static_cast<std::uint32_t>(geometry.indices.size()),
        .centre = geometry.centre,
        .radius = geometry.radius,
        .mixedWinding = geometry.mixedWinding};
}

bool MeshPreparation::prepareAsync(const SceneMeshRef& mesh, const std::function<void()>& onReady) {
    if (mesh->vertices.size() + mesh->faces.size() <= kMaxImmediate) return true;
    // Before the mesh is staged: a thread that cannot be started must leave no entry behind.
    if (!thread_.joinable())
        thread_ = std::jthread([this](const std::stop_token& closing) { loop(closing); });
    const auto [entry, isNew] = staged_.try_emplace(mesh);
    if (!isNew) return isReady(entry->second);
    // The job holds the mesh.
    Job job{mesh, Task([this, &scene = *mesh] { return stageMesh(device_, scene); }), onReady};
    entry->second = job.task.get_future();
    const std::scoped_lock lock(mutex_);
    waiting_.push_back(std::move(job));
    wake_.notify_one();
    return false;
}

std::optional<DeviceMesh> MeshPreparation::take(const SceneMeshRef& mesh) {
    const auto entry = staged_.find(mesh);
    if (entry == staged_.end() || !isReady(entry->second)) return stageMesh(device_, *mesh);
    auto staged = std::move(entry->second);
    staged_.erase(entry);
    return staged.get();
}

void MeshPreparation::loop(const std::stop_token& closing) {
    while (true) {
        Job job;
        {
            std::unique_lock lock(mutex_);
            const bool more = wake_.wait(lock, closing, [this] { return !waiting_.empty(); });
            if (!more || closing.stop_requested()) return;
            job = std::move(waiting_.front());
            waiting_.pop_front();
        }
        if (job.mesh.use_count() == 1) continue;  // no longer used
        job.task();
        job.onReady();
    }
}

MeshStore::MeshStore(const Device& device, VkDescriptorSetLayout setLayout,
                     const Buffer& colourTable)
    : device_(device), setLayout_(setLayout), colourTable_(colourTable), preparation_(device) {}

std::shared_ptr<const DeviceMesh> MeshStore::get(const SceneMeshRef& mesh, VkCommandBuffer commands,
                                                 KeptAlive& kept) {
    if (auto existing = meshes_.find(mesh, kept)) return existing;
    std::optional<DeviceMesh> staged = preparation_.take(mesh);
    if (!staged) return nullptr;
    auto result = std::make_shared<DeviceMesh>(std::move(*staged));
    const bool complete = !result->vertices.source && !result->indices.source;
    record(result->vertices, commands, kept);
    record(result->indices, commands, kept);
    result->descriptors =
        makeDescriptorSet(device_, setLayout_,
                          {bufferBinding(shared::kColourTableBinding,
                                         VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, colourTable_.handle()),
                           bufferBinding(shared::kVertexBinding, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                         result->vertices.buffer.handle()),
                           bufferBinding(shared::kIndexBinding, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                         result->indices.buffer.handle())});
    kept.push_back(result);
    meshes_.add(mesh, result, complete);
    return result;
}

ValueStore::ValueStore(const Device& device, VkDescriptorSetLayout setLayout)
    : device_(device), setLayout_(setLayout) {
    none_ = describe(
        Buffer(device, sizeof(float), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, MemoryUse::upload));
}

std::shared_ptr<const DeviceValues> ValueStore::describe(Buffer buffer) const {
    auto result = std::make_shared<DeviceValues>(DeviceValues{std::move(buffer), {}});
    result->descriptors =
        makeDescriptorSet(device_, setLayout_,
                          {bufferBinding(shared::kValueBinding, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                         result->buffer.handle())});
    return result;
}

std::shared_ptr<const DeviceValues> ValueStore::get(const SceneValuesRef& values,
                                                    VkCommandBuffer commands, KeptAlive& kept) {
    if (!values) return none_;
    if (auto existing = uploaded_.find(values, kept)) return existing;
    std::vector<float> stored(values->size());
    std::transform(values->begin(), values->end(), stored.begin(), storedValue);
    return upload(values, std::as_bytes(std::span(stored)), "values", commands, kept);
}

std::shared_ptr<const DeviceValues> ValueStore::get(const SceneTextureRef& texture,
                                                    VkCommandBuffer commands, KeptAlive& kept) {
    if (auto existing = uploaded_.find(texture, kept)) return existing;
    const std::vector<std::uint32_t> words = packTexture(*texture);
    return upload(texture, std::as_bytes(std::span(words)), "texture", commands, kept);
}

std::shared_ptr<const DeviceValues> ValueStore::upload(const std::shared_ptr<const void>& source,
                                                       std::span<const std::byte> data,
                                                       const char* name, VkCommandBuffer commands,
                                                       KeptAlive& kept) {
    StagedBuffer staged = stage(device_, data, name);
    record(staged, commands, kept);
    auto result = describe(std::move(staged.buffer));
    kept.push_back(result);
    uploaded_.add(source, result);
    return result;
}

}  // namespace threefold::render
