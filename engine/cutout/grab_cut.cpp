#include "engine/cutout/grab_cut.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <new>

#include <opencv2/imgproc.hpp>

#include "engine/error.h"

namespace threefold {
namespace {

/// A cv::Mat that shares the pixels of an image.
cv::Mat matOf(const Image& image) {
    return {image.height, image.width, CV_8UC4, const_cast<std::uint8_t*>(image.rgba.data())};
}

/// For each pixel, mean colour and variance of those pixels in the window around it that belong to
/// a mask; `windowFraction`: fraction of the window that belongs to the mask.
struct ColoursAround {
    cv::Mat mean, windowFraction, variance;

    ColoursAround(const cv::Mat& lab, const cv::Mat& mask, cv::Size window) {
        cv::Mat colours = cv::Mat::zeros(lab.size(), lab.type()), squares;
        lab.copyTo(colours, mask);
        mask.convertTo(windowFraction, CV_32F, 1.0 / 255);
        cv::blur(windowFraction, windowFraction, window);
        cv::transform(colours.mul(colours), squares, cv::Matx13f(1, 1, 1));
        cv::blur(colours, mean, window);
        cv::blur(squares, variance, window);
        for (int y = 0; y < lab.rows; ++y)
            for (int x = 0; x < lab.cols; ++x) {
                const float fraction = std::max(windowFraction.at<float>(y, x), 1e-6F);
                cv::Vec3f& colour = mean.at<cv::Vec3f>(y, x);
                colour /= fraction;
                float& pixelVariance = variance.at<float>(y, x);
                pixelVariance = std::max(pixelVariance / fraction - colour.dot(colour), 0.0F);
            }
    }
};

}  // namespace

cv::Mat toLab(const Image& image, int maxSide) {
    const double scale =
        std::min(1.0, static_cast<double>(maxSide) / std::max(image.width, image.height));
    const cv::Size size(std::max(1, static_cast<int>(std::lround(image.width * scale))),
                        std::max(1, static_cast<int>(std::lround(image.height * scale))));
    cv::Mat small, colours;
    cv::resize(matOf(image), small, size, 0, 0, cv::INTER_AREA);
    cv::cvtColor(small, colours, cv::COLOR_RGBA2RGB);
    cv::cvtColor(colours, small, cv::COLOR_RGB2Lab);
    return small;
}

cv::Rect objectWindow(const cv::Mat& labels, double marginFraction) {
    const cv::Rect inner = cv::boundingRect(labels != cv::GC_BGD);
    if (inner.empty()) return inner;
    const int margin = 2 + static_cast<int>(marginFraction * std::max(inner.width, inner.height));
    return cv::Rect(inner.x - margin, inner.y - margin, inner.width + 2 * margin,
                    inner.height + 2 * margin) &
           cv::Rect({}, labels.size());
}

void throwOpenCvError(const cv::Exception& failure, const std::filesystem::path& subject) {
    if (failure.code == cv::Error::StsNoMem) throw std::bad_alloc();
    throw InputError({subject.string(), "", "cannot be cut out: OpenCV says " + failure.err,
                      "Give a mask for it."});
}

cv::Mat runGrabCut(const cv::Mat& lab, cv::Mat labels, int rounds) {
    const auto has = [&](int sure, int probable) {
        return cv::countNonZero((labels == sure) | (labels == probable)) > 0;
    };
    if (has(cv::GC_FGD, cv::GC_PR_FGD) && has(cv::GC_BGD, cv::GC_PR_BGD)) {
        cv::Mat background, foreground;
        cv::setRNGSeed(kGrabCutSeed);
        cv::grabCut(lab, labels, {}, background, foreground, rounds, cv::GC_INIT_WITH_MASK);
    }
    return labels & 1;  // GC_FGD, GC_PR_FGD
}

cv::Mat snapOutline(const cv::Mat& mask, const cv::Mat& lab) {
    constexpr int kWindow = 8;             // side, in half widths of the band
    constexpr float kMinFraction = 0.02F;  // of the window
    constexpr float kMinContrast = 12;     // Lab units
    constexpr float kMinSigmas = 2;        // standard deviations
    cv::Mat upscaled, inner, outer;
    cv::resize(mask * 255, upscaled, lab.size(), 0, 0, cv::INTER_LINEAR);
    upscaled = upscaled > 127;
    const int half = std::max(3, static_cast<int>(std::lround(1.5 * lab.cols / mask.cols)));
    const cv::Mat band = cv::Mat::ones(2 * half + 1, 2 * half + 1, CV_8U);
    cv::erode(upscaled, inner, band);
    cv::dilate(upscaled, outer, band);
    cv::Mat colours;
    lab.convertTo(colours, CV_32FC3);
    const cv::Size window(kWindow * half + 1, kWindow * half + 1);
    const ColoursAround inside(colours, inner, window), outside(colours, ~outer, window);
    cv::Mat result = upscaled.clone();
    for (int y = 0; y < lab.rows; ++y)
        for (int x = 0; x < lab.cols; ++x) {
            if (inner.at<std::uint8_t>(y, x) != 0 || outer.at<std::uint8_t>(y, x) == 0) continue;
            if (std::min(inside.windowFraction.at<float>(y, x),
                         outside.windowFraction.at<float>(y, x)) < kMinFraction)
                continue;
            const cv::Vec3f background = outside.mean.at<cv::Vec3f>(y, x);
            const cv::Vec3f direction = inside.mean.at<cv::Vec3f>(y, x) - background;
            const float contrast = direction.dot(direction);
            const float variance =
                inside.variance.at<float>(y, x) + outside.variance.at<float>(y, x);
            if (contrast <
                std::max(kMinContrast * kMinContrast, kMinSigmas * kMinSigmas * variance))
                continue;
            const float objectFraction =
                direction.dot(colours.at<cv::Vec3f>(y, x) - background) / contrast;
            result.at<std::uint8_t>(y, x) = objectFraction > 0.5F ? 255 : 0;
        }
    cv::medianBlur(result, result, 3);
    return result;
}

double objectFraction(const cv::Mat& mask) {
    return static_cast<double>(cv::countNonZero(mask)) / static_cast<double>(mask.total());
}

Image maskImage(const cv::Mat& mask, cv::Size size) {
    cv::Mat fullSize;
    cv::resize(mask, fullSize, size, 0, 0, cv::INTER_LINEAR);
    Image image{size.width, size.height, std::vector<std::uint8_t>(4 * fullSize.total())};
    cv::Mat rgba = matOf(image);
    cv::cvtColor(fullSize, rgba, cv::COLOR_GRAY2RGBA);
    return image;
}

}  // namespace threefold
