#include "tests/render/shapes.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <numbers>
#include <utility>

#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>

namespace threefold::render {
namespace {

constexpr glm::vec3 kCentre{0.0F, 0.0F, -0.8F};
constexpr float kPi = std::numbers::pi_v<float>;

class Midpoints {
  public:
    explicit Midpoints(Points& points) : points_(points) {}

    std::uint32_t between(std::uint32_t a, std::uint32_t b) {
        const auto [place, isNew] = known_.try_emplace(std::minmax(a, b), points_.size());
        if (isNew) points_.push_back(glm::normalize(points_[a] + points_[b]));
        return static_cast<std::uint32_t>(place->second);
    }

  private:
    Points& points_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> known_;
};

void addBox(ValuedMesh& mesh, glm::vec3 lowest, glm::vec3 highest) {
    static const Faces kBox = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                               {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    for (int corner = 0; corner < 8; ++corner) {
        const glm::vec3 point{(corner & 1) != 0 ? highest.x : lowest.x,
                              (corner & 2) != 0 ? highest.y : lowest.y,
                              (corner & 4) != 0 ? highest.z : lowest.z};
        mesh.vertices.push_back(point + kCentre);
        mesh.values.push_back(0.02F * (point.y + 0.2F) / 0.4F);
    }
    for (const glm::u32vec3 face : kBox) mesh.faces.push_back(face + first);
}

}  // namespace

ValuedMesh makeSphere(int levels) {
    const float g = std::numbers::phi_v<float>;
    ValuedMesh mesh;
    mesh.vertices = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                     {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
    for (glm::vec3& vertex : mesh.vertices) vertex = glm::normalize(vertex);
    mesh.faces = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                  {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                  {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                  {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
    for (int level = 0; level < levels; ++level) {
        Midpoints middle(mesh.vertices);
        Faces finer;
        for (const glm::u32vec3 f : mesh.faces) {
            const glm::u32vec3 m{middle.between(f.x, f.y), middle.between(f.y, f.z),
                                 middle.between(f.z, f.x)};
            for (const glm::u32vec3 part :
                 {glm::u32vec3{f.x, m.x, m.z}, {f.y, m.y, m.x}, {f.z, m.z, m.y}, m}) {
                finer.push_back(part);
            }
        }
        mesh.faces = std::move(finer);
    }
    return mesh;
}

ValuedMesh makePebble(int levels) {
    ValuedMesh mesh = makeSphere(levels);
    for (glm::vec3& p : mesh.vertices) {
        const float lobes = std::sin(4.0F * p.x + 1.0F) * std::sin(5.0F * p.y) +
                            0.5F * std::sin(7.0F * p.z + 2.0F * p.x);
        mesh.values.push_back(0.02F * (lobes + 1.5F) / 3.0F);
        p = kCentre + (0.2F + 0.035F * lobes) * glm::vec3(1.1F, 0.9F, 1.0F) * p;
    }
    return mesh;
}

ValuedMesh makeRing(int around, int across) {
    ValuedMesh mesh;
    for (int i = 0; i < around; ++i) {
        const float u = 2.0F * kPi * static_cast<float>(i) / static_cast<float>(around);
        for (int j = 0; j < across; ++j) {
            const float v = 2.0F * kPi * static_cast<float>(j) / static_cast<float>(across);
            const float thick = 0.075F * (1.0F + 0.22F * std::cos(3.0F * v + 3.0F * u));
            const float distance = 0.19F + thick * std::cos(v);
            const glm::vec3 flat{distance * std::cos(u), distance * std::sin(u),
                                 thick * std::sin(v)};
            // The ring is tilted back, so that both the hole and the far side are visible.
            mesh.vertices.push_back(kCentre + glm::vec3(flat.x, 0.64F * flat.y + 0.77F * flat.z,
                                                        0.64F * flat.z - 0.77F * flat.y));
            mesh.values.push_back(0.01F - 0.01F * std::cos(u));
        }
    }
    const auto at = [&](int i, int j) {
        return static_cast<std::uint32_t>((i % around) * across + j % across);
    };
    for (int i = 0; i < around; ++i) {
        for (int j = 0; j < across; ++j) {
            mesh.faces.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
            mesh.faces.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
        }
    }
    return mesh;
}

ValuedMesh makeChair() {
    ValuedMesh mesh;
    addBox(mesh, {-0.14F, -0.02F, -0.13F}, {0.14F, 0.015F, 0.13F});
    addBox(mesh, {-0.14F, 0.015F, -0.13F}, {0.14F, 0.22F, -0.10F});
    for (const float x : {-0.14F, 0.11F}) {
        for (const float z : {-0.13F, 0.10F}) {
            addBox(mesh, {x, -0.22F, z}, {x + 0.03F, -0.02F, z + 0.03F});
        }
    }
    return mesh;
}

ValuedMesh makeTriangle() {
    return {{{-0.25F, -0.2F, -0.8F}, {0.25F, -0.2F, -0.8F}, {0.0F, 0.25F, -0.8F}},
            {{0, 1, 2}},
            {0.0F, 0.01F, 0.02F}};
}

void frameBox(OrbitCamera& camera, glm::vec3 min, glm::vec3 max, float aspect) {
    constexpr float kMaxCoverage = 0.92F;  // largest fraction of the pane that the box covers
    constexpr float kMinDistance = 1e-5F, kMaxDistance = 1e6F;
    if (!std::isfinite(glm::length(min) + glm::length(max) + aspect) || !(aspect > 0)) return;
    const glm::mat3 axes = glm::transpose(glm::mat3(camera.viewMatrix()));  // right, up, back
    const glm::vec3 half = 0.5F * (max - min);
    const float slopeY = kMaxCoverage * std::tan(0.5F * camera.fieldOfView),
                slopeX = slopeY * aspect;
    float needed = 0.0F;
    for (int corner = 0; corner < 8; ++corner) {
        const glm::vec3 p{(corner & 1) != 0 ? half.x : -half.x,
                          (corner & 2) != 0 ? half.y : -half.y,
                          (corner & 4) != 0 ? half.z : -half.z};
        const float across = std::abs(glm::dot(p, axes[0])) / slopeX;
        const float along = std::abs(glm::dot(p, axes[1])) / slopeY;
        needed = std::max(needed, glm::dot(p, axes[2]) + std::max(across, along));
    }
    camera.target = min + half;
    // A single point determines no distance.
    if (needed > kMinDistance) camera.distance = std::min(needed, kMaxDistance);
}

Layer layerOf(ValuedMesh mesh) {
    Layer layer;
    if (!mesh.values.empty()) {
        layer.colouring = Colouring::values;
        layer.values = std::make_shared<const SceneValues>(std::move(mesh.values));
    }
    layer.mesh = std::make_shared<const SceneMesh>(
        SceneMesh{std::move(mesh.vertices), std::move(mesh.faces)});
    return layer;
}

}  // namespace threefold::render
