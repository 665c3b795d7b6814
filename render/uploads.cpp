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
    if (std::isfinite(position.x) && std::isfinite(position.y) && std::isfinite(position.z))
        return {position, 0U, glm::vec3(0.0F), 0.0F};
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

// Neighbours that wind alike run along their edge in opposite directions.
bool windsEitherWay(const MeshGeometry& geometry) {
    std::vector<std::uint64_t> edges;  // from one vertex to the next
    edges.reserve(geometry.indices.size());
    for (std::size_t first = 0; first + 2 < geometry.indices.size(); first += 3)
        for (std::size_t i = 0; i < 3; ++i)
            edges.push_back(std::uint64_t{geometry.indices[first + i]} << 32U |
                            geometry.indices[first + (i + 1) % 3]);
    std::ranges::sort(edges);
    std::size_t twice = 0;
    for (std::size_t i = 1; i < edges.size(); ++i) twice += edges[i] == edges[i - 1] ? 1 : 0;
    constexpr std::size_t kSome = 100;  // one in so many may be where more than two faces meet
    return twice * kSome > edges.size();
}

// Published meshes wind their faces either way: where such faces meet, normals cancel. If that is
// so at many vertices, each normal counts on the side of those before it.
void alignNormals(MeshGeometry& geometry) {
    constexpr float kCancelled = 0.5F;  // a cube's corner keeps 0.58
    constexpr std::size_t kMany = 64;   // a sharp blade has some as well
    std::size_t cancelled = 0;
    for (shared::MeshVertex& vertex : geometry.vertices) {
        if (glm::length(vertex.normal) < kCancelled * vertex.spare) ++cancelled;
        vertex.spare = 0;
    }
    if (cancelled * kMany <= geometry.vertices.size() || !windsEitherWay(geometry)) return;
    geometry.eitherWay = true;
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

void measure(MeshGeometry& geometry) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    glm::vec3 lowest(kInfinity), highest(-kInfinity);
    for (const shared::MeshVertex& vertex : geometry.vertices) {
        if (vertex.hidden != 0) continue;
        lowest = glm::min(lowest, vertex.position);
        highest = glm::max(highest, vertex.position);
    }
    if (!(lowest.x <= highest.x)) return;
    geometry.centre = 0.5F * lowest + 0.5F * highest;
    for (const shared::MeshVertex& vertex : geometry.vertices) {
        if (vertex.hidden != 0) continue;
        geometry.radius =
            std::max(geometry.radius, glm::distance(geometry.centre, vertex.position));
    }
}

// Up to here, a mesh is staged in about a millisecond.
constexpr std::size_t kSmall = 20'000;  // vertices and faces

// Infinite values are clamped to the colour range anyway; finite ones interpolate without NaN.
float storedValue(float value) {
    if (std::isnan(value)) return shared::kNoValue;
    return std::clamp(value, -shared::kLargestValue, shared::kLargestValue);
}

bool isReady(const std::future<std::optional<DeviceMesh>>& staged) {
    return staged.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

std::vector<std::uint32_t> wordsOf(const SceneTexture& texture) {
    const std::size_t pixels = shared::kTextureCorners + 2 * texture.corners.size();
    std::vector<std::uint32_t> words(pixels + texture.pixels.size() / 4);
    words[shared::kTextureWidth] = static_cast<std::uint32_t>(texture.width);
    words[shared::kTextureHeight] = static_cast<std::uint32_t>(texture.height);
    words[shared::kTexturePixels] = static_cast<std::uint32_t>(pixels);
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
    std::memcpy(words.data() + pixels, texture.pixels.data(), texture.pixels.size() / 4 * 4);
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
    measure(geometry);
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
        .eitherWay = geometry.eitherWay};
}

