#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace threefold {

/// Compresses a picture as its rows come, so that it need never be in memory as a whole: for
/// pictures of hundreds of megapixels. Throws InputError where the format has no such picture.
class PngRows {
  public:
    /// 1 to 2³¹ − 1 pixels a side.
    PngRows(int width, int height);
    ~PngRows();

    /// The next rows from the top: width × 4 bytes each, straight RGBA. Any number of whole rows,
    /// `height` in all.
    void add(std::span<const std::uint8_t> rgba);

    /// The file's bytes, after the last row.
    std::vector<std::byte> finish();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace threefold
