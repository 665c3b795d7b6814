#include "engine/hull/even_mesh.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include <glm/geometric.hpp>

#include "engine/compute/parallel.h"
#include "engine/error.h"
#include "engine/hull/half_edges.h"

namespace threefold::hull {
namespace {

/// Edge of the equilateral triangles that cover the surface with so many vertices.
float evenEdge(const HalfEdges& mesh, std::size_t vertices) {
    double area = 0;
    for (std::uint32_t edge = 0; edge < mesh.edgeCount(); edge += 3)
        area += glm::length(mesh.faceNormal(edge)) / 2.0;
    return static_cast<float>(std::sqrt(2 * area / (std::sqrt(3.0) * double(vertices))));
}

/// Collapses short edges first, in rounds of growing length.
void coarsen(HalfEdges& mesh, std::size_t vertices, float edge, const std::stop_token& cancel) {
    constexpr float kFirst = 0.25F;
    constexpr float kGrowth = 1.15F;
    constexpr int kRounds = 18;  // to an edge that is three times as long
    constexpr float kLongest = 1.6F;
    float share = kFirst;
    for (int round = 0; round < kRounds; ++round, share *= kGrowth) {
        if (cancel.stop_requested()) throw Cancelled();
        const float most = share * edge;
        const float longest = kLongest * std::max(most, edge);
        for (std::uint32_t at = 0; at < mesh.edgeCount(); ++at) {
            if (!mesh.isAlive(at) || mesh.from(at) > mesh.to(at)) continue;
            const glm::vec3 along = mesh.place(mesh.to(at)) - mesh.place(mesh.from(at));
            if (glm::dot(along, along) > most * most || !mesh.collapse(at, longest)) continue;
            if (mesh.vertexCount() <= vertices) return;
        }
    }
}

/// The middle of the neighbours within the tangent plane, brought back to the field's zero level.
glm::vec3 relaxed(const HalfEdges& mesh, std::uint32_t vertex, const Field& field, float edge) {
    glm::vec3 sum(0);
    float count = 0;
    mesh.visitFrom(vertex, [&](std::uint32_t at) {
        sum += mesh.place(mesh.to(at));
        return ++count > 0;
    });
    const glm::vec3 normal = mesh.normal(vertex);
    const float length = glm::length(normal);
    glm::vec3 place = mesh.place(vertex);
    if (length == 0) return place;
    const glm::vec3 up = normal / length;
    constexpr float kPart = 0.5F;
    const glm::vec3 aside = sum / count - place;
    place += kPart * (aside - glm::dot(aside, up) * up);
    for (int step = 0; step < 2; ++step)
        place -= std::clamp(field(glm::dvec3(place), edge / 4), -edge / 4, edge / 4) * up;
    return place;
}

void relax(HalfEdges& mesh, const Field& field, float edge, int threads,
           const std::stop_token& cancel) {
    constexpr std::size_t kAtOnce = 128;
    for (std::uint32_t at = 0; at < mesh.edgeCount(); ++at)
        if (mesh.isAlive(at) && mesh.from(at) < mesh.to(at)) mesh.flip(at);
    const std::size_t count = mesh.vertexSlots();
    Points places(count);
    parallelFor(threads, (count + kAtOnce - 1) / kAtOnce, cancel,
                [&](std::size_t item, std::size_t /*thread*/) {
                    const std::size_t end = std::min(count, (item + 1) * kAtOnce);
                    for (std::size_t i = item * kAtOnce; i < end; ++i) {
                        const auto vertex = static_cast<std::uint32_t>(i);
                        if (mesh.anyFrom(vertex) != HalfEdges::kNone)
                            places[i] = relaxed(mesh, vertex, field, edge);
                    }
                });
    for (std::uint32_t vertex = 0; vertex < count; ++vertex)
        if (mesh.anyFrom(vertex) != HalfEdges::kNone) mesh.move(vertex, places[vertex]);
}

}  // namespace

Mesh evenMesh(Mesh fine, std::size_t vertices, const Field& field, int threads,
              const std::stop_token& cancel) {
    constexpr int kRounds = 4;
    HalfEdges mesh(std::move(fine));
    const float edge = evenEdge(mesh, vertices);
    coarsen(mesh, vertices, edge, cancel);
    HalfEdges even(mesh.mesh());
    for (int round = 0; round < kRounds; ++round) relax(even, field, edge, threads, cancel);
    return even.mesh();
}

}  // namespace threefold::hull
