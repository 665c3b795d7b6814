#include "tests/engine/raster/shapes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

#include <glm/ext/matrix_clip_space.hpp>
#include <glm/ext/matrix_transform.hpp>
#include <glm/geometric.hpp>

namespace threefold::test {
namespace {

void subdivide(Mesh& mesh) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles;
    const auto middle = [&](std::uint32_t a, std::uint32_t b) {
        const auto [found, isNew] = middles.try_emplace(std::minmax(a, b), mesh.vertices.size());
        if (isNew) mesh.vertices.push_back(glm::normalize(mesh.vertices[a] + mesh.vertices[b]));
        return found->second;
    };
    Faces finer;
    for (const glm::u32vec3& f : mesh.faces) {
        const std::uint32_t a = middle(f.x, f.y);
        const std::uint32_t b = middle(f.y, f.z);
        const std::uint32_t c = middle(f.z, f.x);
        finer.insert(finer.end(), {{f.x, a, c}, {a, f.y, b}, {c, b, f.z}, {a, b, c}});
    }
    mesh.faces = finer;
}

}  // namespace

Mesh icosphere(int subdivisions) {
    Mesh mesh;
    mesh.vertices = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    mesh.faces = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                  {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
    for (int i = 0; i < subdivisions; ++i) subdivide(mesh);
    return mesh;
}

Mesh torus(std::size_t around, std::size_t across) {
    Mesh mesh;
    const auto turn = [](std::size_t i, std::size_t count) {
        return 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(count);
    };
    for (std::size_t i = 0; i < around; ++i) {
        for (std::size_t j = 0; j < across; ++j) {
            const double radius = 0.7 + 0.3 * std::cos(turn(j, across));
            mesh.vertices.emplace_back(radius * std::cos(turn(i, around)),
                                       radius * std::sin(turn(i, around)),
                                       0.3 * std::sin(turn(j, across)));
        }
    }
    const auto vertex = [&](std::size_t i, std::size_t j) {
        return static_cast<std::uint32_t>((i % around) * across + j % across);
    };
    for (std::size_t i = 0; i < around; ++i) {
        for (std::size_t j = 0; j < across; ++j) {
            mesh.faces.emplace_back(vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1));
            mesh.faces.emplace_back(vertex(i, j), vertex(i + 1, j + 1), vertex(i, j + 1));
        }
    }
    return mesh;
}

void Soup::add(const glm::vec4& a, const glm::vec4& b, const glm::vec4& c) {
    const auto first = static_cast<std::uint32_t>(clip.size());
    clip.insert(clip.end(), {a, b, c});
    faces.emplace_back(first, first + 1, first + 2);
}

glm::mat4 randomCamera(Random& random, float distance, float aspect) {
    const glm::vec3 from(random(-1, 1), random(-1, 1), random(-1, 1));
    const glm::vec3 up(random(-1, 1), random(-1, 1), random(-1, 1));
    return glm::perspective(0.8F, aspect, 0.05F, 20.0F) *
           glm::lookAt(distance * glm::normalize(from), glm::vec3(0), up);
}

std::vector<glm::vec4> toClip(const glm::mat4& matrix, const Points& points) {
    std::vector<glm::vec4> clip;
    for (const glm::vec3& p : points) clip.push_back(matrix * glm::vec4(p, 1));
    return clip;
}

}  // namespace threefold::test
