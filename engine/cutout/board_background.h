#pragma once

#include <opencv2/core.hpp>

#include "engine/formats/pictures/image.h"

namespace threefold {

/// What a photograph shows of the printed board (engine/board), at a smaller size. Each picture is
/// CV_8U, of 255 and 0 but for `distance`.
struct BoardBackground {
    cv::Mat sure;       ///< a marker was read there, or the white all around is as printed
    cv::Mat white;      ///< nothing is printed there
    cv::Mat onMarkers;  ///< the sheet up to the ring's outer edge, which any paper has
    /// How far a colour is from what is printed there, in any light and shade: tenths of a standard
    /// deviation, up to 254; 255 where the sheet is not, or where that says nothing.
    cv::Mat distance;
    cv::Mat asBlackPrint;  ///< black is printed there, and seen
    cv::Mat blackColour;   ///< looks like black print, wherever it is

    bool isEmpty() const { return sure.empty(); }
    BoardBackground resized(cv::Size size) const;

    /// Whether what is 1 in the mask does not look like black print: then what does is background.
    bool isUnlike(const cv::Mat& mask) const;
    /// Where it is not enclosed by what is 1 in the mask, which may have another size.
    void trustBlack(const cv::Mat& mask);

    /// The picture with markers painted over by the paper around them: black is no colour of the
    /// background, as dark objects stand on the board.
    cv::Mat withoutMarkers(const cv::Mat& picture) const;
};

/// Empty where fewer than two of its markers are seen, or in a build without libapriltag. `size`
/// has the photograph's shape.
BoardBackground boardBackground(const Image& photograph, cv::Size size);

}  // namespace threefold
