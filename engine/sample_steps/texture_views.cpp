#include "engine/sample_steps/texture_views.h"

#include <cstddef>
#include <memory>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/sample/sample_views.h"
#include "engine/views/foreground.h"

namespace threefold {
namespace {

TextureView textureView(const Sample& sample, int view) {
    const std::size_t index = viewIndex(sample, view);
    const auto photograph = std::make_shared<const Image>(readViewPhoto(sample, view));
    return {.camera = Camera::fromRow(sample.cameraRows[index]),
            .photograph = photograph,
            .mask = foregroundOf(*photograph),
            .toPhoto = toPhoto(sample, view, {photograph->width, photograph->height})};
}

}  // namespace

std::vector<TextureView> textureViews(const Sample& sample, std::span<const int> views,
                                      std::vector<std::string>& notes,
                                      const std::stop_token& cancel) {
    std::vector<TextureView> result;
    for (const int view : views) {
        if (cancel.stop_requested()) throw Cancelled();
        try {
            result.push_back(textureView(sample, view));
        } catch (const Error& error) {
            notes.push_back(fmt::format("texture: without view {}: {}", view, error.what()));
        }
    }
    return result;
}

}  // namespace threefold
