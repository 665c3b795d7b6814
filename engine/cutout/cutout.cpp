#include "engine/cutout/cutout.h"

#include "engine/error.h"

#ifndef THREEFOLD_CUTOUT

threefold::Cutout threefold::cutOut(const Image&) {
    throw InputError({"photograph", "", "cannot be cut out: this build has no OpenCV",
                      "Give a mask, or build with -DTHREEFOLD_CUTOUT=ON."});
}

#else

#include <algorithm>
#include <cmath>
#include <new>

#include <fmt/format.h>
#include <opencv2/imgproc.hpp>

#include "engine/cutout/board_background.h"

namespace threefold {
namespace {

constexpr int kFirstSide = 320;  // pixels; what is missed there is missed for good
constexpr int kFineSide = 700;
constexpr int kOutlineSide = 1400;
constexpr int kFewestPixels = 32;  // a side
constexpr int kNarrowestBorder = 2;
constexpr double kBorderShare = 0.04;
constexpr double kLeastShare = 0.005;  // of the picture: less is no object
constexpr double kSmallShare = 0.02;   // where so little stands out, the guess was wrong
constexpr int kSeed = 1;

/// Rows of the picture without a copy; OpenCV does not write to them.
cv::Mat viewOf(const Image& image) {
    return {image.height, image.width, CV_8UC4, const_cast<std::uint8_t*>(image.rgba.data())};
}

/// CIE Lab of the picture with at most `side` pixels on its longer side.
cv::Mat labOf(const Image& image, int side) {
    const double scale =
        std::min(1.0, static_cast<double>(side) / std::max(image.width, image.height));
    const cv::Size size(std::max(1, static_cast<int>(std::lround(image.width * scale))),
                        std::max(1, static_cast<int>(std::lround(image.height * scale))));
    cv::Mat small, colours;
    cv::resize(viewOf(image), small, size, 0, 0, cv::INTER_AREA);
    cv::cvtColor(small, colours, cv::COLOR_RGBA2RGB);
    cv::cvtColor(colours, small, cv::COLOR_RGB2Lab);
    return small;
}

int borderOf(const cv::Mat& picture) {
    return std::max(
        kNarrowestBorder,
        static_cast<int>(std::lround(kBorderShare * std::min(picture.rows, picture.cols))));
}

bool isInBorder(const cv::Mat& picture, int x, int y) {
    const int border = borderOf(picture);
    return x < border || y < border || x >= picture.cols - border || y >= picture.rows - border;
}

/// Distance from the middle, 1 at the middle of each side.
double eccentricity(const cv::Mat& picture, double x, double y) {
    return std::hypot(2 * (x + 0.5) / picture.cols - 1, 2 * (y + 0.5) / picture.rows - 1);
}

struct ColourCluster {
    cv::Vec3f mean;
    cv::Matx33f precision;  // inverse of the covariance
};

/// What the border shows, as a few normal distributions.
std::vector<ColourCluster> borderColours(const cv::Mat& lab) {
    constexpr int kClusters = 6, kRounds = 20, kAttempts = 2;
    constexpr double kFewest = 0.02;  // of the border: less may be an object that reaches it
    cv::Mat pixels(0, 3, CV_32F);
    for (int y = 0; y < lab.rows; ++y)
        for (int x = 0; x < lab.cols; ++x)
            if (isInBorder(lab, x, y)) {
                const cv::Vec3b& c = lab.at<cv::Vec3b>(y, x);
                pixels.push_back(cv::Mat(cv::Matx13f(c[0], c[1], c[2])));
            }
    cv::Mat labels;
    cv::setRNGSeed(kSeed);
    cv::kmeans(pixels, kClusters, labels,
               {cv::TermCriteria::COUNT + cv::TermCriteria::EPS, kRounds, 0.5}, kAttempts,
               cv::KMEANS_PP_CENTERS);
    std::vector<ColourCluster> clusters;
    for (int k = 0; k < kClusters; ++k) {
        cv::Mat own(0, 3, CV_32F);
        for (int i = 0; i < pixels.rows; ++i)
            if (labels.at<int>(i) == k) own.push_back(pixels.row(i));
        if (own.rows < kFewest * pixels.rows) continue;
        cv::Mat covariance, mean;
        cv::calcCovarMatrix(own, covariance, mean,
                            cv::COVAR_NORMAL | cv::COVAR_ROWS | cv::COVAR_SCALE, CV_32F);
        // Light varies more than hue does, and no camera is without noise.
        const cv::Matx33f noise = cv::Matx33f::diag({20, 6, 6});
        clusters.push_back({mean.at<cv::Vec3f>(0), (cv::Matx33f(covariance) + noise).inv()});
    }
    return clusters;
}

/// Tenths of a standard deviation from the nearest of the border's colours, up to 255.
cv::Mat distanceToBorder(const cv::Mat& lab) {
    const std::vector<ColourCluster> clusters = borderColours(lab);
    cv::Mat distance(lab.size(), CV_8U);
    for (int y = 0; y < lab.rows; ++y)
        for (int x = 0; x < lab.cols; ++x) {
            float nearest = 650;
            for (const ColourCluster& cluster : clusters) {
                const cv::Vec3f off = cv::Vec3f(lab.at<cv::Vec3b>(y, x)) - cluster.mean;
                nearest = std::min(nearest, off.dot(cluster.precision * off));
            }
            distance.at<std::uint8_t>(y, x) =
                cv::saturate_cast<std::uint8_t>(10 * std::sqrt(nearest));
        }
    return distance;
}

/// GrabCut's labels to start from: the border is background, what differs from it, or on the board
/// from what is printed there, probably object.
cv::Mat firstGuess(const cv::Mat& lab, const BoardBackground& board) {
    constexpr double kLowest = 30, kHighest = 60;  // tenths of a standard deviation
    constexpr double kCorner = 0.95;
    cv::Mat distance = distanceToBorder(lab);
    if (!board.isEmpty()) {
        distance = cv::min(distance, board.distance);
        board.distance.copyTo(distance, board.onMarkers);
    }
    cv::Mat unused, labels(lab.size(), CV_8U);
    const double between =
        std::clamp(cv::threshold(distance, unused, 0, 255, cv::THRESH_BINARY | cv::THRESH_OTSU),
                   kLowest, kHighest);
    for (int y = 0; y < lab.rows; ++y)
        for (int x = 0; x < lab.cols; ++x) {
            const bool differs =
                distance.at<std::uint8_t>(y, x) > between && eccentricity(lab, x, y) < kCorner;
            labels.at<std::uint8_t>(y, x) = isInBorder(lab, x, y) ? cv::GC_BGD
                                            : differs             ? cv::GC_PR_FGD
                                                                  : cv::GC_PR_BGD;
        }
    if (!board.isEmpty()) labels.setTo(cv::GC_BGD, board.sure);
    return labels;
}

/// The same without a look at the colours: the object is in the middle.
cv::Mat middleGuess(const cv::Mat& lab) {
    constexpr double kRadius = 0.6;
    cv::Mat labels(lab.size(), CV_8U);
    for (int y = 0; y < lab.rows; ++y)
        for (int x = 0; x < lab.cols; ++x)
            labels.at<std::uint8_t>(y, x) = isInBorder(lab, x, y)               ? cv::GC_BGD
                                            : eccentricity(lab, x, y) < kRadius ? cv::GC_PR_FGD
                                                                                : cv::GC_PR_BGD;
    return labels;
}

/// 1 where the labels, which are changed, say object after `rounds` of GrabCut.
cv::Mat grabbed(const cv::Mat& lab, cv::Mat labels, int rounds) {
    const auto has = [&](int sure, int probable) {
        return cv::countNonZero((labels == sure) | (labels == probable)) > 0;
    };
    if (has(cv::GC_FGD, cv::GC_PR_FGD) && has(cv::GC_BGD, cv::GC_PR_BGD)) {
        cv::Mat background, foreground;
        cv::setRNGSeed(kSeed);
        cv::grabCut(lab, labels, {}, background, foreground, rounds, cv::GC_INIT_WITH_MASK);
    }
    return labels & 1;  // GC_FGD, GC_PR_FGD
}

/// Sets the connected parts of `mask` for which `unwanted(bounds, pixels, centre)` holds to
/// `value`.
template <class Unwanted>
void replaceParts(cv::Mat& mask, const cv::Mat& of, int connectivity, std::uint8_t value,
                  const Unwanted& unwanted) {
    cv::Mat labels, stats, centres;
    const int count = cv::connectedComponentsWithStats(of, labels, stats, centres, connectivity);
    for (int part = 1; part < count; ++part) {
        const cv::Rect bounds(
            stats.at<int>(part, cv::CC_STAT_LEFT), stats.at<int>(part, cv::CC_STAT_TOP),
            stats.at<int>(part, cv::CC_STAT_WIDTH), stats.at<int>(part, cv::CC_STAT_HEIGHT));
        const cv::Point2d centre(centres.at<double>(part, 0), centres.at<double>(part, 1));
        if (unwanted(bounds, stats.at<int>(part, cv::CC_STAT_AREA), centre))
            mask.setTo(value, labels == part);
    }
}

/// Without lines that run into the border (a table's edge), parts of the background and pinholes.
void clean(cv::Mat& mask) {
    const int near = 2 * borderOf(mask);
    const cv::Rect inner(near, near, mask.cols - 2 * near, mask.rows - 2 * near);
    cv::Mat thick;
    cv::morphologyEx(mask, thick, cv::MORPH_OPEN, cv::Mat::ones(5, 5, CV_8U));
    replaceParts(mask, mask & ~thick & 1, 8, 0, [&](const cv::Rect& bounds, int, cv::Point2d) {
        return (bounds & inner) != bounds;
    });

    constexpr double kCentred = 2, kLeastPart = 0.15, kLeastWeight = 0.1, kPinhole = 5e-4;
    const auto weight = [&](int pixels, cv::Point2d at) {
        const double far = eccentricity(mask, at.x, at.y);
        return pixels * std::exp(-kCentred * far * far);
    };
    double heaviest = 0;
    int most = 0;
    replaceParts(mask, mask, 8, 1, [&](const cv::Rect&, int pixels, cv::Point2d at) {
        if (weight(pixels, at) > heaviest) {
            heaviest = weight(pixels, at);
            most = pixels;
        }
        return false;
    });
    replaceParts(mask, mask.clone(), 8, 0, [&](const cv::Rect&, int pixels, cv::Point2d at) {
        const double own = weight(pixels, at);
        return own < heaviest && (pixels < kLeastPart * most || own < kLeastWeight * heaviest);
    });
    replaceParts(mask, 1 - mask, 4, 1, [&](const cv::Rect&, int pixels, cv::Point2d) {
        return pixels < kPinhole * static_cast<double>(mask.total());
    });
}

double shareOf(const cv::Mat& mask) {
    return static_cast<double>(cv::countNonZero(mask)) / static_cast<double>(mask.total());
}

/// The mask at the size of `lab`, its outline found anew within two of its own pixels.
cv::Mat refined(const cv::Mat& mask, const cv::Mat& lab, const BoardBackground& board) {
    constexpr int kRounds = 2;
    constexpr double kAround = 0.15;  // of the object: what shows the background's colours
    cv::Mat inner, outer, labels(lab.size(), CV_8U, cv::Scalar(cv::GC_BGD)), scaled;
    cv::erode(mask, inner, cv::Mat::ones(5, 5, CV_8U));
    cv::dilate(mask, outer, cv::Mat::ones(5, 5, CV_8U));
    const auto label = [&](const cv::Mat& where, int interpolation, double above, int value) {
        cv::resize(where * 255, scaled, lab.size(), 0, 0, interpolation);
        labels.setTo(value, scaled > above);
    };
    label(outer, cv::INTER_NEAREST, 0, cv::GC_PR_BGD);
    label(mask, cv::INTER_LINEAR, 127, cv::GC_PR_FGD);
    label(inner, cv::INTER_NEAREST, 0, cv::GC_FGD);
    if (!board.isEmpty()) labels.setTo(cv::GC_BGD, board.sure);
    cv::Rect around = cv::boundingRect(labels != cv::GC_BGD);
    const int margin = 2 + static_cast<int>(kAround * std::max(around.width, around.height));
    around = cv::Rect(around.x - margin, around.y - margin, around.width + 2 * margin,
                      around.height + 2 * margin) &
             cv::Rect({}, lab.size());
    cv::Mat made = cv::Mat::zeros(lab.size(), CV_8U);
    grabbed(lab(around), labels(around), kRounds).copyTo(made(around));
    return made;
}

/// Mean colour of the pixels of `where` around each pixel, and how far single ones are from it
/// (squared); `share`: of the pixels around, how many there are.
struct ColoursAround {
    cv::Mat mean, share, spread;

