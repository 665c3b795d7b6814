#include "engine/cutout/board_background.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <opencv2/imgproc.hpp>

#include "engine/board/board_layout.h"
#include "engine/board/homography.h"
#include "engine/board/markers.h"
#include "engine/error.h"
#include "engine/order_statistics.h"

namespace threefold {
namespace {

using namespace board;

constexpr double kPixelsPerMarker = 24;  // along a marker's side, in the picture of a sheet
constexpr double kMaxSheetSide = 1500;   // pixels

/// Scale and area of a picture of a sheet, seen from above. The picture's y axis points down.
struct SheetFrame {
    double pixelsPerUnit = 1;  ///< pixels of the picture per unit of the sheet
    Box2d area;
    cv::Size size;

    explicit SheetFrame(const SheetLayout& sheet) : area(sheet.paperArea) {
        const glm::dvec2 extent = area.max - area.min;
        pixelsPerUnit = std::min(kPixelsPerMarker / sheet.meanMarkerSide(),
                                 kMaxSheetSide / std::max(extent.x, extent.y));
        size = {std::max(1, static_cast<int>(std::lround(extent.x * pixelsPerUnit))),
                std::max(1, static_cast<int>(std::lround(extent.y * pixelsPerUnit)))};
    }

    glm::dvec2 pixelOf(glm::dvec2 sheetPoint) const {
        return {(sheetPoint.x - area.min.x) * pixelsPerUnit,
                (area.max.y - sheetPoint.y) * pixelsPerUnit};
    }
    glm::dvec2 sheetPointOf(int x, int y) const {
        return {area.min.x + (x + 0.5) / pixelsPerUnit, area.max.y - (y + 0.5) / pixelsPerUnit};
    }
};

/// Calls `paint(x, y, u, v)` for each pixel of the frame that lies on a square enlarged by `rim` on
/// all sides; u and v are 0 to 1 on the square, from its lower left corner.
template <class Paint>
void forPixelsOf(const SheetFrame& frame, const SquareCorners& square, double rim,
                 const Paint& paint) {
    const glm::dvec2 right = square[1] - square[0];
    const glm::dvec2 up = square[3] - square[0];
    const double determinant = right.x * up.y - right.y * up.x;
    const double margin = rim / glm::length(right);
    if (std::abs(determinant) < 1e-6 * glm::dot(right, right)) return;
    glm::dvec2 low(std::numeric_limits<double>::max());
    glm::dvec2 high = -low;
    for (const glm::dvec2& corner : square) {
        const glm::dvec2 pixel = frame.pixelOf(corner);
        low = glm::min(low, pixel);
        high = glm::max(high, pixel);
    }
    const double pixelMargin = 1.5 * rim * frame.pixelsPerUnit + 1;
    const auto from = [&](double value) {
        return std::max(0, static_cast<int>(value - pixelMargin));
    };
    const auto to = [&](double value, int size) {
        return std::min(size, static_cast<int>(value + pixelMargin) + 1);
    };
    for (int y = from(low.y); y < to(high.y, frame.size.height); ++y)
        for (int x = from(low.x); x < to(high.x, frame.size.width); ++x) {
            const glm::dvec2 off = frame.sheetPointOf(x, y) - square[0];
            const double u = (off.x * up.y - off.y * up.x) / determinant;
            const double v = (right.x * off.y - right.y * off.x) / determinant;
            if (std::min(u, v) >= -margin && std::max(u, v) < 1 + margin) paint(x, y, u, v);
        }
}

/// Picture of the sheet as printed: 255 white, 0 black.
cv::Mat printedSheet(const SheetFrame& frame, const SheetLayout& sheet) {
    cv::Mat picture(frame.size, CV_8U, cv::Scalar(255));
    for (const SquareCorners& square : sheet.blackSquares)
        forPixelsOf(frame, square, 0,
                    [&](int x, int y, double, double) { picture.at<std::uint8_t>(y, x) = 0; });
    std::vector<int> ids;
    for (const SheetMarker& marker : sheet.markers) ids.push_back(marker.id);
    const std::vector<MarkerBits> bitsOfMarkers = markerBits(ids, *sheet.family);
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const MarkerBits& bits = bitsOfMarkers[i];
        const auto side = static_cast<double>(bits.size());
        forPixelsOf(frame, sheet.markers[i].corners, 0, [&](int x, int y, double u, double v) {
            const auto last = bits.size() - 1;
            const auto column = std::min(last, static_cast<std::size_t>(u * side));
            const auto row = std::min(last, static_cast<std::size_t>((1 - v) * side));
            picture.at<std::uint8_t>(y, x) = bits[row][column] ? 0 : 255;
        });
    }
    return picture;
}

/// Marker of the sheet as a photograph shows it, with its square on the sheet.
struct SeenMarker {
    Marker marker;
    const SheetMarker* square;
};

/// Markers of the sheet that a photograph shows.
std::vector<SeenMarker> markersOnSheet(const Image& photograph, const SheetLayout& sheet) {
    std::vector<SeenMarker> found;
    try {
        for (const Marker& marker : detectMarkers(photograph, *sheet.family)) {
            const auto square = std::ranges::find(sheet.markers, marker.id, &SheetMarker::id);
            if (square != sheet.markers.end()) found.push_back({marker, &*square});
        }
    } catch (const InputError&) {
        return {};  // a build without libapriltag, or a photograph too small for markers
    }
    return found;
}

/// Photograph at a size that suffices to read markers.
Image reducedForMarkers(const Image& photograph) {
    constexpr int kMarkerSearchSide = 1200;  // pixels
    const double scale = std::min(1.0, static_cast<double>(kMarkerSearchSide) /
                                           std::max(photograph.width, photograph.height));
    Image small{std::max(1, static_cast<int>(photograph.width * scale)),
                std::max(1, static_cast<int>(photograph.height * scale)),
                {}};
    small.rgba.resize(4 * static_cast<std::size_t>(small.width) *
                      static_cast<std::size_t>(small.height));
    const cv::Mat full(photograph.height, photograph.width, CV_8UC4,
                       const_cast<std::uint8_t*>(photograph.rgba.data()));
    cv::Mat reduced(small.height, small.width, CV_8UC4, small.rgba.data());
    cv::resize(full, reduced, reduced.size(), 0, 0, cv::INTER_AREA);
    return small;
}

/// Homography from the frame's pixels to those of the photograph at `size`; `markers` are in pixels
/// of the photograph at `searchSize`. nullopt if the markers give no homography.
std::optional<cv::Matx33d> sheetHomography(const SheetFrame& frame,
                                           std::span<const SeenMarker> markers,
                                           ImageSize searchSize, cv::Size size) {
    const glm::dvec2 factor(static_cast<double>(size.width) / searchSize.width,
                            static_cast<double>(size.height) / searchSize.height);
    std::vector<glm::dvec2> from, to;
    for (const auto& [marker, square] : markers)
        for (std::size_t k = 0; k < 4; ++k) {
            from.push_back(frame.pixelOf(square->corners[k]) - 0.5);
            to.push_back(marker.corners[k] * factor - 0.5);
        }
    const std::optional<glm::dmat3> homography = findHomography(from, to);
    if (!homography) return std::nullopt;
    cv::Matx33d result;
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 3; ++column) result(row, column) = (*homography)[column][row];
    return result;
}

