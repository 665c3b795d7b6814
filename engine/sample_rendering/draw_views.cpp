#include "engine/sample_rendering/draw_views.h"

#include <optional>
#include <utility>
#include <vector>

#include "engine/compute/parallel.h"
#include "engine/sample_rendering/view_renderer.h"

namespace threefold {

void drawViews(const ViewDrawing& drawing, const DrawnViewFunction& drawn) {
    std::vector<std::optional<ViewRenderer>> renderers(static_cast<std::size_t>(drawing.threads));
    const auto draw = [&](std::size_t view, std::size_t thread) {
        std::optional<ViewRenderer>& renderer = renderers[thread];
        if (!renderer)
            renderer.emplace(drawing.mesh, drawing.options.side, drawing.light, 1,
                             drawing.options.raster);
        Camera camera = Camera::fromRow(drawing.rows[view]);
        camera.zoom = 1;  // one lens for all distances, as ShapeNet's renderings have
        Image image = renderer->render(camera, drawing.cancel);
        drawn(view, std::move(image), renderer->tier());
    };
    parallelFor(drawing.threads, drawing.rows.size(), drawing.cancel, draw);
}

SurfaceSamples sampleTruth(const PreparedMesh& prepared, const Camera& camera, std::size_t count) {
    Mesh inCamera{{}, prepared.mesh.faces};
    inCamera.vertices.reserve(prepared.mesh.vertices.size());
    for (const glm::vec3& vertex : prepared.mesh.vertices)
        inCamera.vertices.emplace_back(camera.toCamera(glm::dvec3(vertex)));
    return sampleSurface(inCamera, count);
}

}  // namespace threefold
