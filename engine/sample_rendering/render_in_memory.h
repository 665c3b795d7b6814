#pragma once

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "engine/geometry/surface_samples.h"
#include "engine/sample_rendering/render_options.h"
#include "engine/views/network_input.h"

namespace threefold {

/// Result of renderInMemory().
struct RenderedInMemory {
    NetworkInput input;                   ///< views as the network sees them, with their cameras
    SurfaceSamples truth;                 ///< in the first view's space
    std::vector<std::string> unreadable;  ///< materials and textures that could not be read
};

/// Renders the sample that prepareRenderedSample() would write for a mesh. `name` determines random
/// angles and distances, together with the seed. Uses all threads. Throws UsageError (options),
/// InputError (a mesh that cannot be used), DeviceError (the tier cuda without a GPU), Cancelled.
RenderedInMemory renderInMemory(TexturedMesh mesh, std::string_view name,
                                const RenderOptions& options, const std::stop_token& cancel = {});

}  // namespace threefold
