#include "engine/sample/posed_photos/lens_completion.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/core.h>
#include <glm/trigonometric.hpp>

#include "engine/error.h"
#include "engine/formats/pictures/image_info.h"

namespace threefold {

bool completeSize(Lens& lens, const Photo& photo, PixelOrder order) {
    if (lens.width != 0 && lens.height != 0) return true;
    if (photo.image.empty()) return false;
    try {
        const ImageSize size = readImageInfo(photo.image).size(order);
        if (lens.width == 0) lens.width = size.width;
        if (lens.height == 0) lens.height = size.height;
        return true;
    } catch (const Error&) {
        return false;  // the error is reported when the view is chosen
    }
}

void requireValidLens(const Lens& lens, const std::filesystem::path& file,
                      const std::string& place) {
    const auto refuse = [&](std::string problem, std::string remedy) {
        throw InputError({file.string(), place, std::move(problem), std::move(remedy)});
    };
    for (const double value : {lens.focalX, lens.focalY, lens.principalX, lens.principalY, lens.k1,
                               lens.k2, lens.k3, lens.p1, lens.p2})
        if (!std::isfinite(value))
            refuse("the lens holds a value that is not finite", "Correct it.");
    if (lens.width <= 0 || lens.height <= 0)
        refuse(fmt::format("a photograph of {} × {} pixels", lens.width, lens.height),
               "Give its width and height in pixels.");
    if (lens.focalX <= 0 || lens.focalY <= 0)
        refuse(fmt::format("a focal length of {:g}, {:g} pixels, expected above zero", lens.focalX,
                           lens.focalY),
               "Give it in pixels; 35 mm of a 36 mm film are 35 ÷ 36 × the width.");
    // This ratio gives an angle of view of 157°, beyond every lens without a fisheye's projection.
    constexpr double kMinFocalOfSide = 0.1;
    if (lens.focalX < kMinFocalOfSide * lens.width || lens.focalY < kMinFocalOfSide * lens.height)
        refuse(fmt::format("a focal length of {:g}, {:g} pixels for {} × {}: an angle of view of "
                           "{:.0f}°; is it in millimetres?",
                           lens.focalX, lens.focalY, lens.width, lens.height,
                           glm::degrees(2 * std::atan(0.5 * std::max(lens.width / lens.focalX,
                                                                     lens.height / lens.focalY)))),
               "Give it in pixels; 35 mm of a 36 mm film are 35 ÷ 36 × the width.");
    constexpr double kMaxFocal = 1e7;
    constexpr double kMaxDistortion = 1e3;
    if (lens.focalX > kMaxFocal || lens.focalY > kMaxFocal)
        refuse(fmt::format("a focal length of {:g}, {:g} pixels, expected at most {:g}",
                           lens.focalX, lens.focalY, kMaxFocal),
               "Give it in pixels.");
    for (const double value : {lens.k1, lens.k2, lens.k3, lens.p1, lens.p2})
        if (std::abs(value) > kMaxDistortion)
            refuse(fmt::format("a distortion of {:g}", value), "Calibrate the camera again.");
    const bool far = std::abs(lens.principalX - lens.width / 2.0) > lens.width ||
                     std::abs(lens.principalY - lens.height / 2.0) > lens.height;
    if (far)
        refuse(fmt::format("the principal point {:g}, {:g} lies far outside the {} × {} pixels",
                           lens.principalX, lens.principalY, lens.width, lens.height),
               "Give it in pixels from the upper left corner.");
}

void completeLens(Photo& photo, bool centred, const std::filesystem::path& file,
                  const std::string& place) {
    Lens& lens = photo.lens;
    if (!completeSize(lens, photo, PixelOrder::stored)) return;
    if (centred) {
        lens.principalX = lens.width / 2.0;
        lens.principalY = lens.height / 2.0;
    }
    requireValidLens(lens, file, place);
}

}  // namespace threefold
