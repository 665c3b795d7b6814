#pragma once

#include <filesystem>

#include <opencv2/core.hpp>

#include "engine/formats/pictures/image.h"

/// Steps of cutting an object out of a picture, in OpenCV's matrices. Masks are CV_8U.
namespace threefold {

/// Seed of OpenCV's random numbers, so that results repeat.
inline constexpr int kGrabCutSeed = 1;

/// Picture in CIE Lab, reduced to at most `maxSide` pixels on its longer side.
cv::Mat toLab(const Image& image, int maxSide);

/// Rectangle around all pixels that are not certain background, with a margin that shows the
/// background's colours: `marginFraction` of the rectangle's longer side, and two pixels. Empty if
/// all pixels are certain background.
cv::Rect objectWindow(const cv::Mat& labels, double marginFraction);

/// Throws InputError about `subject`, or std::bad_alloc, in place of OpenCV's exception.
[[noreturn]] void throwOpenCvError(const cv::Exception& failure,
                                   const std::filesystem::path& subject);

/// Runs `rounds` of GrabCut (Rother, Kolmogorov, Blake: "GrabCut", SIGGRAPH 2004). Updates the
/// caller's `labels`, since a cv::Mat shares its pixels. Returns a mask: 1 on the object.
cv::Mat runGrabCut(const cv::Mat& lab, cv::Mat labels, int rounds);

/// Mask of 0 and 255 at the size of `lab`, with the outline moved to where the colour is half-way
/// between inside and outside, because GrabCut's mask includes blurred pixels and is a pixel too
/// wide. `mask` has 0 and 1, at any size.
cv::Mat snapOutline(const cv::Mat& mask, const cv::Mat& lab);

/// Fraction of the pixels that are not 0.
double objectFraction(const cv::Mat& mask);

/// Resizes a mask of 0 and 255 to a picture of `size`: white on the object.
Image maskImage(const cv::Mat& mask, cv::Size size);

}  // namespace threefold
