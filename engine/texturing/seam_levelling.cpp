#include "engine/texturing/seam_levelling.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <glm/common.hpp>

#include "engine/error.h"
#include "engine/numerics/conjugate_gradients.h"
#include "engine/texturing/atlas.h"

namespace threefold::texturing {
namespace {

/// One term of the least squares: weight · (Σ factor · x[node] − target)².
struct Row {
    std::array<std::uint32_t, 4> node;
    std::array<float, 4> factor;
    int count;
    glm::vec3 target;
    float weight;
};

void multiply(std::span<const Row> rows, const Points& x, Points& result) {
    result.assign(x.size(), glm::vec3(0.0F));
    for (const Row& row : rows) {
        glm::vec3 sum(0.0F);
        for (std::size_t i = 0; i < static_cast<std::size_t>(row.count); ++i)
            sum += row.factor[i] * x[row.node[i]];
        for (std::size_t i = 0; i < static_cast<std::size_t>(row.count); ++i)
            result[row.node[i]] += row.weight * row.factor[i] * sum;
    }
}

/// A directed edge and the face that has it.
struct FaceEdge {
    std::uint32_t from;
    std::uint32_t to;
    std::uint32_t face;

    auto ends() const { return std::pair(from, to); }
};

/// Sorted by their ends. Of several faces with one directed edge, as a mesh that is no manifold has
/// them, the first.
std::vector<FaceEdge> sortedEdges(const Mesh& mesh) {
    std::vector<FaceEdge> edges;
    edges.reserve(3 * mesh.faces.size());
    for (std::uint32_t face = 0; face < mesh.faces.size(); ++face)
        for (int i = 0; i < 3; ++i)
            edges.push_back({mesh.faces[face][i], mesh.faces[face][(i + 1) % 3], face});
    std::ranges::stable_sort(edges, {}, &FaceEdge::ends);
    const auto same = [](const FaceEdge& a, const FaceEdge& b) { return a.ends() == b.ends(); };
    edges.erase(std::unique(edges.begin(), edges.end(), same), edges.end());
    return edges;
}

const FaceEdge* findEdge(std::span<const FaceEdge> sorted, std::uint32_t from, std::uint32_t to) {
    const auto found = std::ranges::lower_bound(sorted, std::pair(from, to), {}, &FaceEdge::ends);
    return found != sorted.end() && found->ends() == std::pair(from, to) ? &*found : nullptr;
}

/// Solves the least squares from zero, which keeps the overall brightness.
Points leastSquares(std::span<const Row> rows, std::size_t nodes, const std::stop_token& cancel) {
    constexpr int kMaxSteps = 500;
    constexpr double kTolerance = 1e-6;
    Points rightSide(nodes, glm::vec3(0.0F));
    for (const Row& row : rows)
        for (std::size_t i = 0; i < static_cast<std::size_t>(row.count); ++i)
            rightSide[row.node[i]] += row.weight * row.factor[i] * row.target;
    const auto apply = [&](const Points& x, Points& result) {
        if (cancel.stop_requested()) throw Cancelled();
        multiply(rows, x, result);
    };
    Points x(nodes, glm::vec3(0.0F));
    conjugateGradients(apply, rightSide, x, kMaxSteps, kTolerance);
    return x;
}

}  // namespace

SeamLevelling::SeamLevelling(const SeamInput& input)
    : firstNode_(input.mesh.vertices.size(), kNoNode), means_(input.views.size(), glm::vec3(0.0F)) {
    const auto& [mesh, views, exposures, viewOfFace] = input;
    for (std::uint32_t face = 0; face < mesh.faces.size(); ++face) {
        const std::uint32_t view = viewOfFace[face];
        if (view == kNoView || views[view].areas()[face] == 0) continue;
        for (int i = 0; i < 3; ++i) addNode(mesh.faces[face][i], view);
    }
    const std::vector<FaceEdge> sorted = sortedEdges(mesh);
    for (const FaceEdge& edge : sorted) {
        const std::uint32_t one = viewOfFace[edge.face];
        if (one == kNoView || views[one].areas()[edge.face] == 0) continue;
        edges_.emplace_back(nodeOf(edge.from, one), nodeOf(edge.to, one));
        const FaceEdge* const other = findEdge(sorted, edge.to, edge.from);
        if (other == nullptr || other->face > edge.face) continue;
        const std::uint32_t two = viewOfFace[other->face];
        if (two == one || two == kNoView || views[two].areas()[other->face] == 0) continue;
        const glm::dvec3 from(mesh.vertices[edge.from]);
        const glm::dvec3 to(mesh.vertices[edge.to]);
        for (const float fraction : {0.1F, 0.3F, 0.5F, 0.7F, 0.9F}) {
            glm::vec3 a(0.0F);
            glm::vec3 b(0.0F);
            const glm::dvec3 position = glm::mix(from, to, double{fraction});
            if (views[one].sampleColour(position, a) != Visibility::visible) continue;
            if (views[two].sampleColour(position, b) != Visibility::visible) continue;
            seamPoints_.push_back({{one, two},
                                   {edge.from, edge.to},
                                   fraction,
                                   corrected(exposures, one, a) - corrected(exposures, two, b)});
        }
    }
    corrections_.assign(nodes_.size(), glm::vec3(0.0F));
    before_ = after_ = meanDifference();
}

std::uint32_t SeamLevelling::nodeOf(std::uint32_t vertex, std::uint32_t view) const {
    std::uint32_t node = firstNode_[vertex];
    while (node != kNoNode && nodes_[node].view != view) node = nodes_[node].next;
    return node;
}

void SeamLevelling::addNode(std::uint32_t vertex, std::uint32_t view) {
    if (nodeOf(vertex, view) != kNoNode) return;
    nodes_.push_back({view, firstNode_[vertex]});
    firstNode_[vertex] = static_cast<std::uint32_t>(nodes_.size() - 1);
}

void SeamLevelling::solve(const std::stop_token& cancel) {
    if (seamPoints_.empty()) return;
    constexpr float kSmooth = 0.1F;  // as Waechter et al.
    constexpr float kStay = 0.01F;
    // Larger differences come from another part of the object or of its light, not from exposure.
    constexpr float kMaxDifference = 30;
    std::vector<Row> rows;
    for (const SeamPoint& point : seamPoints_) {
        const glm::vec3 size = glm::abs(point.difference);
        if (std::max({size.x, size.y, size.z}) > kMaxDifference) continue;
        const auto node = [&](int end, int side) {
            return nodeOf(point.vertex[end], point.view[side]);
        };
        const float fraction = point.fraction;
        rows.push_back({{node(0, 0), node(1, 0), node(0, 1), node(1, 1)},
                        {1 - fraction, fraction, fraction - 1, -fraction},
                        4,
                        -point.difference,
                        0.2F});
    }
    for (const auto& [a, b] : edges_)
        rows.push_back({{a, b, 0, 0}, {1, -1, 0, 0}, 2, glm::vec3(0.0F), kSmooth});
    for (std::uint32_t node = 0; node < nodes_.size(); ++node)
        rows.push_back({{node, 0, 0, 0}, {1, 0, 0, 0}, 1, glm::vec3(0.0F), kStay});
    corrections_ = leastSquares(rows, nodes_.size(), cancel);
    std::vector<float> counts(means_.size());
    for (std::uint32_t node : firstNode_)
        for (; node != kNoNode; node = nodes_[node].next) {
            means_[nodes_[node].view] += corrections_[node];
            ++counts[nodes_[node].view];
        }
    for (std::size_t view = 0; view < means_.size(); ++view)
        if (counts[view] > 0) means_[view] /= counts[view];
    after_ = meanDifference();
}

glm::vec3 SeamLevelling::correction(std::uint32_t vertex, std::uint32_t view) const {
    const std::uint32_t node = nodeOf(vertex, view);
    return node != kNoNode ? corrections_[node] : means_[view];
}

double SeamLevelling::meanDifference() const {
    double sum = 0;
    for (const SeamPoint& point : seamPoints_) {
        glm::vec3 residual = point.difference;
        for (int side = 0; side < 2; ++side)
            residual += (side == 0 ? 1.0F : -1.0F) *
                        glm::mix(correction(point.vertex[0], point.view[side]),
                                 correction(point.vertex[1], point.view[side]), point.fraction);
        sum += double{glm::abs(residual.x) + glm::abs(residual.y) + glm::abs(residual.z)} / 3;
    }
    return seamPoints_.empty() ? 0 : sum / static_cast<double>(seamPoints_.size());
}

SeamLevelling measureSeams(const SeamInput& input) {
    return SeamLevelling(input);
}

SeamLevelling levelSeams(const SeamInput& input, const std::stop_token& cancel) {
    SeamLevelling levelling(input);
    levelling.solve(cancel);
    return levelling;
}

}  // namespace threefold::texturing