/// Mask of the frame: 255 in the rectangle that holds all printed squares, 0 elsewhere.
cv::Mat printedRectangle(const SheetFrame& frame, const Box2d& printedArea) {
    const auto rounded = [](glm::dvec2 pixel) {
        return cv::Point(static_cast<int>(std::lround(pixel.x)),
                         static_cast<int>(std::lround(pixel.y)));
    };
    const cv::Point upperLeft = rounded(frame.pixelOf({printedArea.min.x, printedArea.max.y}));
    const cv::Point lowerRight = rounded(frame.pixelOf({printedArea.max.x, printedArea.min.y}));
    cv::Mat mask = cv::Mat::zeros(frame.size, CV_8U);
    mask(cv::Rect(upperLeft, lowerRight) & cv::Rect({}, frame.size)) = 255;
    return mask;
}

/// The sheet as printed, seen from the photograph's camera. CV_8U; masks are 0 or 255.
struct WarpedSheet {
    cv::Mat print;               ///< whiteness of the print: 255 paper, 0 ink
    cv::Mat minPrint, maxPrint;  ///< minimum and maximum of `print` over 3 × 3 pixels
    cv::Mat area;                ///< mask of the sheet
    cv::Mat markerAreas;         ///< mask of the detected markers, with their quiet zones
    cv::Mat printedRectangle;    ///< BoardBackground::printedRectangle

