#pragma once

#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/sample/sample.h"
#include "engine/texturing/texture_view.h"

namespace threefold {

/// Reads photographs of a sample, with their cameras, for bakeTexture(). Skips views whose
/// photograph cannot be read, or that the sample does not have, and adds a line to `notes` for
/// each. Throws Cancelled.
std::vector<TextureView> textureViews(const Sample& sample, std::span<const int> views,
                                      std::vector<std::string>& notes,
                                      const std::stop_token& cancel = {});

}  // namespace threefold
