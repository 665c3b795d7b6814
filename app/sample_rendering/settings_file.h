#pragma once

#include <filesystem>
#include <string>

#include "app/sample_rendering/request.h"

namespace threefold {

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
