#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace threefold {

/// Pixels of an object in an image, rows top to bottom.
struct Mask {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> inside;  ///< 1 or 0; width · height
    /// Empty if all pixels are known; else as long as `inside`, with 0 for pixels beyond the
    /// photograph, where `inside` is 0 too.
    std::vector<std::uint8_t> known = {};

    bool isKnown(std::size_t pixel) const { return known.empty() || known[pixel] != 0; }
};

/// Throws InputError unless `inside` has the mask's size and only values 0 and 1, and `known` is
/// empty or has the mask's size.
void requireValidMask(const Mask& mask);

/// Whether the mask has pixels of the object and pixels of the background.
bool hasObjectAndBackground(const Mask& mask);

/// Nearest-neighbour resize to width×height, sampled at pixel centres.
Mask resized(const Mask& mask, int width, int height);
/// Reduces the mask in proportion, by resized(), if its longer side has more than `maxSide` pixels.
Mask withMaxSide(const Mask& mask, int maxSide);

/// Neighbours of a pixel: the four that share a side, or the eight that share a side or a corner.
enum class Connectivity { four, eight };
/// Adds to the mask the neighbours of each of its pixels.
Mask dilated(const Mask& mask, Connectivity connectivity = Connectivity::eight);
/// Removes from the mask the pixels that have background among their eight neighbours.
Mask eroded(const Mask& mask);
/// Applies dilated() or eroded() `pixels` times, by eight neighbours.
Mask dilated(Mask mask, int pixels);
Mask eroded(Mask mask, int pixels);

/// Components of a mask with less than this fraction of the object's pixels are taken for errors.
inline constexpr double kSpeckFraction = 0.002;

/// Removes specks and fills holes: inverts every 4-connected component, of the object or of its
/// background, that is smaller than kSpeckFraction of the object. A background component at the
/// border of the known pixels is no hole of the object and stays.
void removeSpecksAndHoles(Mask& mask);

/// Assigns each unknown pixel to the object or to the background, whichever has the nearest known
/// pixel: an object that touches the border continues beyond it. Afterwards all pixels are known.
/// `mask`: square.
void fillUnknown(Mask& mask);

/// Signed distance of every pixel's centre to the object's outline, which runs between pixels; in
/// mask pixels, row by row, negative inside. Euclidean. Exact to half a pixel: the distance to the
/// nearest centre on the other side, minus half a pixel. Unknown pixels count as inside, but no
/// distance is measured to them. Linear time. `mask`: square, with pixels of both kinds.
std::vector<float> signedDistances(const Mask& mask);

}  // namespace threefold
