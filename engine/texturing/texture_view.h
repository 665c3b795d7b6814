#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/formats/pictures/image.h"
#include "engine/views/camera.h"
#include "engine/views/mask.h"
#include "engine/views/photo_mapping.h"

namespace threefold {

struct Sample;

/// A photograph in full resolution, and its camera in the space of a mesh. Immutable.
struct TextureView {
    Camera camera;
    std::shared_ptr<const Image> photograph;
    /// Pixels of the photograph that show the object, of the photograph's size; nullopt: all.
    std::optional<Mask> mask;
    /// Maps a pixel of the camera's 224×224 picture to a position in the photograph, 0…1, including
    /// the lens. Empty: the photograph shows exactly the camera's picture.
    PhotoMapping toPhoto = {};
};

/// Makes the view of a sample. Throws InputError: no such view.
TextureView textureView(const Sample& sample, int view, std::shared_ptr<const Image> photograph);

/// Makes several views of a sample. Skips views whose photograph cannot be read and adds a line to
/// `notes` for each. Throws as textureView(), and Cancelled.
std::vector<TextureView> textureViews(const Sample& sample, std::span<const int> views,
                                      std::vector<std::string>& notes,
                                      const std::stop_token& cancel = {});

}  // namespace threefold
