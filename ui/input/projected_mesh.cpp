#include "ui/input/projected_mesh.h"

#include <cmath>
#include <cstdint>
#include <numbers>

#include "engine/error.h"
#include "engine/raster/render_mask.h"

namespace threefold::ui {
namespace {

// Minimum depth: the division by depth explodes below it, and no view of an object is so near.
constexpr double kMinDepth = 1e-3;

}  // namespace

ProjectedMesh project(const Points& world, const Camera& camera) {
    ProjectedMesh result;
    result.pixels.reserve(world.size());
    result.inFront.reserve(world.size());
    for (const glm::vec3& point : world) {
        const glm::dvec3 view = camera.toCamera(glm::dvec3(point));
        const bool inFront = view.z < -kMinDepth;
        result.inFront.push_back(inFront);
        result.pixels.push_back(inFront ? camera.project(view) : glm::dvec2(0.0));
    }
    return result;
}

Mask silhouetteMask(const Points& world, const Faces& faces, const Camera& camera, int width,
                    int height) {
    try {
        return renderMask(world, faces, Camera{}, camera, width, height);
    } catch (const InputError&) {
        return {};  // cameras may be anywhere while the user types
    }
}

Mesh placeholderMesh() {
    constexpr int kRings = 12;
    constexpr int kSectors = 24;
    constexpr glm::vec3 kRadii(0.20F, 0.14F, 0.20F);
    constexpr float kPi = std::numbers::pi_v<float>;
    Mesh mesh;
    for (int ring = 0; ring <= kRings; ++ring) {
        const float theta = kPi * static_cast<float>(ring) / kRings;
        for (int sector = 0; sector < kSectors; ++sector) {
            const float phi = 2 * kPi * static_cast<float>(sector) / kSectors;
            mesh.vertices.push_back(kRadii * glm::vec3(std::sin(theta) * std::cos(phi),
                                                       std::cos(theta),
                                                       std::sin(theta) * std::sin(phi)));
        }
    }
    const auto index = [](int ring, int sector) {
        return static_cast<std::uint32_t>(ring * kSectors + sector % kSectors);
    };
    for (int ring = 0; ring < kRings; ++ring) {
        for (int sector = 0; sector < kSectors; ++sector) {
            mesh.faces.emplace_back(index(ring, sector), index(ring, sector + 1),
                                    index(ring + 1, sector));
            mesh.faces.emplace_back(index(ring + 1, sector), index(ring, sector + 1),
                                    index(ring + 1, sector + 1));
        }
    }
    return mesh;
}

}  // namespace threefold::ui
