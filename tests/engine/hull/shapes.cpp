#include "tests/engine/hull/shapes.h"

#include <array>
#include <cmath>
#include <numbers>

#include "engine/geometry/nearest.h"
#include "engine/geometry/surface_samples.h"

namespace threefold::test {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;

/// Appends a grid of rows × columns vertices. Each row is closed to a ring, each column only if
/// `ring`.
template <typename Place>
void addGrid(Mesh& mesh, unsigned rows, unsigned columns, bool ring, const Place& place) {
    const auto base = static_cast<unsigned>(mesh.vertices.size());
    for (unsigned row = 0; row < rows; ++row)
        for (unsigned column = 0; column < columns; ++column)
            mesh.vertices.push_back(
                place(double(row) / (ring ? rows : rows - 1), kTurn * double(column) / columns));
    const auto at = [&](unsigned row, unsigned column) {
        return base + row % rows * columns + column % columns;
    };
    for (unsigned row = 0; row + (ring ? 0 : 1) < rows; ++row) {
        for (unsigned column = 0; column < columns; ++column) {
            mesh.faces.emplace_back(at(row, column), at(row + 1, column), at(row, column + 1));
            mesh.faces.emplace_back(at(row + 1, column), at(row + 1, column + 1),
                                    at(row, column + 1));
        }
    }
}

void addBox(Mesh& mesh, glm::vec3 low, glm::vec3 high) {
    const auto base = static_cast<unsigned>(mesh.vertices.size());
    for (unsigned i = 0; i < 8; ++i)
        mesh.vertices.emplace_back((i & 1U) != 0 ? high.x : low.x, (i & 2U) != 0 ? high.y : low.y,
                                   (i & 4U) != 0 ? high.z : low.z);
    constexpr std::array<std::array<unsigned, 4>, 6> kSides = {
        {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}}};
    for (const auto& side : kSides) {
        mesh.faces.emplace_back(base + side[0], base + side[1], base + side[2]);
        mesh.faces.emplace_back(base + side[0], base + side[2], base + side[3]);
    }
}

void addLegs(Mesh& mesh, float out, float low, float high, float width) {
    for (const float x : {-out, out - width})
        for (const float z : {-out, out - width})
            addBox(mesh, {x, low, z}, {x + width, high, z + width});
}

}  // namespace

Mesh sphere(double radius) {
    Mesh mesh;
    addGrid(mesh, 64, 96, false, [&](double down, double around) {
        const double angle = down * kTurn / 2;
        return glm::vec3(radius * glm::dvec3(std::sin(angle) * std::cos(around), std::cos(angle),
                                             std::sin(angle) * std::sin(around)));
    });
    return mesh;
}

Mesh torus() {
    Mesh mesh;
    addGrid(mesh, 96, 48, true, [](double along, double around) {
        const double reach = 0.19 + 0.07 * std::cos(around);
        return glm::vec3(reach * std::cos(kTurn * along), 0.07 * std::sin(around),
                         reach * std::sin(kTurn * along));
    });
    return mesh;
}

Mesh mug() {
    Mesh mesh;
    addGrid(mesh, 4, 96, false, [](double down, double around) {
        const double reach = down > 0.2 && down < 0.8 ? 0.13 : 0;
        return glm::vec3(reach * std::cos(around) - 0.05, down < 0.5 ? 0.18 : -0.18,
                         reach * std::sin(around));
    });
    addGrid(mesh, 96, 24, true, [](double along, double around) {
        const double reach = 0.09 + 0.02 * std::cos(around);
        // The handle passes through the solid body, but does not reach its other side.
        return glm::vec3(0.1 + reach * std::cos(kTurn * along), reach * std::sin(kTurn * along),
                         0.02 * std::sin(around));
    });
    return mesh;
}

Mesh chair() {
    Mesh mesh;
    addBox(mesh, {-0.14, -0.02, -0.14}, {0.14, 0.02, 0.14});
    addLegs(mesh, 0.14F, -0.22F, 0, 0.02F);
    addBox(mesh, {-0.14, 0, -0.14}, {-0.11, 0.23, -0.11});
    addBox(mesh, {-0.14, 0, 0.11}, {-0.11, 0.23, 0.14});
    addBox(mesh, {-0.14, 0.19, -0.14}, {-0.11, 0.23, 0.14});
    return mesh;
}

Mesh pit(float deep) {
    Mesh mesh;
    addBox(mesh, {-0.2, -0.1, -0.2}, {0.2, 0.1 - deep, 0.2});
    for (const float side : {-0.2F, 0.1F}) {
        addBox(mesh, {side, -0.1, -0.2}, {side + 0.1, 0.1, 0.2});
        addBox(mesh, {-0.2, -0.1, side}, {0.2, 0.1, side + 0.1});
    }
    return mesh;
}

double distanceFromPitFloor(const Mesh& mesh, float deep) {
    Points floor;
    for (float x = -0.08F; x < 0.081F; x += 0.01F)
        for (float z = -0.08F; z < 0.081F; z += 0.01F) floor.emplace_back(x, 0.1F - deep, z);
    double sum = 0;
    for (const double squared :
         nearestNeighbours(floor, sampleSurface(mesh, 100'000).points).squaredDistances)
        sum += std::sqrt(squared);
    return sum / static_cast<double>(floor.size());
}

Mesh table(float leg) {
    Mesh mesh;
    addBox(mesh, {-0.2, 0.1, -0.2}, {0.2, 0.13, 0.2});
    addLegs(mesh, 0.16F, -0.15F, 0.11F, leg);
    return mesh;
}

std::vector<Camera> camerasAround(int count) {
    std::vector<Camera> cameras;
    for (int i = 0; i < count; ++i) {
        CameraRow row;
        row.azimuth = 360 * std::fmod(i * std::numbers::phi, 1.0);
        const double height = 1 - (2 * i + 1.0) / count;
        row.elevation = 0.95 * 360 / kTurn * std::asin(height);
        row.distance = 0.85;
        cameras.push_back(Camera::fromRow(row));
    }
    return cameras;
}

}  // namespace threefold::test
