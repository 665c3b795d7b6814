#pragma once

#include <opencv2/core.hpp>

#include "engine/formats/pictures/image.h"

namespace threefold {

/// What a photograph shows of the printed board (engine/board), at a smaller size.
struct BoardBackground {
    cv::Mat sure;  ///< CV_8U: 255 where a marker was read, and where all around is as printed
    /// CV_8U: how far a pixel's colour is from what is printed there, in any light and shade:
    /// tenths of a standard deviation, less than 255; 255 where the sheet is not.
    cv::Mat distance;

    bool isEmpty() const { return sure.empty(); }
    BoardBackground resized(cv::Size size) const;
};

/// Empty where fewer than two of its markers are seen, or in a build without libapriltag. `size`
/// has the photograph's shape.
BoardBackground boardBackground(const Image& photograph, cv::Size size);

}  // namespace threefold
