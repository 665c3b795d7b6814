#include "engine/texturing/texture_view.h"

#include <utility>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/sample/sample_views.h"
#include "engine/views/foreground.h"

namespace threefold {

TextureView textureView(const Sample& sample, int view, std::shared_ptr<const Image> photograph) {
    const std::size_t index = viewIndex(sample, view);
    TextureView result;
    result.camera = Camera::fromRow(sample.cameraRows[index]);
    result.mask = foregroundOf(*photograph);
    result.photograph = std::move(photograph);
    result.toPhoto = toPhoto(sample, view, {result.photograph->width, result.photograph->height});
    return result;
}

std::vector<TextureView> textureViews(const Sample& sample, std::span<const int> views,
                                      std::vector<std::string>& notes,
                                      const std::stop_token& cancel) {
    std::vector<TextureView> result;
    for (const int view : views) {
        if (cancel.stop_requested()) throw Cancelled();
        try {
            result.push_back(textureView(
                sample, view, std::make_shared<const Image>(readViewPhoto(sample, view))));
        } catch (const Error& error) {
            notes.push_back(fmt::format("texture: without view {}: {}", view, error.what()));
        }
    }
    return result;
}

}  // namespace threefold
