#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <stop_token>

#include <glm/vec3.hpp>

#include "engine/formats/pictures/image.h"
#include "engine/geometry/surface_samples.h"
#include "engine/raster/raster_choice.h"
#include "engine/sample_rendering/prepared_mesh.h"
#include "engine/sample_rendering/render_options.h"
#include "engine/views/camera.h"
#include "engine/views/camera_row.h"

namespace threefold {

/// Views of a mesh to draw. What its references and its span refer to must outlive it.
struct ViewDrawing {
    const PreparedMesh& mesh;
    std::span<const CameraRow> rows;  ///< cameras of the views
    glm::vec3 light;                  ///< lightDirection()
    const RenderOptions& options;
    int threads = 1;  ///< 1 or more
    std::stop_token cancel = {};
};

/// Receives each drawn view, on a worker thread.
using DrawnViewFunction = std::function<void(std::size_t view, Image&& image, RasterTier tier)>;

/// Draws one view of the mesh for each row. Throws the exceptions of ViewRenderer::render().
void drawViews(const ViewDrawing& drawing, const DrawnViewFunction& drawn);

/// Ground truth: `count` surface points of the mesh with normals, in camera space.
SurfaceSamples sampleTruth(const PreparedMesh& prepared, const Camera& camera, std::size_t count);

}  // namespace threefold
