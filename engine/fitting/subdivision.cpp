#include "engine/fitting/mesh_levels.h"

#include <algorithm>
#include <map>
#include <utility>

namespace threefold::fitting {
namespace {

/// Of an edge: its number among all, and the corners opposite to it.
struct Split {
    std::uint32_t number = 0;
    glm::vec3 opposite{0};
    int faces = 0;
};

using Splits = std::map<std::pair<std::uint32_t, std::uint32_t>, Split>;

Splits splitsOf(const Faces& faces, const Points& vertices) {
    Splits splits;
    for (const glm::u32vec3& face : faces)
        for (int corner = 0; corner < 3; ++corner) {
            const auto ends = std::minmax(face[corner], face[(corner + 1) % 3]);
            Split& split = splits[ends];
            split.opposite += vertices[face[(corner + 2) % 3]];
            ++split.faces;
        }
    std::uint32_t number = 0;
    for (auto& [ends, split] : splits) split.number = number++;
    return splits;
}

/// Inner vertices by Loop's rule; those of a border stay.
Points smoothed(const MeshLevels& levels, const Points& vertices, const Splits& splits) {
    Points result = vertices;
    std::vector<char> inner(vertices.size(), 1);
    for (const auto& [ends, split] : splits)
        if (split.faces != 2) inner[ends.first] = inner[ends.second] = 0;
    for (std::size_t v = 0; v < vertices.size(); ++v) {
        const std::uint32_t first = levels.neighbourStart()[v];
        const std::uint32_t last = levels.neighbourStart()[v + 1];
        if (inner[v] == 0 || first == last) continue;
        glm::vec3 sum(0);
        for (std::uint32_t i = first; i < last; ++i) sum += vertices[levels.neighbours()[i]];
        const auto count = static_cast<float>(last - first);
        const float all = count > 3 ? 3.0F / 8 : 9.0F / 16;  // of the neighbours together
        result[v] = (1 - all) * vertices[v] + all / count * sum;
    }
    return result;
}

}  // namespace

Subdivided subdivide(const MeshLevels& levels, const Points& vertices) {
    const Splits splits = splitsOf(levels.faces(), vertices);
    Points fine = smoothed(levels, vertices, splits);
    std::vector<glm::u32vec2> added;
    added.reserve(splits.size());
    for (const auto& [ends, split] : splits) {
        const glm::vec3 middle = 0.5F * (vertices[ends.first] + vertices[ends.second]);
        fine.push_back(split.faces == 2 ? 0.75F * middle + 0.125F * split.opposite : middle);
        added.emplace_back(ends.first, ends.second);
    }
    const auto before = static_cast<std::uint32_t>(vertices.size());
    Faces faces;
    faces.reserve(levels.faces().size() * 4);
    for (const glm::u32vec3& face : levels.faces()) {
        glm::u32vec3 middle;  // of the edge that begins at each corner
        for (int corner = 0; corner < 3; ++corner)
            middle[corner] =
                before + splits.at(std::minmax(face[corner], face[(corner + 1) % 3])).number;
        faces.emplace_back(face.x, middle.x, middle.z);
        faces.emplace_back(face.y, middle.y, middle.x);
        faces.emplace_back(face.z, middle.z, middle.y);
        faces.push_back(middle);
    }
    return {MeshLevels(fine.size(), std::move(faces), {std::move(added)}), std::move(fine)};
}

}  // namespace threefold::fitting
