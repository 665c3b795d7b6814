#include "engine/texturing/levelling.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <glm/common.hpp>

#include "engine/compute/conjugate_gradients.h"
#include "engine/error.h"
#include "engine/texturing/atlas.h"

namespace threefold::texturing {
namespace {

// One term of the least squares: weight · (Σ factor · x[node] − target)².
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

// Solves the least squares from zero, which keeps the overall brightness.
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

Levelling::Levelling(const Mesh& mesh, std::span<const MeshVisibility> views,
                     std::span<const std::uint32_t> viewOfFace, bool level,
                     const std::stop_token& cancel)
    : means_(views.size(), glm::vec3(0.0F)) {
    std::map<Key, std::uint32_t> faceOfEdge;  // from, to
    for (std::uint32_t face = 0; face < mesh.faces.size(); ++face) {
        const std::uint32_t view = viewOfFace[face];
        for (int i = 0; i < 3; ++i) {
            const std::uint32_t from = mesh.faces[face][i];
            faceOfEdge.emplace(Key{from, mesh.faces[face][(i + 1) % 3]}, face);
            if (view != kNoView && views[view].areas()[face] > 0)
                nodes_.try_emplace({from, view}, static_cast<std::uint32_t>(nodes_.size()));
        }
    }
    std::vector<Key> edges;  // pairs of nodes of one view that an edge joins
    for (const auto& [edge, face] : faceOfEdge) {
        const std::uint32_t one = viewOfFace[face];
        if (one == kNoView || views[one].areas()[face] == 0) continue;
        edges.emplace_back(nodes_.at({edge.first, one}), nodes_.at({edge.second, one}));
        const auto other = faceOfEdge.find({edge.second, edge.first});
        if (other == faceOfEdge.end() || other->second > face) continue;
        const std::uint32_t two = viewOfFace[other->second];
        if (two == one || two == kNoView || views[two].areas()[other->second] == 0) continue;
        const glm::dvec3 from(mesh.vertices[edge.first]);
        const glm::dvec3 to(mesh.vertices[edge.second]);
        for (const float fraction : {0.1F, 0.3F, 0.5F, 0.7F, 0.9F}) {
            glm::vec3 a(0.0F);
            glm::vec3 b(0.0F);
            const glm::dvec3 position = glm::mix(from, to, double{fraction});
            if (views[one].sampleColour(position, a) != Visibility::clear) continue;
            if (views[two].sampleColour(position, b) != Visibility::clear) continue;
            seamPoints_.push_back({{one, two}, {edge.first, edge.second}, fraction, a - b});
        }
    }
    corrections_.assign(nodes_.size(), glm::vec3(0.0F));
    before_ = after_ = meanDifference();
    if (!level || seamPoints_.empty()) return;
    solve(edges, cancel);
    after_ = meanDifference();
}

void Levelling::solve(std::span<const Key> edges, const std::stop_token& cancel) {
    constexpr float kSmooth = 0.1F;  // as Waechter et al.
    constexpr float kStay = 0.01F;
    // Larger differences come from another part of the object or of its light, not from exposure.
    constexpr float kMaxDifference = 30;
    std::vector<Row> rows;
    for (const SeamPoint& point : seamPoints_) {
        const glm::vec3 size = glm::abs(point.difference);
        if (std::max({size.x, size.y, size.z}) > kMaxDifference) continue;
        const auto node = [&](int end, int side) {
            return nodes_.at({point.vertex[end], point.view[side]});
        };
        const float fraction = point.fraction;
        rows.push_back({{node(0, 0), node(1, 0), node(0, 1), node(1, 1)},
                        {1 - fraction, fraction, fraction - 1, -fraction},
                        4,
                        -point.difference,
                        0.2F});
    }
    for (const auto& [a, b] : edges)
        rows.push_back({{a, b, 0, 0}, {1, -1, 0, 0}, 2, glm::vec3(0.0F), kSmooth});
    for (std::uint32_t node = 0; node < nodes_.size(); ++node)
        rows.push_back({{node, 0, 0, 0}, {1, 0, 0, 0}, 1, glm::vec3(0.0F), kStay});
    corrections_ = leastSquares(rows, nodes_.size(), cancel);
    std::vector<float> counts(means_.size());
    for (const auto& [key, node] : nodes_) {
        means_[key.second] += corrections_[node];
        ++counts[key.second];
    }
    for (std::size_t view = 0; view < means_.size(); ++view)
        if (counts[view] > 0) means_[view] /= counts[view];
}

glm::vec3 Levelling::at(std::uint32_t vertex, std::uint32_t view) const {
    const auto entry = nodes_.find({vertex, view});
    return entry != nodes_.end() ? corrections_[entry->second] : means_[view];
}

double Levelling::meanDifference() const {
    double sum = 0;
    for (const SeamPoint& point : seamPoints_) {
        glm::vec3 residual = point.difference;
        for (int side = 0; side < 2; ++side)
            residual += (side == 0 ? 1.0F : -1.0F) * glm::mix(at(point.vertex[0], point.view[side]),
                                                              at(point.vertex[1], point.view[side]),
                                                              point.fraction);
        sum += double{glm::abs(residual.x) + glm::abs(residual.y) + glm::abs(residual.z)} / 3;
    }
    return seamPoints_.empty() ? 0 : sum / static_cast<double>(seamPoints_.size());
}

}  // namespace threefold::texturing