    ColoursAround(const cv::Mat& lab, const cv::Mat& where, cv::Size window) {
        cv::Mat kept = cv::Mat::zeros(lab.size(), lab.type()), squares;
        lab.copyTo(kept, where);
        where.convertTo(share, CV_32F, 1.0 / 255);
        cv::blur(share, share, window);
        cv::transform(kept.mul(kept), squares, cv::Matx13f(1, 1, 1));
        cv::blur(kept, mean, window);
        cv::blur(squares, spread, window);
        for (int y = 0; y < lab.rows; ++y)
            for (int x = 0; x < lab.cols; ++x) {
                const float all = std::max(share.at<float>(y, x), 1e-6F);
                cv::Vec3f& colour = mean.at<cv::Vec3f>(y, x);
                colour /= all;
                float& off = spread.at<float>(y, x);
                off = std::max(off / all - colour.dot(colour), 0.0F);
            }
    }
};

/// The mask at the size of `lab`, its outline where the colour is half-way between those inside and
/// outside of it: GrabCut takes for the object what blur mixes, and is a pixel too wide.
cv::Mat snapped(const cv::Mat& mask, const cv::Mat& lab) {
    constexpr int kWindow = 8;            // of the band's half width
    constexpr float kFewest = 0.02F;      // of the window
    constexpr float kLeastContrast = 12;  // Lab units
    constexpr float kClear = 2;           // standard deviations
    cv::Mat wide, inner, outer;
    cv::resize(mask * 255, wide, lab.size(), 0, 0, cv::INTER_LINEAR);
    wide = wide > 127;
    const int half = std::max(3, static_cast<int>(std::lround(1.5 * lab.cols / mask.cols)));
    const cv::Mat band = cv::Mat::ones(2 * half + 1, 2 * half + 1, CV_8U);
    cv::erode(wide, inner, band);
    cv::dilate(wide, outer, band);
    cv::Mat colours;
    lab.convertTo(colours, CV_32FC3);
    const cv::Size window(kWindow * half + 1, kWindow * half + 1);
    const ColoursAround inside(colours, inner, window), outside(colours, ~outer, window);
    cv::Mat made = wide.clone();
    for (int y = 0; y < lab.rows; ++y)
        for (int x = 0; x < lab.cols; ++x) {
            if (inner.at<std::uint8_t>(y, x) != 0 || outer.at<std::uint8_t>(y, x) == 0) continue;
            if (std::min(inside.share.at<float>(y, x), outside.share.at<float>(y, x)) < kFewest)
                continue;
            const cv::Vec3f back = outside.mean.at<cv::Vec3f>(y, x);
            const cv::Vec3f way = inside.mean.at<cv::Vec3f>(y, x) - back;
            const float contrast = way.dot(way);
            const float spread = inside.spread.at<float>(y, x) + outside.spread.at<float>(y, x);
            if (contrast < std::max(kLeastContrast * kLeastContrast, kClear * kClear * spread))
                continue;
            const float share = way.dot(colours.at<cv::Vec3f>(y, x) - back) / contrast;
            made.at<std::uint8_t>(y, x) = share > 0.5F ? 255 : 0;
        }
    cv::medianBlur(made, made, 3);
    return made;
}

std::string doubtOf(const cv::Mat& mask, bool byMiddle) {
    if (byMiddle) return "The object hardly differs from its background.";
    const int border = borderOf(mask) + 1;
    const cv::Rect inner(border, border, mask.cols - 2 * border, mask.rows - 2 * border);
    if ((cv::boundingRect(mask) & inner) != cv::boundingRect(mask))
        return "The object reaches the picture's edge.";
    return {};
}

void requireLargeEnough(const Image& photograph) {
    const auto [narrow, wide] = std::minmax(photograph.width, photograph.height);
    const double scale = std::min(1.0, static_cast<double>(kFirstSide) / wide);
    const bool isAllBorder = std::lround(narrow * scale) <= 2 * kNarrowestBorder;
    if (narrow >= kFewestPixels && !isAllBorder) return;
    throw InputError(
        {"photograph", "",
         narrow < kFewestPixels
             ? fmt::format("is {} × {} pixels, an outline needs at least {} a side",
                           photograph.width, photograph.height, kFewestPixels)
             : fmt::format("is {} × {} pixels, too narrow for an outline", photograph.width,
                           photograph.height),
         narrow < kFewestPixels ? "Take a larger one." : "Take one with more around the object."});
}

Cutout cutOutOf(const Image& photograph) {
    constexpr int kRounds = 6;
    requireLargeEnough(photograph);
    const cv::Mat lab = labOf(photograph, kFirstSide);
    const cv::Mat fineLab = labOf(photograph, kFineSide);
    BoardBackground board = boardBackground(photograph, fineLab.size());
    BoardBackground small = board.resized(lab.size());
    cv::Mat mask = grabbed(small.withoutMarkers(lab), firstGuess(lab, small), kRounds);
    clean(mask);
    if (small.isUnlike(mask)) {
        for (BoardBackground* each : {&board, &small}) each->trustBlack(mask);
        mask = grabbed(small.withoutMarkers(lab), firstGuess(lab, small), kRounds);
        clean(mask);
    }
    bool byMiddle = false;
    if (board.isEmpty() && shareOf(mask) < kSmallShare) {
        cv::Mat other = grabbed(lab, middleGuess(lab), kRounds);
        clean(other);
        byMiddle = shareOf(other) > shareOf(mask);
        if (byMiddle) mask = other;
    }
    if (shareOf(mask) < kLeastShare)
        throw InputError({"photograph", "", "no object stands out from the background",
                          "Take it before a plain background of another colour, or give a mask."});
    Cutout made;
    made.doubt = doubtOf(mask, byMiddle);
    const cv::Mat fine = refined(mask, board.withoutMarkers(fineLab), board);
    const cv::Mat outlined = snapped(fine, labOf(photograph, kOutlineSide));
    made.share = shareOf(outlined);
    cv::Mat whole;
    cv::resize(outlined, whole, {photograph.width, photograph.height}, 0, 0, cv::INTER_LINEAR);
    made.mask = {photograph.width, photograph.height,
                 std::vector<std::uint8_t>(photograph.rgba.size())};
    cv::Mat rgba = viewOf(made.mask);
    cv::cvtColor(whole, rgba, cv::COLOR_GRAY2RGBA);
    return made;
}

}  // namespace

Cutout cutOut(const Image& photograph) try {
    return cutOutOf(photograph);
} catch (const cv::Exception& failure) {
    if (failure.code == cv::Error::StsNoMem) throw std::bad_alloc();
    throw InputError(
        {"photograph", "", "cannot be cut out: OpenCV says " + failure.err, "Give a mask for it."});
}

}  // namespace threefold

#endif
