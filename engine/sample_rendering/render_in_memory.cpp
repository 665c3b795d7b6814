#include "engine/sample_rendering/render_in_memory.h"

#include <cstddef>
#include <utility>

#include "engine/compute/parallel.h"
#include "engine/sample/posed_photos/virtual_camera.h"
#include "engine/sample_rendering/draw_views.h"
#include "engine/sample_rendering/view_renderer.h"

namespace threefold {

RenderedInMemory renderInMemory(TexturedMesh mesh, std::string_view name,
                                const RenderOptions& options, const std::stop_token& cancel) {
    requireValidOptions(options);
    RenderedInMemory rendered;
    rendered.unreadable = mesh.appearance.missing;
    const PreparedMesh prepared = prepareMesh(std::move(mesh), options.conversion, cancel);
    const std::vector<CameraRow> rows = planViews(options.views, name);
    NetworkInput& input = rendered.input;
    input.images.resize(rows.size());
    drawViews({.mesh = prepared,
               .rows = rows,
               .light = lightDirection(options.views.seed, name),
               .options = options,
               .threads = resolveThreadCount(0),
               .cancel = cancel},
              [&](std::size_t view, Image&& image, RasterTier) {
                  const auto camera = virtualCameraOfRow(rows[view], {image.width, image.height});
                  input.images[view] = camera ? camera->resample(image) : std::move(image);
              });
    for (const CameraRow& row : rows) input.cameras.push_back(Camera::fromRow(row));
    input.depthOffset = depthOffsetFor(input.cameras.front());
    rendered.truth = sampleTruth(prepared, input.cameras.front(), options.points);
    return rendered;
}

}  // namespace threefold
