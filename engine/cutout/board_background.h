#pragma once

#include <opencv2/core.hpp>

#include "engine/board/sheet_layout.h"
#include "engine/formats/pictures/image.h"

namespace threefold {

/// Pixels of a photograph that show a sheet of markers (engine/board), in pictures of one reduced
/// size. All pictures are CV_8U with values 0 and 255, except `distanceToPrint`.
struct BoardBackground {
    /// Pixels that certainly show the sheet: detected markers with their borders, and paper or
    /// print that looks as printed.
    cv::Mat certainBackground;
    cv::Mat blankPaper;
    cv::Mat printedRectangle;  ///< the rectangle around all markers of the sheet
    /// Distance between seen and printed colour, in any light and shade: tenths of a standard
    /// deviation, up to 254. 255 for pixels off the sheet, and for dark print in surroundings that
    /// do not look like the sheet.
    cv::Mat distanceToPrint;
    cv::Mat inkPixels;          ///< where the sheet has black print and the photograph shows black
    cv::Mat inkColouredPixels;  ///< colour of black print, on or off the sheet

    bool isEmpty() const { return certainBackground.empty(); }
    BoardBackground resized(cv::Size size) const;

    /// Whether the object, 1 in `mask`, differs from black print, so that black print can count as
    /// background.
    bool differsFromBlackPrint(const cv::Mat& mask) const;
    /// Copy in which black print is added to `certainBackground`, with distance 0 to print, unless
    /// the object, 1 in `mask`, encloses that print. The mask may have another size.
    BoardBackground withBlackPrint(const cv::Mat& mask) const;

    /// Picture with the markers painted over in the colours of the surrounding paper. This keeps
    /// black out of the background colours: objects on the board may be dark.
    cv::Mat paintedOver(const cv::Mat& picture) const;
};

/// Finds the sheet in a photograph. `size`: size of the result's pictures, of the photograph's
/// aspect ratio. `minLight`: the brightness of the darkest shade on the sheet, relative to the
/// median of the sheet's paper. Empty if fewer than two of the sheet's markers are seen, if these
/// give no homography, or in a build without libapriltag.
BoardBackground boardBackground(const Image& photograph, cv::Size size,
                                const board::SheetLayout& sheet, float minLight);

}  // namespace threefold
