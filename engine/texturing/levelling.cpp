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

// One summand of the least squares: weight · (Σ factor · x[node] − wanted)².
struct Row {
    std::array<std::uint32_t, 4> node;
    std::array<float, 4> factor;
    int count;
    glm::vec3 wanted;
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

// From zero, which leaves the overall brightness as it is.
Points leastSquares(std::span<const Row> rows, std::size_t nodes, const std::stop_token& cancel) {
    constexpr int kMostSteps = 500;
    constexpr double kEnough = 1e-6;
    Points wanted(nodes, glm::vec3(0.0F));
    for (const Row& row : rows)
        for (std::size_t i = 0; i < static_cast<std::size_t>(row.count); ++i)
            wanted[row.node[i]] += row.weight * row.factor[i] * row.wanted;
    const auto apply = [&](const Points& x, Points& result) {
        if (cancel.stop_requested()) throw Cancelled();
        multiply(rows, x, result);
    };
    Points x(nodes, glm::vec3(0.0F));
    conjugateGradients(apply, wanted, x, kMostSteps, kEnough);
    return x;
}

}  // namespace

Levelling::Levelling(const Mesh& mesh, std::span<const SeenMesh> views,
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
    std::vector<Key> within;  // nodes of one view that an edge joins
    for (const auto& [edge, face] : faceOfEdge) {
        const std::uint32_t one = viewOfFace[face];
        if (one == kNoView || views[one].areas()[face] == 0) continue;
        within.emplace_back(nodes_.at({edge.first, one}), nodes_.at({edge.second, one}));
        const auto other = faceOfEdge.find({edge.second, edge.first});
        if (other == faceOfEdge.end() || other->second > face) continue;
        const std::uint32_t two = viewOfFace[other->second];
        if (two == one || two == kNoView || views[two].areas()[other->second] == 0) continue;
        const glm::dvec3 from(mesh.vertices[edge.first]);
        const glm::dvec3 to(mesh.vertices[edge.second]);
        for (const float share : {0.1F, 0.3F, 0.5F, 0.7F, 0.9F}) {
            glm::vec3 a(0.0F);
            glm::vec3 b(0.0F);
            const glm::dvec3 point = glm::mix(from, to, double{share});
            if (views[one].look(point, a) != Sight::clear) continue;
            if (views[two].look(point, b) != Sight::clear) continue;
            meetings_.push_back({{one, two}, {edge.first, edge.second}, share, a - b});
        }
    }
    added_.assign(nodes_.size(), glm::vec3(0.0F));
    before_ = after_ = meanDifference();
    if (!level || meetings_.empty()) return;
    solve(within, cancel);
    after_ = meanDifference();
}

void Levelling::solve(std::span<const Key> within, const std::stop_token& cancel) {
    constexpr float kSmooth = 0.1F;  // as Waechter et al.
    constexpr float kStay = 0.01F;
    // More is another part of the object or of its light, not another exposure.
    constexpr float kMostDifference = 30;
    std::vector<Row> rows;
    for (const Meeting& each : meetings_) {
        const glm::vec3 size = glm::abs(each.difference);
        if (std::max({size.x, size.y, size.z}) > kMostDifference) continue;
        const auto node = [&](int end, int side) {
            return nodes_.at({each.vertex[end], each.view[side]});
        };
        const float share = each.share;
        rows.push_back({{node(0, 0), node(1, 0), node(0, 1), node(1, 1)},
                        {1 - share, share, share - 1, -share},
                        4,
                        -each.difference,
                        0.2F});
    }
    for (const auto& [a, b] : within)
        rows.push_back({{a, b, 0, 0}, {1, -1, 0, 0}, 2, glm::vec3(0.0F), kSmooth});
    for (std::uint32_t node = 0; node < nodes_.size(); ++node)
        rows.push_back({{node, 0, 0, 0}, {1, 0, 0, 0}, 1, glm::vec3(0.0F), kStay});
    added_ = leastSquares(rows, nodes_.size(), cancel);
    std::vector<float> counts(means_.size());
    for (const auto& [key, node] : nodes_) {
        means_[key.second] += added_[node];
        ++counts[key.second];
    }
    for (std::size_t view = 0; view < means_.size(); ++view)
        if (counts[view] > 0) means_[view] /= counts[view];
}

glm::vec3 Levelling::at(std::uint32_t vertex, std::uint32_t view) const {
    const auto found = nodes_.find({vertex, view});
    return found != nodes_.end() ? added_[found->second] : means_[view];
}

double Levelling::meanDifference() const {
    double sum = 0;
    for (const Meeting& each : meetings_) {
        glm::vec3 left = each.difference;
        for (int side = 0; side < 2; ++side)
            left += (side == 0 ? 1.0F : -1.0F) * glm::mix(at(each.vertex[0], each.view[side]),
                                                          at(each.vertex[1], each.view[side]),
                                                          each.share);
        sum += double{glm::abs(left.x) + glm::abs(left.y) + glm::abs(left.z)} / 3;
    }
    return meetings_.empty() ? 0 : sum / static_cast<double>(meetings_.size());
}

}  // namespace threefold::texturing
