#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/formats/pictures/image.h"

namespace threefold {

/// Which pixels belong to the object, rows top to bottom.
struct Mask {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> inside;  ///< 1 or 0; width · height
    /// As many: 0 where the photograph does not reach, and `inside` is 0. Empty: known everywhere.
    std::vector<std::uint8_t> known = {};

    bool knows(std::size_t pixel) const { return known.empty() || known[pixel] != 0; }
};

/// The pixels at the centres of width×height; known everywhere.
Mask resized(const Mask& mask, int width, int height);

/// The pixels beside a pixel: those that share a side, or a corner as well.
enum class Neighbours { four, eight };
/// The mask with the neighbours of each of its pixels.
Mask dilated(const Mask& mask, Neighbours neighbours = Neighbours::eight);
/// The mask without the pixels that have one of their eight neighbours outside.
Mask eroded(const Mask& mask);

/// The object's pixels: at least half opaque, or, where nothing is transparent, not nearly white.
/// None if that is every pixel or no pixel, or if nothing is transparent and most of the picture's
/// border is object, on all four sides: the background was not cut out.
std::optional<Mask> foregroundOf(const Image& image);

/// Turns over every connected part, of the object or of its background, that is smaller than a
/// 500th of the object and so an error of the mask. Background at the border of what is
/// known is none of the object's holes, and stays.
void removeSpecks(Mask& mask);

/// Gives what is not known the kind of the nearest pixel that is: an object goes on beyond the
/// border that it touches. `mask` is square.
void guessUnknown(Mask& mask);

/// Euclidean distance of every pixel's centre to the object's outline, which runs between pixels:
/// in the mask's pixels, row by row, below 0 inside. Exact but for half a pixel's share: half a
/// pixel less than to the nearest centre on the other side. Linear time. Where the mask is not
/// known, as if the object were there. `mask` is square and has pixels of both kinds.
std::vector<float> signedDistances(const Mask& mask);

}  // namespace threefold
