#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/sample_rendering/render_options.h"

namespace threefold {

/// The options of `threefold render`.
struct RenderRequest {
    std::vector<std::string> meshes;  ///< files and folders
    std::filesystem::path output;
    std::string category;  ///< empty: by the folder's name
    std::string azimuth;   ///< for parseCameraParameter(); empty: the range of ShapeNetRendering
    std::string elevation;
    std::string distance;
    RenderOptions options;
    std::string device = "0";   ///< see ModelOptions::device
    double testFraction = 0.2;  ///< fraction of the samples for test.txt
    int threads = 0;            ///< 0: all available
    bool dryRun = false;        ///< list the plan, write nothing
    bool json = false;
};

}  // namespace threefold
