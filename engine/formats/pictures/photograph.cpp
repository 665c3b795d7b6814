#include "engine/formats/pictures/photograph.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/formats/pictures/image_info.h"
#include "engine/formats/pictures/mask_paths.h"
#include "engine/formats/text/text_encoding.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

/// Coverage of each pixel by the object, 0…255: the mask's alpha if the mask has transparent
/// pixels, else its largest colour component.
std::vector<std::uint8_t> coverageOf(const Image& mask, bool lossy) {
    std::vector<std::uint8_t> coverage(mask.rgba.size() / 4);
    bool transparent = false;
    for (std::size_t i = 3; i < mask.rgba.size() && !transparent; i += 4)
        transparent = mask.rgba[i] < 255;
    for (std::size_t i = 0; i < coverage.size(); ++i) {
        const std::uint8_t* rgba = &mask.rgba[4 * i];
        coverage[i] = transparent ? rgba[3] : std::max({rgba[0], rgba[1], rgba[2]});
    }
    constexpr int kHalf = 128;
    // Programs that number objects write 1 where others write 255.
    const int largest = coverage.empty() ? 0 : *std::ranges::max_element(coverage);
    const bool isNumbered = !transparent && largest > 0 && largest < kHalf;
    for (std::uint8_t& value : coverage)
        if (isNumbered)
            value = value > 0 ? 255 : 0;
        else if (lossy)  // noise of a JPEG is no partial coverage
            value = value >= kHalf ? 255 : 0;
    return coverage;
}

/// Limits opacity to the mask, which may have another size of the same aspect ratio.
void applyMask(Image& photograph, const Image& mask, bool lossy) {
    const std::vector<std::uint8_t> coverage = coverageOf(mask, lossy);
    for (int y = 0; y < photograph.height; ++y)
        for (int x = 0; x < photograph.width; ++x) {
            const auto sourceIndex = [](int i, int size, int sourceSize) {
                return static_cast<std::size_t>((2 * std::int64_t{i} + 1) * sourceSize /
                                                (2 * size));
            };
            const std::uint8_t value = coverage[sourceIndex(y, photograph.height, mask.height) *
                                                    static_cast<std::size_t>(mask.width) +
                                                sourceIndex(x, photograph.width, mask.width)];
            std::uint8_t& alpha =
                photograph.rgba[4 * (static_cast<std::size_t>(y) *
                                         static_cast<std::size_t>(photograph.width) +
                                     static_cast<std::size_t>(x)) +
                                3];
            alpha = std::min(alpha, value);
        }
}

/// Whether the aspect ratios agree, to within a pixel.
template <class Size>
bool haveSameAspect(const Size& one, const Size& other) {
    const std::int64_t first = std::int64_t{one.width} * other.height;
    const std::int64_t second = std::int64_t{other.width} * one.height;
    return std::abs(first - second) <= std::max(one.width, one.height);
}

}  // namespace

std::string maskSizeProblem(const fs::path& file, const fs::path& namedMask) {
    const fs::path maskFile = maskFileOf(file, namedMask);
    if (maskFile.empty()) return {};
    const ImageSize mask = readImageInfo(maskFile).size();
    const ImageSize photograph = readImageInfo(file).size();
    if (haveSameAspect(mask, photograph)) return {};
    return fmt::format("its mask {} has {} × {} pixels, but the photograph has {} × {}",
                       maskFile.string(), mask.width, mask.height, photograph.width,
                       photograph.height);
}

Image readPhotograph(const fs::path& file, const fs::path& namedMask) {
    Image photograph = readImage(file);
    const fs::path maskFile = maskFileOf(file, namedMask);
    if (maskFile.empty()) return photograph;
    const Image mask = readImage(maskFile);
    if (!haveSameAspect(mask, photograph))
        throw InputError({maskFile.string(), "",
                          fmt::format("has {} × {} pixels, but its photograph has {} × {}",
                                      mask.width, mask.height, photograph.width, photograph.height),
                          "Make a mask of the whole upright photograph, or remove the mask."});
    applyMask(photograph, mask, lowered(maskFile.extension().string()) != ".png");
    return photograph;
}

}  // namespace threefold
