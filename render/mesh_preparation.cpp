#include "render/mesh_preparation.h"

#include <array>
#include <span>
#include <utility>

#include "render/mesh_geometry.h"

namespace threefold::render {
namespace {

// Up to here, a mesh is staged in about a millisecond.
constexpr std::size_t kSmall = 20'000;  // vertices and faces

bool isSmall(const SceneMesh& mesh) {
    return mesh.vertices.size() + mesh.faces.size() <= kSmall;
}

}  // namespace

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
        .radius = geometry.radius};
}

MeshPreparation::~MeshPreparation() {
    thread_.request_stop();
    if (thread_.joinable()) thread_.join();
}

bool MeshPreparation::ready(const SceneMeshRef& mesh, const std::function<void()>& then) {
    if (isSmall(*mesh)) return true;
    {
        const std::scoped_lock lock(mutex_);
        const auto [known, isNew] = outcomes_.try_emplace(mesh);
        if (!isNew) return known->second.has_value();
        waiting_.push_back({mesh, then});
    }
    if (!thread_.joinable()) {
        thread_ = std::jthread([this](const std::stop_token& closing) { loop(closing); });
    }
    wake_.notify_one();
    return false;
}

std::optional<DeviceMesh> MeshPreparation::take(const SceneMeshRef& mesh) {
    std::optional<Outcome> outcome;
    {
        const std::scoped_lock lock(mutex_);
        const auto known = outcomes_.find(mesh);
        if (known != outcomes_.end() && known->second) {
            outcome = std::move(known->second);
            outcomes_.erase(known);
        }
    }
    if (!outcome) return stageMesh(device_, *mesh);
    if (outcome->failure) std::rethrow_exception(outcome->failure);
    return std::move(outcome->mesh);
}

void MeshPreparation::tidy() {
    const std::scoped_lock lock(mutex_);
    std::erase_if(outcomes_, [](const auto& entry) { return entry.first.expired(); });
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
        Outcome outcome;
        try {
            outcome.mesh = stageMesh(device_, *job.mesh);
        } catch (...) {
            outcome.failure = std::current_exception();
        }
        {
            const std::scoped_lock lock(mutex_);
            const auto known = outcomes_.find(job.mesh);
            if (known != outcomes_.end()) known->second = std::move(outcome);
        }
        job.then();
    }
}

}  // namespace threefold::render