    /// Mean side of the frame's pixels in the photograph, in pixels.
    double pixelsPerSheetPixel(const SheetFrame& frame) const {
        return std::sqrt(static_cast<double>(cv::countNonZero(area)) / frame.size.area());
    }
};

WarpedSheet warpedSheet(const SheetFrame& frame, const SheetLayout& sheet,
                        std::span<const SeenMarker> markers, const cv::Matx33d& homography,
                        cv::Size size) {
    const auto warp = [&](const cv::Mat& mask, cv::Mat& target) {
        cv::warpPerspective(mask, target, homography, size, cv::INTER_NEAREST);
    };
    WarpedSheet result;
    cv::warpPerspective(printedSheet(frame, sheet), result.print, homography, size,
                        cv::INTER_LINEAR, cv::BORDER_REPLICATE);
    cv::erode(result.print, result.minPrint, cv::Mat::ones(3, 3, CV_8U));
    cv::dilate(result.print, result.maxPrint, cv::Mat::ones(3, 3, CV_8U));
    warp(cv::Mat(frame.size, CV_8U, cv::Scalar(255)), result.area);
    cv::Mat markerAreas = cv::Mat::zeros(frame.size, CV_8U);
    for (const auto& [marker, square] : markers)
        forPixelsOf(
            frame, square->corners, quietZoneWidth(sheet.meanMarkerSide()),
            [&](int x, int y, double, double) { markerAreas.at<std::uint8_t>(y, x) = 255; });
    warp(markerAreas, result.markerAreas);
    warp(printedRectangle(frame, sheet.printedArea), result.printedRectangle);
    return result;
}

/// Median of each channel over the pixels set in `mask`.
cv::Vec3f medianOf(const cv::Mat& rgb, const cv::Mat& mask) {
    cv::Vec3f median;
    for (int channel = 0; channel < 3; ++channel) {
        std::vector<std::uint8_t> values;
        for (int y = 0; y < rgb.rows; ++y)
            for (int x = 0; x < rgb.cols; ++x)
                if (mask.at<std::uint8_t>(y, x) != 0)
                    values.push_back(rgb.at<cv::Vec3b>(y, x)[channel]);
        if (values.empty()) return {0, 0, 0};
        median[channel] = upperMedian(std::move(values));
    }
    return median;
}

struct PrintColours {
    cv::Vec3f paper, ink;
};

/// Median colours of paper and ink over `surePixels`, which certainly show the sheet.
PrintColours coloursOf(const cv::Mat& rgb, const cv::Mat& minPrint, const cv::Mat& maxPrint,
                       const cv::Mat& surePixels) {
    constexpr double kMinPaper = 230, kMaxInk = 25;  // whiteness of the print
    return {medianOf(rgb, surePixels & (minPrint > kMinPaper)),
            medianOf(rgb, surePixels & (maxPrint < kMaxInk))};
}

