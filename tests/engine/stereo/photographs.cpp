#include "tests/engine/stereo/photographs.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "engine/raster/rasterize.h"

namespace threefold::test {
namespace {

/// Hash of integer coordinates, from −1 to 1.
double random(glm::ivec3 at) {
    auto hash = static_cast<std::uint32_t>(at.x) * 73856093U ^
                static_cast<std::uint32_t>(at.y) * 19349663U ^
                static_cast<std::uint32_t>(at.z) * 83492791U;
    hash = (hash ^ (hash >> 16U)) * 0x45d9f3bU;
    hash = (hash ^ (hash >> 16U)) * 0x45d9f3bU;
    return static_cast<double>(hash >> 8U) / (1 << 23) - 1;
}

double noise(glm::dvec3 place) {
    const glm::dvec3 low = glm::floor(place);
    const glm::dvec3 fraction = place - low;
    double sum = 0;
    for (int corner = 0; corner < 8; ++corner) {
        const glm::ivec3 step(corner & 1, (corner >> 1) & 1, corner >> 2);
        double weight = 1;
        for (int axis = 0; axis < 3; ++axis)
            weight *= step[axis] == 1 ? fraction[axis] : 1 - fraction[axis];
        sum += weight * random(glm::ivec3(low) + step);
    }
    return sum;
}

}  // namespace

Image texturedPhotograph(const Mesh& mesh, const Camera& camera, int side, double contrast,
                         Lamp lamp) {
    const glm::dvec3 toLamp = lamp == Lamp::fixed ? glm::dvec3(0, 1, 0)
                                                  : glm::transpose(camera.rotation) *
                                                        glm::normalize(glm::dvec3(-1, 1, 1));
    RasterOptions options;
    options.width = options.height = static_cast<std::uint32_t>(side);
    options.threads = 1;
    const std::vector<glm::vec4> corners = toClipSpace(mesh.vertices, Pose{}, camera);
    const std::span<const glm::vec4> view(corners);
    const RasterImage drawn = rasterize({&view, 1}, mesh.faces, options).front();
    Image image{side, side, std::vector<std::uint8_t>(4 * drawn.facePlusOne.size())};
    for (std::size_t i = 0; i < drawn.facePlusOne.size(); ++i) {
        double grey = 90 + static_cast<double>(i % 7);
        if (drawn.facePlusOne[i] != 0) {
            const glm::u32vec3& face = mesh.faces[drawn.facePlusOne[i] - 1];
            const glm::dvec3 share(drawn.barycentric[i]);
            const glm::dvec3 place = share.x * glm::dvec3(mesh.vertices[face.x]) +
                                     share.y * glm::dvec3(mesh.vertices[face.y]) +
                                     share.z * glm::dvec3(mesh.vertices[face.z]);
            const glm::dvec3 normal = glm::normalize(doubledAreaNormal(mesh.vertices, face));
            const double light = 0.6 + 0.4 * glm::dot(normal, toLamp);
            double texture = 0;
            for (const double size : {0.08, 0.04, 0.02, 0.01}) texture += noise(place / size) / 2;
            grey = 110 * light + contrast * texture;
        }
        for (std::size_t channel = 0; channel < 3; ++channel)
            image.rgba[4 * i + channel] =
                static_cast<std::uint8_t>(std::lround(std::clamp(grey, 0.0, 255.0)));
        image.rgba[4 * i + 3] = drawn.facePlusOne[i] != 0 ? 255 : 0;
    }
    return image;
}

}  // namespace threefold::test
