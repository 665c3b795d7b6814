#include "engine/sample/posed_photos/photo_foregrounds.h"

#include <algorithm>
#include <utility>

#include "engine/error.h"
#include "engine/formats/pictures/photograph.h"

namespace threefold {

std::vector<PhotoForeground> foregroundsOf(std::span<const Photo> photos) {
    constexpr std::size_t kMaxMasks = 12;
    std::vector<PhotoForeground> found;
    const std::size_t count = photos.size();
    const std::size_t maskCount = std::min(count, kMaxMasks);
    for (std::size_t i = 0; i < maskCount; ++i) {
        const std::size_t index = i * count / maskCount;
        const Photo& photo = photos[index];
        if (photo.image.empty() || photo.lens.width == 0) continue;
        try {
            const Image image = readPhotograph(photo.image, photo.mask);
            if (image.width != photo.lens.width || image.height != photo.lens.height) continue;
            if (auto foreground = coarseForeground(image))
                found.push_back({index, *std::move(foreground)});
        } catch (const Error&) {
            continue;  // the error is reported when the view is chosen
        }
    }
    if (found.size() < 2) found.clear();
    return found;
}

}  // namespace threefold
