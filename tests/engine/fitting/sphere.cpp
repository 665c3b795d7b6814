#include "tests/engine/fitting/sphere.h"

#include <algorithm>
#include <map>
#include <utility>

#include <glm/geometric.hpp>

#include "engine/raster/render_mask.h"

namespace threefold::test {

TemplateMesh sphereTemplate(int subdivisions) {
    TemplateMesh mesh;
    mesh.vertices = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    mesh.levels.push_back(
        {6,
         {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}},
         {},
         {}});
    for (int i = 0; i < subdivisions; ++i) {
        TemplateLevel& level = mesh.levels.back();
        TemplateLevel finer;
        std::map<std::pair<unsigned, unsigned>, unsigned> middles;
        const auto middle = [&](unsigned a, unsigned b) {
            const auto next = static_cast<unsigned>(level.vertexCount + middles.size());
            const auto [found, isNew] = middles.try_emplace(std::minmax(a, b), next);
            if (isNew) level.unpoolEdges.emplace_back(a, b);
            return found->second;
        };
        for (const glm::u32vec3 face : level.faces) {
            const unsigned ab = middle(face.x, face.y);
            const unsigned bc = middle(face.y, face.z);
            const unsigned ca = middle(face.z, face.x);
            finer.faces.insert(
                finer.faces.end(),
                {{face.x, ab, ca}, {ab, face.y, bc}, {ca, bc, face.z}, {ab, bc, ca}});
        }
        finer.vertexCount = level.vertexCount + middles.size();
        mesh.levels.push_back(std::move(finer));
    }
    return mesh;
}

Points sphereVertices(const TemplateMesh& mesh) {
    Points points = mesh.vertices;
    for (const TemplateLevel& level : mesh.levels) {
        for (const glm::u32vec2 edge : level.unpoolEdges)
            points.push_back(glm::normalize(points[edge.x] + points[edge.y]));
    }
    return points;
}

std::vector<Camera> ringOfCameras(int count) {
    std::vector<Camera> cameras;
    for (int i = 0; i < count; ++i) {
        CameraRow row;
        row.azimuth = 360.0 * i / count;
        row.elevation = 25 + 5 * (i % 2);
        row.distance = 0.8;
        cameras.push_back(Camera::fromRow(row));
    }
    return cameras;
}

Points inView(const Points& world, const Camera& camera) {
    Points view;
    for (const glm::vec3& point : world) view.emplace_back(camera.toCamera(glm::dvec3(point)));
    return view;
}

std::vector<MaskedView> viewsOf(const Points& vertices, const Faces& faces,
                                const std::vector<Camera>& cameras, int side) {
    std::vector<MaskedView> views;
    for (std::size_t i = 0; i < cameras.size(); ++i) {
        views.push_back({static_cast<int>(i), cameras[i],
                         renderMask(vertices, faces, cameras.front(), cameras[i], side, side)});
    }
    return views;
}

double meanDistance(const Points& a, const Points& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += glm::distance(a[i], b[i]);
    return sum / static_cast<double>(a.size());
}

}  // namespace threefold::test
