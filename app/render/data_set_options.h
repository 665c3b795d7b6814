#pragma once

#include <filesystem>
#include <string>

#include "app/render/render_request.h"

namespace threefold {

/// File in a data set's folder that records the options of its samples, so that a resumed run uses
/// the same options.
inline constexpr const char* kRenderOptionsName = "render.json";

/// Text of the file kRenderOptionsName: a JSON object, whose keys are the names of the options.
std::string optionsText(const RenderRequest& request);

/// Whether new samples must be made with the options in `render.json`: the file exists, and samples
/// are not overwritten.
bool mustKeepOptions(const std::filesystem::path& root, const RenderRequest& request);

/// If mustKeepOptions(), throws UsageError if the options differ from the options in the data set's
/// `render.json`, and FormatError if that file is malformed.
void requireSameOptions(const std::filesystem::path& root, const RenderRequest& request);

}  // namespace threefold
