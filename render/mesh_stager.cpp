#include "render/mesh_stager.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <span>
#include <utility>

namespace threefold::render {
namespace {

// Largest mesh that is staged on the caller's thread, in about a millisecond.
constexpr std::size_t kMaxImmediate = 20'000;  // vertices and faces

bool isSmall(const SceneMesh& mesh) {
    return mesh.vertices.size() + mesh.faces.size() <= kMaxImmediate;
}

bool isDone(const std::future<std::optional<StagedMesh>>& staged) {
    return staged.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

}  // namespace

std::optional<StagedMesh> stageMesh(const Device& device, const SceneMesh& mesh) {
    const MeshGeometry geometry = makeGeometry(mesh);
    if (geometry.vertices.empty()) return std::nullopt;
    // A buffer cannot be empty: a mesh without faces gets one index that nothing draws.
    static constexpr std::array<std::uint32_t, 1> kNoIndices{};
    const std::span<const std::uint32_t> indices = geometry.indices.empty()
                                                       ? std::span<const std::uint32_t>(kNoIndices)
                                                       : std::span(geometry.indices);
    return StagedMesh{
        .vertices = stageBuffer(device, std::as_bytes(std::span(geometry.vertices)), "vertices"),
        .indices = stageBuffer(device, std::as_bytes(indices), "faces"),
        .vertexCount = static_cast<std::uint32_t>(geometry.vertices.size()),
        .indexCount = static_cast<std::uint32_t>(geometry.indices.size()),
        .bounds = geometry.bounds,
        .mixedWinding = geometry.mixedWinding};
}

bool MeshStager::isReady(const SceneMeshRef& mesh) const {
    if (isSmall(*mesh)) return true;
    const auto entry = staged_.find(mesh);
    return entry != staged_.end() && isDone(entry->second);
}

void MeshStager::startPreparing(const SceneMeshRef& mesh, const std::function<void()>& onReady) {
    if (isSmall(*mesh)) return;
    // Starts the thread first, because no entry may remain if the start throws.
    if (!thread_.joinable())
        thread_ = std::jthread([this](const std::stop_token& closing) { run(closing); });
    const auto [entry, isNew] = staged_.try_emplace(mesh);
    if (!isNew) return;
    // Job::mesh keeps the mesh alive for the task.
    Job job{mesh, Task([this, &scene = *mesh] { return stageMesh(device_, scene); }), onReady};
    entry->second = job.task.get_future();
    const std::scoped_lock lock(mutex_);
    queue_.push_back(std::move(job));
    condition_.notify_one();
}

std::optional<StagedMesh> MeshStager::take(const SceneMeshRef& mesh) {
    const auto entry = staged_.find(mesh);
    if (entry == staged_.end()) return stageMesh(device_, *mesh);
    auto staged = std::move(entry->second);
    staged_.erase(entry);
    // If the other thread is not done, this thread stages a copy; the other copy is freed with its
    // job.
    return isDone(staged) ? staged.get() : stageMesh(device_, *mesh);
}

void MeshStager::run(const std::stop_token& closing) {
    while (true) {
        Job job;
        {
            std::unique_lock lock(mutex_);
            const bool more = condition_.wait(lock, closing, [this] { return !queue_.empty(); });
            if (!more || closing.stop_requested()) return;
            job = std::move(queue_.front());
            queue_.pop_front();
        }
        if (job.mesh.use_count() == 1) continue;  // no longer used
        job.task();
        job.onReady();
    }
}

}  // namespace threefold::render