/// Distance of each pixel's colour from the colour of print with whiteness `print` (0 to 255), in
/// tenths of a standard deviation, up to 254; `edge`: range of whiteness over 3 × 3 pixels.
cv::Mat colourDistanceToPrint(const cv::Mat& rgb, const PrintColours& colours, const cv::Mat& print,
                              const cv::Mat& edge, float minLight) {
    constexpr float kMaxLight = 1.15F;         // brightness relative to the median of paper
    constexpr float kNoise = 9, kEdge = 0.6F;  // grey levels; fraction of `edge`
    const auto& [paper, ink] = colours;
    cv::Mat distance(rgb.size(), CV_8U);
    for (int y = 0; y < rgb.rows; ++y)
        for (int x = 0; x < rgb.cols; ++x) {
            const float whiteness = static_cast<float>(print.at<std::uint8_t>(y, x)) / 255;
            const cv::Vec3f expected = ink + (paper - ink) * whiteness;
            const cv::Vec3f colour(rgb.at<cv::Vec3b>(y, x));
            const float light = std::clamp(
                colour.dot(expected) / std::max(1.0F, expected.dot(expected)), minLight, kMaxLight);
            const float difference = static_cast<float>(cv::norm(colour - expected * light));
            const float sigma =
                kNoise + kEdge * static_cast<float>(edge.at<std::uint8_t>(y, x)) * paper[1] / 255;
            distance.at<std::uint8_t>(y, x) =
                static_cast<std::uint8_t>(std::min(254.0F, 10 * difference / sigma));
        }
    return distance;
}

/// Mask of the pixels in whose neighbourhood at least 80 % of the paper looks as printed
/// (`isPrint`). A dark object may look like black print by chance, but not like the white paper
/// beside the print.
cv::Mat sheetMaskFromPaper(const cv::Mat& blankPaper, const cv::Mat& isPrint,
                           double pixelsPerSheetPixel) {
    constexpr double kWindow = 10;         // side in pixels of the sheet's picture
    constexpr double kMinAgreement = 0.8;  // of the white in a window
    constexpr double kMinWhite = 0.02;     // of a window
    const int side = std::max(5, static_cast<int>(std::lround(kWindow * pixelsPerSheetPixel)));
    cv::Mat whiteFraction, printFraction, minFraction;
    cv::blur(blankPaper, whiteFraction, {side, side});
    cv::blur(blankPaper & isPrint, printFraction, {side, side});
    whiteFraction.convertTo(minFraction, CV_8U, kMinAgreement);
    return (printFraction > minFraction) & (whiteFraction > kMinWhite * 255);
}

}  // namespace

BoardBackground BoardBackground::resized(cv::Size size) const {
    BoardBackground result;
    if (isEmpty()) return result;
    for (const auto member : {&BoardBackground::certainBackground, &BoardBackground::blankPaper,
                              &BoardBackground::printedRectangle, &BoardBackground::distanceToPrint,
                              &BoardBackground::inkPixels, &BoardBackground::inkColouredPixels})
        cv::resize(this->*member, result.*member, size, 0, 0, cv::INTER_NEAREST);
    return result;
}

bool BoardBackground::differsFromBlackPrint(const cv::Mat& mask) const {
    constexpr double kMaxFraction = 0.02;
    cv::Mat inner;
    cv::erode(mask, inner, cv::Mat::ones(5, 5, CV_8U));
    return !isEmpty() &&
           cv::countNonZero(inner & inkColouredPixels) < kMaxFraction * cv::countNonZero(inner);
}

BoardBackground BoardBackground::withBlackPrint(const cv::Mat& mask) const {
    cv::Mat object, labels, background = cv::Mat::zeros(certainBackground.size(), CV_8U);
    cv::resize(mask, object, certainBackground.size(), 0, 0, cv::INTER_NEAREST);
    const int count = cv::connectedComponents(inkPixels, labels);
    std::vector<bool> reachesOut(static_cast<std::size_t>(count), false);
    for (int y = 0; y < certainBackground.rows; ++y)
        for (int x = 0; x < certainBackground.cols; ++x)
            if (object.at<std::uint8_t>(y, x) == 0)
                reachesOut[static_cast<std::size_t>(labels.at<int>(y, x))] = true;
    for (int y = 0; y < certainBackground.rows; ++y)
        for (int x = 0; x < certainBackground.cols; ++x) {
            const int label = labels.at<int>(y, x);
            if (label > 0 && reachesOut[static_cast<std::size_t>(label)])
                background.at<std::uint8_t>(y, x) = 255;
        }
    // A shallow copy, so the two pictures that change are made anew.
    BoardBackground result = *this;
    result.certainBackground = certainBackground | background;
    result.distanceToPrint = distanceToPrint.clone();
    result.distanceToPrint.setTo(0, background);
    return result;
}

