#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/sample_rendering/render_sample.h"

namespace threefold {

struct RenderRequest {
    std::vector<std::string> meshes;  ///< files and folders
    std::filesystem::path output;
    std::string category;  ///< empty: by the folder's name
    std::string azimuth;   ///< as parseViewValues() reads it; empty: as ShapeNetRendering
    std::string elevation;
    std::string distance;
    std::string up = "y";
    SampleSettings settings;
    double testShare = 0.2;
    int threads = 0;
    bool dryRun = false;
    bool json = false;
};

/// `render.json` of a data set: with which options its samples were made, so that a run that goes
/// on does not mix in others.
class SettingsFile {
  public:
    /// Throws UsageError where the folder's samples were made with other options, unless they are
    /// to be overwritten; FormatError where the file is no such file.
    SettingsFile(const std::filesystem::path& root, const RenderRequest& request);

    /// Once the first sample is there; further calls do nothing. Throws IoError.
    void write();

  private:
    std::filesystem::path file_;
    std::string text_;
    bool written_ = false;
};

}  // namespace threefold