bool MeshPreparation::ready(const SceneMeshRef& mesh, const std::function<void()>& then) {
    if (mesh->vertices.size() + mesh->faces.size() <= kSmall) return true;
    const auto [known, isNew] = staged_.try_emplace(mesh);
    if (!isNew) return isReady(known->second);
    // The job holds the mesh.
    Job job{mesh, Task([this, &scene = *mesh] { return stageMesh(device_, scene); }), then};
    known->second = job.task.get_future();
    const std::scoped_lock lock(mutex_);
    waiting_.push_back(std::move(job));
    if (!thread_.joinable())
        thread_ = std::jthread([this](const std::stop_token& closing) { loop(closing); });
    wake_.notify_one();
    return false;
}

std::optional<DeviceMesh> MeshPreparation::release(const SceneMeshRef& mesh) {
    const auto known = staged_.find(mesh);
    if (known == staged_.end() || !isReady(known->second)) return stageMesh(device_, *mesh);
    auto staged = std::move(known->second);
    staged_.erase(known);
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
        if (job.mesh.use_count() == 1) continue;  // given up while it waited
        job.task();
        job.then();
    }
}

MeshStore::MeshStore(const Device& device, VkDescriptorSetLayout setLayout,
                     const Buffer& colourTable)
    : device_(device), setLayout_(setLayout), colourTable_(colourTable), preparation_(device) {}

std::shared_ptr<const DeviceMesh> MeshStore::get(const SceneMeshRef& mesh, VkCommandBuffer commands,
                                                 KeptAlive& kept) {
    if (auto known = meshes_.find(mesh, kept)) return known;
    std::optional<DeviceMesh> staged = preparation_.release(mesh);
    if (!staged) return nullptr;
    auto made = std::make_shared<DeviceMesh>(std::move(*staged));
    const bool complete = !made->vertices.source && !made->indices.source;
    record(made->vertices, commands, kept);
    record(made->indices, commands, kept);
    made->descriptors =
        makeDescriptorSet(device_, setLayout_,
                          {boundBuffer(shared::kColourTableBinding,
                                       VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, colourTable_.handle()),
                           boundBuffer(shared::kVertexBinding, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                       made->vertices.buffer.handle()),
                           boundBuffer(shared::kIndexBinding, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                       made->indices.buffer.handle())});
    kept.push_back(made);
    meshes_.add(mesh, made, complete);
    return made;
}

ValueStore::ValueStore(const Device& device, VkDescriptorSetLayout setLayout)
    : device_(device), setLayout_(setLayout) {
    none_ = describe(
        Buffer(device, sizeof(float), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, MemoryUse::upload));
}

std::shared_ptr<const DeviceValues> ValueStore::describe(Buffer buffer) const {
    auto made = std::make_shared<DeviceValues>(DeviceValues{std::move(buffer), {}});
    made->descriptors =
        makeDescriptorSet(device_, setLayout_,
                          {boundBuffer(shared::kValueBinding, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                       made->buffer.handle())});
    return made;
}

std::shared_ptr<const DeviceValues> ValueStore::get(const SceneValuesRef& values,
                                                    VkCommandBuffer commands, KeptAlive& kept) {
    if (!values) return none_;
    if (auto known = uploaded_.find(values, kept)) return known;
    std::vector<float> stored(values->size());
    std::transform(values->begin(), values->end(), stored.begin(), storedValue);
    return upload(values, std::as_bytes(std::span(stored)), "values", commands, kept);
}

std::shared_ptr<const DeviceValues> ValueStore::get(const SceneTextureRef& texture,
                                                    VkCommandBuffer commands, KeptAlive& kept) {
    if (auto known = uploaded_.find(texture, kept)) return known;
    const std::vector<std::uint32_t> words = wordsOf(*texture);
    return upload(texture, std::as_bytes(std::span(words)), "texture", commands, kept);
}

std::shared_ptr<const DeviceValues> ValueStore::upload(const std::shared_ptr<const void>& source,
                                                       std::span<const std::byte> data,
                                                       const char* what, VkCommandBuffer commands,
                                                       KeptAlive& kept) {
    StagedBuffer staged = stage(device_, data, what);
    record(staged, commands, kept);
    auto made = describe(std::move(staged.buffer));
    kept.push_back(made);
    uploaded_.add(source, made);
    return made;
}

}  // namespace threefold::render
