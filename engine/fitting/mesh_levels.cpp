#include "engine/fitting/mesh_levels.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include "engine/error.h"

namespace threefold::fitting {
namespace {

std::vector<glm::dvec3> unitNormals(const Faces& faces, const Points& vertices) {
    std::vector<glm::dvec3> normals;
    normals.reserve(faces.size());
    for (const glm::u32vec3& face : faces) {
        const glm::dvec3 normal = doubledAreaNormal(vertices, face);
        const double length = glm::length(normal);
        normals.push_back(length > 0 ? normal / length : glm::dvec3(0));
    }
    return normals;
}

/// Subdivision data of one edge: its index among all, the sum of the opposite corners, the number
/// of its faces.
struct EdgeSplit {
    std::uint32_t index = 0;
    glm::vec3 opposite{0};
    int faces = 0;
};

using EdgeSplits = std::map<std::pair<std::uint32_t, std::uint32_t>, EdgeSplit>;

EdgeSplits edgeSplitsOf(const Faces& faces, const Points& vertices) {
    EdgeSplits splits;
    for (const glm::u32vec3& face : faces)
        for (int corner = 0; corner < 3; ++corner) {
            const auto ends = std::minmax(face[corner], face[(corner + 1) % 3]);
            EdgeSplit& split = splits[ends];
            split.opposite += vertices[face[(corner + 2) % 3]];
            ++split.faces;
        }
    std::uint32_t index = 0;
    for (auto& [ends, split] : splits) split.index = index++;
    return splits;
}

/// Positions of the old vertices: Loop's rule inside, unchanged at borders.
Points smoothed(const MeshLevels& levels, const Points& vertices, const EdgeSplits& splits) {
    Points result = vertices;
    std::vector<char> inner(vertices.size(), 1);
    for (const auto& [ends, split] : splits)
        if (split.faces != 2) inner[ends.first] = inner[ends.second] = 0;
    for (std::size_t v = 0; v < vertices.size(); ++v) {
        const std::uint32_t first = levels.neighbourOffsets()[v];
        const std::uint32_t last = levels.neighbourOffsets()[v + 1];
        if (inner[v] == 0 || first == last) continue;
        glm::vec3 sum(0);
        for (std::uint32_t i = first; i < last; ++i) sum += vertices[levels.neighbours()[i]];
        const auto count = static_cast<float>(last - first);
        const float neighbourWeight = count > 3 ? 3.0F / 8 : 9.0F / 16;  // sum over all neighbours
        result[v] = (1 - neighbourWeight) * vertices[v] + neighbourWeight / count * sum;
    }
    return result;
}

}  // namespace

MeshLevels::MeshLevels(const TemplateMesh& mesh) : faces_(mesh.levels.back().faces) {
    for (std::size_t i = 0; i + 1 < mesh.levels.size(); ++i)
        unpoolEdges_.push_back(mesh.levels[i].unpoolEdges);
    connect(mesh.levels.back().vertexCount);
}

MeshLevels::MeshLevels(std::size_t vertexCount, Faces faces,
                       std::vector<std::vector<glm::u32vec2>> unpoolEdges)
    : faces_(std::move(faces)), unpoolEdges_(std::move(unpoolEdges)) {
    connect(vertexCount);
}

void MeshLevels::connect(std::size_t vertexCount) {
    std::vector<std::set<std::uint32_t>> neighboursOf(vertexCount);
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> firstFace;
    for (std::uint32_t i = 0; i < faces_.size(); ++i) {
        const glm::u32vec3 face = faces_[i];
        if (const std::uint32_t last = std::max({face.x, face.y, face.z}); last >= vertexCount)
            throw InputError({"mesh", fmt::format("face {}", i),
                              fmt::format("vertex {} of {}", last, vertexCount), ""});
        for (int corner = 0; corner < 3; ++corner) {
            const std::uint32_t a = face[corner];
            const std::uint32_t b = face[(corner + 1) % 3];
            neighboursOf[a].insert(b);
            neighboursOf[b].insert(a);
            const auto [entry, isNew] = firstFace.try_emplace(std::minmax(a, b), i);
            if (!isNew) interiorEdges_.push_back({{a, b}, {entry->second, i}});
        }
    }
    neighbourOffsets_.push_back(0);
    for (const std::set<std::uint32_t>& neighbours : neighboursOf) {
        neighbours_.insert(neighbours_.end(), neighbours.begin(), neighbours.end());
        neighbourOffsets_.push_back(static_cast<std::uint32_t>(neighbours_.size()));
        inverseDegree_.push_back(neighbours.empty() ? 0.0F
                                                    : 1.0F / static_cast<float>(neighbours.size()));
    }
}

void MeshLevels::interpolate(std::size_t level, Points& values) const {
    for (; level < unpoolEdges_.size(); ++level)
        for (const glm::u32vec2 edge : unpoolEdges_[level])
            values.push_back(0.5F * (values[edge.x] + values[edge.y]));
}

void MeshLevels::interpolateTransposed(std::size_t level, Points& values) const {
    for (std::size_t from = unpoolEdges_.size(); from > level; --from) {
        const std::vector<glm::u32vec2>& edges = unpoolEdges_[from - 1];
        const std::size_t first = values.size() - edges.size();
        for (std::size_t i = 0; i < edges.size(); ++i) {
            const glm::vec3 half = 0.5F * values[first + i];
            values[edges[i].x] += half;
            values[edges[i].y] += half;
        }
        values.resize(first);
    }
}

void MeshLevels::laplacian(const Points& values, Points& result) const {
    result.resize(values.size());
    for (std::size_t v = 0; v < values.size(); ++v) {
        glm::vec3 sum(0);
        for (std::uint32_t i = neighbourOffsets_[v]; i < neighbourOffsets_[v + 1]; ++i)
            sum += values[neighbours_[i]];
        result[v] = inverseDegree_[v] > 0 ? values[v] - inverseDegree_[v] * sum : sum;
    }
}

void MeshLevels::laplacianTransposed(const Points& values, Points& result) const {
    result.resize(values.size());
    for (std::size_t v = 0; v < values.size(); ++v) {
        glm::vec3 sum(0);
        for (std::uint32_t i = neighbourOffsets_[v]; i < neighbourOffsets_[v + 1]; ++i)
            sum += inverseDegree_[neighbours_[i]] * values[neighbours_[i]];
        result[v] = inverseDegree_[v] > 0 ? values[v] - sum : sum;
    }
}

double meanCrease(const MeshLevels& levels, const Points& vertices) {
    if (levels.interiorEdges().empty()) return 0;
    const std::vector<glm::dvec3> normals = unitNormals(levels.faces(), vertices);
    double sum = 0;
    for (const InteriorEdge& edge : levels.interiorEdges())
        sum += 1 - glm::dot(normals[edge.faces.x], normals[edge.faces.y]);
    return sum / static_cast<double>(levels.interiorEdges().size());
}

std::vector<std::uint32_t> foldedFaces(const MeshLevels& levels, const Points& vertices) {
    const std::vector<glm::dvec3> normals = unitNormals(levels.faces(), vertices);
    std::set<std::uint32_t> folded;
    for (const InteriorEdge& edge : levels.interiorEdges()) {
        const glm::u32vec2 pair = edge.faces;
        if (glm::dot(normals[pair.x], normals[pair.y]) < -0.5) folded.insert({pair.x, pair.y});
    }
    return {folded.begin(), folded.end()};
}

SubdividedMesh subdivide(const MeshLevels& levels, const Points& vertices) {
    const EdgeSplits splits = edgeSplitsOf(levels.faces(), vertices);
    Points fine = smoothed(levels, vertices, splits);
    std::vector<glm::u32vec2> added;
    added.reserve(splits.size());
    for (const auto& [ends, split] : splits) {
        const glm::vec3 midpoint = 0.5F * (vertices[ends.first] + vertices[ends.second]);
        fine.push_back(split.faces == 2 ? 0.75F * midpoint + 0.125F * split.opposite : midpoint);
        added.emplace_back(ends.first, ends.second);
    }
    const auto oldCount = static_cast<std::uint32_t>(vertices.size());
    Faces faces;
    faces.reserve(levels.faces().size() * 4);
    for (const glm::u32vec3& face : levels.faces()) {
        glm::u32vec3 midpoint;  // of the edge that begins at each corner
        for (int corner = 0; corner < 3; ++corner)
            midpoint[corner] =
                oldCount + splits.at(std::minmax(face[corner], face[(corner + 1) % 3])).index;
        faces.emplace_back(face.x, midpoint.x, midpoint.z);
        faces.emplace_back(face.y, midpoint.y, midpoint.x);
        faces.emplace_back(face.z, midpoint.z, midpoint.y);
        faces.push_back(midpoint);
    }
    return {MeshLevels(fine.size(), std::move(faces), {std::move(added)}), std::move(fine)};
}

}  // namespace threefold::fitting
