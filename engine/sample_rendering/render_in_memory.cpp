#include "engine/sample_rendering/render_in_memory.h"

#include <cstddef>
#include <utility>

#include "engine/compute/parallel.h"
#include "engine/sample/posed_photos/virtual_camera.h"

namespace threefold {

RenderedInMemory renderInMemory(TexturedMesh mesh, std::string_view name,
                                const RenderOptions& settings, const std::stop_token& cancel) {
    requireValidOptions(settings);
    RenderedInMemory rendered;
    rendered.missing = mesh.missing;
    const PreparedMesh prepared = prepareMesh(std::move(mesh), settings.conversion, cancel);
    const std::vector<CameraRow> rows = planViews(settings.views, name);
    NetworkInput& input = rendered.input;
    input.images.resize(rows.size());
    drawViews(prepared, rows, lightDirection(settings.views.seed, name), settings,
              resolveThreadCount(0), cancel, [&](std::size_t view, Image&& image, RasterTier) {
                  const auto camera = virtualCamera(rows[view], {image.width, image.height});
                  input.images[view] = camera ? camera->resample(image) : std::move(image);
              });
    for (const CameraRow& row : rows) input.cameras.push_back(Camera::fromRow(row));
    input.depthOffset = depthOffsetFor(input.cameras.front());
    rendered.truth = truthIn(input.cameras.front(), prepared, settings.points);
    return rendered;
}

}  // namespace threefold
