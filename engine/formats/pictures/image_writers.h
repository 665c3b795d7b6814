#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/formats/pictures/image.h"

namespace threefold {

/// Encodes a PNG file; width, height and pixels must fit each other.
std::vector<std::byte> encodePng(const Image& image);

/// Encodes a lossy WebP with its alpha; `quality` 1…100. Width and height are at most 16383, and
/// fit the pixels. Throws InputError.
std::vector<std::byte> encodeWebp(const Image& image, int quality);

/// Writes a PNG row by row, so that a picture of hundreds of megapixels need never be in memory as
/// a whole. Throws InputError for a size or number of rows that is not allowed, or if memory runs
/// out.
class PngWriter {
  public:
    /// `width`, `height`: 1 to 2³¹ − 1 pixels. `dotsPerMetre` 0: no physical size is written.
    PngWriter(int width, int height, int dotsPerMetre = 0);
    ~PngWriter();

    /// Adds the next rows from the top: width × 4 bytes each, straight RGBA. Each call adds any
    /// number of whole rows; all calls together add `height` rows.
    void addRows(std::span<const std::uint8_t> rgba);

    /// Returns the file's bytes. Call once, after the last row.
    std::vector<std::byte> finish();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace threefold
