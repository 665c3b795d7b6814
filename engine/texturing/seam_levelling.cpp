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

/// One term of the least squares, whose unknowns ("nodes") are the corrections of
/// Seams::vertexViews: weight · (Σ factor · x[node] − target)².
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

/// Directed edges, sorted by their ends. Of several faces with the same directed edge (the mesh is
/// no manifold), only the first counts.
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

/// Mean, over the points, of the mean magnitude of a residual's three channels.
template <class ResidualAt>
double meanMagnitude(const Seams& seams, const ResidualAt& residualAt) {
    double sum = 0;
    for (const SeamPoint& point : seams.points) {
        const glm::vec3 residual = residualAt(point);
        sum += double{glm::abs(residual.x) + glm::abs(residual.y) + glm::abs(residual.z)} / 3;
    }
    return seams.points.empty() ? 0 : sum / static_cast<double>(seams.points.size());
}

}  // namespace

void VertexViews::add(std::uint32_t vertex, std::uint32_t view) {
    if (find(vertex, view) != kNoPair) return;
    pairs_.push_back({view, firstPair_[vertex]});
    firstPair_[vertex] = static_cast<std::uint32_t>(pairs_.size() - 1);
}

std::uint32_t VertexViews::find(std::uint32_t vertex, std::uint32_t view) const {
    std::uint32_t pair = firstPair_[vertex];
    while (pair != kNoPair && pairs_[pair].view != view) pair = pairs_[pair].next;
    return pair;
}

SeamCorrections::SeamCorrections(VertexViews vertexViews, std::vector<glm::vec3> values,
                                 std::size_t viewCount)
    : vertexViews_(std::move(vertexViews)),
      values_(std::move(values)),
      means_(viewCount, glm::vec3(0.0F)) {
    std::vector<float> counts(viewCount);
    vertexViews_.forEach([&](std::uint32_t pair, std::uint32_t view) {
        means_[view] += values_[pair];
        ++counts[view];
    });
    for (std::size_t view = 0; view < viewCount; ++view)
        if (counts[view] > 0) means_[view] /= counts[view];
}

glm::vec3 SeamCorrections::at(std::uint32_t vertex, std::uint32_t view) const {
    const std::uint32_t pair = vertexViews_.find(vertex, view);
    return pair != VertexViews::kNoPair ? values_[pair] : means_[view];
}

Seams findSeams(const SeamInput& input) {
    const auto& [mesh, views, exposures, viewOfFace] = input;
    Seams seams{.viewCount = views.size(),
                .points = {},
                .vertexViews = VertexViews(mesh.vertices.size()),
                .edges = {}};
    for (std::uint32_t face = 0; face < mesh.faces.size(); ++face) {
        const std::uint32_t view = viewOfFace[face];
        if (view == kNoView || views[view].areas()[face] == 0) continue;
        for (int i = 0; i < 3; ++i) seams.vertexViews.add(mesh.faces[face][i], view);
    }
    const std::vector<FaceEdge> sorted = sortedEdges(mesh);
    for (const FaceEdge& edge : sorted) {
        const std::uint32_t one = viewOfFace[edge.face];
        if (one == kNoView || views[one].areas()[edge.face] == 0) continue;
        seams.edges.emplace_back(seams.vertexViews.find(edge.from, one),
                                 seams.vertexViews.find(edge.to, one));
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
            seams.points.push_back({{one, two},
                                    {edge.from, edge.to},
                                    fraction,
                                    corrected(exposures, one, a) - corrected(exposures, two, b)});
        }
    }
    return seams;
}

SeamCorrections levelled(const Seams& seams, const std::stop_token& cancel) {
    constexpr float kSmooth = 0.1F;  // value of Waechter et al.
    constexpr float kStay = 0.01F;
    // Larger differences come from another part of the object or of its light, not from exposure.
    constexpr float kMaxDifference = 30;
    const VertexViews& pairs = seams.vertexViews;
    if (seams.points.empty())
        return {pairs, Points(pairs.size(), glm::vec3(0.0F)), seams.viewCount};
    std::vector<Row> rows;
    for (const SeamPoint& point : seams.points) {
        const glm::vec3 size = glm::abs(point.difference);
        if (std::max({size.x, size.y, size.z}) > kMaxDifference) continue;
        const auto node = [&](int end, int side) {
            return pairs.find(point.vertex[end], point.view[side]);
        };
        const float fraction = point.fraction;
        rows.push_back({{node(0, 0), node(1, 0), node(0, 1), node(1, 1)},
                        {1 - fraction, fraction, fraction - 1, -fraction},
                        4,
                        -point.difference,
                        0.2F});
    }
    for (const auto& [a, b] : seams.edges)
        rows.push_back({{a, b, 0, 0}, {1, -1, 0, 0}, 2, glm::vec3(0.0F), kSmooth});
    for (std::uint32_t node = 0; node < pairs.size(); ++node)
        rows.push_back({{node, 0, 0, 0}, {1, 0, 0, 0}, 1, glm::vec3(0.0F), kStay});
    return {pairs, leastSquares(rows, pairs.size(), cancel), seams.viewCount};
}

double meanDifference(const Seams& seams) {
    return meanMagnitude(seams, [](const SeamPoint& point) { return point.difference; });
}

double meanDifference(const Seams& seams, const SeamCorrections& corrections) {
    return meanMagnitude(seams, [&](const SeamPoint& point) {
        glm::vec3 residual = point.difference;
        for (int side = 0; side < 2; ++side)
            residual += (side == 0 ? 1.0F : -1.0F) *
                        glm::mix(corrections.at(point.vertex[0], point.view[side]),
                                 corrections.at(point.vertex[1], point.view[side]), point.fraction);
        return residual;
    });
}

}  // namespace threefold::texturing
