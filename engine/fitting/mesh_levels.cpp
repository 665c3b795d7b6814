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
        const glm::dvec3 normal = areaNormal(vertices, face);
        const double length = glm::length(normal);
        normals.push_back(length > 0 ? normal / length : glm::dvec3(0));
    }
    return normals;
}

}  // namespace

MeshLevels::MeshLevels(const TemplateMesh& mesh) : faces_(mesh.levels.back().faces) {
    for (std::size_t i = 0; i + 1 < mesh.levels.size(); ++i)
        added_.push_back(mesh.levels[i].unpoolEdges);
    connect(mesh.levels.back().vertexCount);
}

MeshLevels::MeshLevels(std::size_t vertices, Faces faces,
                       std::vector<std::vector<glm::u32vec2>> added)
    : faces_(std::move(faces)), added_(std::move(added)) {
    connect(vertices);
}

void MeshLevels::connect(std::size_t vertices) {
    std::vector<std::set<std::uint32_t>> around(vertices);
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> firstFace;
    for (std::uint32_t i = 0; i < faces_.size(); ++i) {
        const glm::u32vec3 face = faces_[i];
        if (const std::uint32_t last = std::max({face.x, face.y, face.z}); last >= vertices)
            throw InputError({"mesh", fmt::format("face {}", i),
                              fmt::format("vertex {} of {}", last, vertices), ""});
        for (int corner = 0; corner < 3; ++corner) {
            const std::uint32_t a = face[corner];
            const std::uint32_t b = face[(corner + 1) % 3];
            around[a].insert(b);
            around[b].insert(a);
            const auto [there, isNew] = firstFace.try_emplace(std::minmax(a, b), i);
            if (!isNew) innerEdges_.push_back({{a, b}, {there->second, i}});
        }
    }
    neighbourStart_.push_back(0);
    for (const std::set<std::uint32_t>& each : around) {
        neighbour_.insert(neighbour_.end(), each.begin(), each.end());
        neighbourStart_.push_back(static_cast<std::uint32_t>(neighbour_.size()));
        share_.push_back(each.empty() ? 0.0F : 1.0F / static_cast<float>(each.size()));
    }
}

void MeshLevels::interpolate(std::size_t level, Points& values) const {
    for (; level < added_.size(); ++level)
        for (const glm::u32vec2 edge : added_[level])
            values.push_back(0.5F * (values[edge.x] + values[edge.y]));
}

void MeshLevels::gather(std::size_t level, Points& values) const {
    for (std::size_t from = added_.size(); from > level; --from) {
        const std::vector<glm::u32vec2>& edges = added_[from - 1];
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
        for (std::uint32_t i = neighbourStart_[v]; i < neighbourStart_[v + 1]; ++i)
            sum += values[neighbour_[i]];
        result[v] = share_[v] > 0 ? values[v] - share_[v] * sum : sum;
    }
}

void MeshLevels::laplacianTransposed(const Points& values, Points& result) const {
    result.resize(values.size());
    for (std::size_t v = 0; v < values.size(); ++v) {
        glm::vec3 sum(0);
        for (std::uint32_t i = neighbourStart_[v]; i < neighbourStart_[v + 1]; ++i)
            sum += share_[neighbour_[i]] * values[neighbour_[i]];
        result[v] = share_[v] > 0 ? values[v] - sum : sum;
    }
}

double meanCrease(const MeshLevels& levels, const Points& vertices) {
    if (levels.innerEdges().empty()) return 0;
    const std::vector<glm::dvec3> normals = unitNormals(levels.faces(), vertices);
    double sum = 0;
    for (const InnerEdge& edge : levels.innerEdges())
        sum += 1 - glm::dot(normals[edge.faces.x], normals[edge.faces.y]);
    return sum / static_cast<double>(levels.innerEdges().size());
}

std::vector<std::uint32_t> foldedFaces(const MeshLevels& levels, const Points& vertices) {
    const std::vector<glm::dvec3> normals = unitNormals(levels.faces(), vertices);
    std::set<std::uint32_t> folded;
    for (const InnerEdge& edge : levels.innerEdges()) {
        const glm::u32vec2 pair = edge.faces;
        if (glm::dot(normals[pair.x], normals[pair.y]) < -0.5) folded.insert({pair.x, pair.y});
    }
    return {folded.begin(), folded.end()};
}

}  // namespace threefold::fitting
