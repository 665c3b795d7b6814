#include "engine/hull/isotropic_remeshing.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include <glm/geometric.hpp>

#include "engine/compute/parallel.h"
#include "engine/error.h"
#include "engine/hull/half_edge_mesh.h"

namespace threefold::hull {
namespace {

/// Edge length of equilateral triangles that cover the surface with this number of vertices.
float targetEdgeLength(const HalfEdgeMesh& mesh, std::size_t vertexCount) {
    double area = 0;
    for (std::uint32_t edge = 0; edge < mesh.halfEdgeCapacity(); edge += 3)
        area += glm::length(mesh.faceNormal(edge)) / 2.0;
    return static_cast<float>(std::sqrt(2 * area / (std::sqrt(3.0) * double(vertexCount))));
}

/// Collapses edges up to a length that grows from round to round, so that short edges go first.
void coarsen(HalfEdgeMesh& mesh, std::size_t vertexCount, float edgeLength,
             const std::stop_token& cancel) {
    constexpr float kFirstRatio = 0.25F;
    constexpr float kGrowth = 1.15F;
    constexpr int kRounds = 18;  // the last one at 0.25 · 1.15¹⁷ = 2.7 times the edge length
    constexpr float kMaxLength =
        1.6F;  // of edges after a collapse, relative to max(limit, edgeLength)
    float ratio = kFirstRatio;
    for (int round = 0; round < kRounds; ++round, ratio *= kGrowth) {
        if (cancel.stop_requested()) throw Cancelled();
        const float limit = ratio * edgeLength;
        const float maxLength = kMaxLength * std::max(limit, edgeLength);
        for (std::uint32_t i = 0; i < mesh.halfEdgeCapacity(); ++i) {
            if (!mesh.isAlive(i) || mesh.fromVertex(i) > mesh.toVertex(i)) continue;
            const glm::vec3 along =
                mesh.position(mesh.toVertex(i)) - mesh.position(mesh.fromVertex(i));
            if (glm::dot(along, along) > limit * limit || !mesh.collapse(i, maxLength)) continue;
            if (mesh.aliveVertexCount() <= vertexCount) return;
        }
    }
}

/// New position of a vertex: halfway to the mean of its neighbours within the tangent plane, then
/// towards the field's zero level in two steps of at most a quarter of an edge.
glm::vec3 relaxed(const HalfEdgeMesh& mesh, std::uint32_t vertex, const DistanceField& field,
                  float edgeLength) {
    glm::vec3 sum(0);
    float count = 0;
    mesh.visitOutgoing(vertex, [&](std::uint32_t i) {
        sum += mesh.position(mesh.toVertex(i));
        ++count;
        return true;
    });
    const glm::vec3 normal = mesh.normal(vertex);
    const float length = glm::length(normal);
    glm::vec3 position = mesh.position(vertex);
    if (length == 0) return position;
    const glm::vec3 up = normal / length;
    constexpr float kStep = 0.5F;
    const glm::vec3 aside = sum / count - position;
    position += kStep * (aside - glm::dot(aside, up) * up);
    for (int step = 0; step < 2; ++step)
        position -= std::clamp(field(glm::dvec3(position), edgeLength / 4), -edgeLength / 4,
                               edgeLength / 4) *
                    up;
    return position;
}

void relax(HalfEdgeMesh& mesh, const DistanceField& field, float edgeLength, int threads,
           const std::stop_token& cancel) {
    constexpr std::size_t kChunk = 128;
    for (std::uint32_t at = 0; at < mesh.halfEdgeCapacity(); ++at)
        if (mesh.isAlive(at) && mesh.fromVertex(at) < mesh.toVertex(at)) mesh.flip(at);
    const std::size_t count = mesh.vertexCapacity();
    Points positions(count);
    parallelForChunks(threads, count, kChunk, cancel, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const auto vertex = static_cast<std::uint32_t>(i);
            if (mesh.outgoingHalfEdge(vertex) != HalfEdgeMesh::kNone)
                positions[i] = relaxed(mesh, vertex, field, edgeLength);
        }
    });
    for (std::uint32_t vertex = 0; vertex < count; ++vertex)
        if (mesh.outgoingHalfEdge(vertex) != HalfEdgeMesh::kNone)
            mesh.move(vertex, positions[vertex]);
}

}  // namespace

Mesh remeshIsotropically(Mesh fine, std::size_t vertexCount, const DistanceField& field,
                         int threads, const std::stop_token& cancel) {
    constexpr int kRounds = 4;
    HalfEdgeMesh mesh(std::move(fine));
    const float edgeLength = targetEdgeLength(mesh, vertexCount);
    coarsen(mesh, vertexCount, edgeLength, cancel);
    HalfEdgeMesh remeshed(mesh.mesh());
    for (int round = 0; round < kRounds; ++round)
        relax(remeshed, field, edgeLength, threads, cancel);
    return remeshed.mesh();
}

}  // namespace threefold::hull