cv::Mat BoardBackground::paintedOver(const cv::Mat& picture) const {
    cv::Mat painted = picture.clone();
    if (isEmpty()) return painted;
    const int side = std::max(5, picture.cols / 10);
    const cv::Mat paper = certainBackground & blankPaper;
    cv::Mat fraction, paperColours = cv::Mat::zeros(picture.size(), picture.type()), sum;
    picture.copyTo(paperColours, paper);
    cv::Mat weight;
    paper.convertTo(weight, CV_32F, 1.0 / 255);
    cv::blur(weight, fraction, {side, side});
    paperColours.convertTo(sum, CV_32F);
    cv::blur(sum, sum, {side, side});
    cv::Mat fractions, mean;
    cv::merge(std::vector<cv::Mat>(3, fraction), fractions);
    cv::divide(sum, fractions, mean);
    mean.convertTo(mean, picture.type());
    constexpr double kMinFraction = 0.01;
    mean.copyTo(painted, certainBackground & ~blankPaper & (fraction > kMinFraction));
    return painted;
}

BoardBackground boardBackground(const Image& photograph, cv::Size size, const SheetLayout& sheet,
                                float minLight) {
    constexpr double kMaxPrintDistance = 20;  // tenths of a standard deviation
    constexpr double kWhite = 200;            // minimum whiteness of print that is paper
    constexpr double kDark = 170;             // maximum whiteness of print that may be ink
    Image small = reducedForMarkers(photograph);
    const std::vector<SeenMarker> markers = markersOnSheet(small, sheet);
    BoardBackground result;
    if (markers.size() < 2) return result;
    const SheetFrame frame(sheet);
    const std::optional<cv::Matx33d> homography =
        sheetHomography(frame, markers, {small.width, small.height}, size);
    if (!homography) return result;
    const WarpedSheet seen = warpedSheet(frame, sheet, markers, *homography, size);
    result.printedRectangle = seen.printedRectangle;

    cv::Mat rgb;
    cv::resize(cv::Mat(small.height, small.width, CV_8UC4, small.rgba.data()), rgb, size, 0, 0,
               cv::INTER_AREA);
    cv::cvtColor(rgb, rgb, cv::COLOR_RGBA2RGB);
    const PrintColours colours = coloursOf(rgb, seen.minPrint, seen.maxPrint, seen.markerAreas);
    result.distanceToPrint =
        colourDistanceToPrint(rgb, colours, seen.print, seen.maxPrint - seen.minPrint, minLight);
    result.distanceToPrint.setTo(255, seen.area == 0);

    result.blankPaper = seen.minPrint > kWhite;
    const cv::Mat isPrint = result.distanceToPrint < kMaxPrintDistance;
    const cv::Mat isSheet =
        sheetMaskFromPaper(result.blankPaper, isPrint, seen.pixelsPerSheetPixel(frame));
    result.certainBackground = seen.markerAreas | (isPrint & isSheet);
    const cv::Mat black = cv::Mat::zeros(size, CV_8U);
    result.inkColouredPixels =
        colourDistanceToPrint(rgb, colours, black, black, minLight) < kMaxPrintDistance;
    // Edges within a marker have any colour: closing assigns them to their surroundings.
    result.inkPixels = result.inkColouredPixels & (seen.print < kDark);
    cv::morphologyEx(result.inkPixels | result.certainBackground, result.inkPixels, cv::MORPH_CLOSE,
                     cv::Mat::ones(5, 5, CV_8U));
    result.inkPixels &= isPrint & result.printedRectangle;
    result.distanceToPrint.setTo(255, ~isSheet & (seen.print < kDark));
    return result;
}

}  // namespace threefold
