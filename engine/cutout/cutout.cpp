#include "engine/cutout/cutout.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

#include <fmt/format.h>
#include <opencv2/imgproc.hpp>

#include "engine/cutout/board_background.h"
#include "engine/cutout/grab_cut.h"
#include "engine/error.h"

namespace threefold {
namespace {

constexpr int kFirstSide = 320;  // pixels of the longer side, at which the object is found
constexpr int kFineSide = 700;
constexpr int kOutlineSide = 1400;
constexpr int kMinSide = 32;  // pixels a side
constexpr int kMinBorder = 2;
constexpr double kBorderFraction = 0.04;
constexpr double kMinObjectFraction = 0.005;   // of the picture; a smaller mask is no object
constexpr double kMinReliableFraction = 0.02;  // of the picture; a smaller mask means wrong labels

int borderWidth(const cv::Mat& picture) {
    return std::max(
        kMinBorder,
        static_cast<int>(std::lround(kBorderFraction * std::min(picture.rows, picture.cols))));
}

bool isInBorder(const cv::Mat& picture, int x, int y) {
    const int border = borderWidth(picture);
    return x < border || y < border || x >= picture.cols - border || y >= picture.rows - border;
}

/// Distance from the picture's centre, 1 at the centre of each side.
double eccentricity(const cv::Mat& picture, double x, double y) {
    return std::hypot(2 * (x + 0.5) / picture.cols - 1, 2 * (y + 0.5) / picture.rows - 1);
}

struct ColourCluster {
    cv::Vec3f mean;
    cv::Matx33f precision;  // inverse of the covariance
};

/// Colours of the border as a few normal distributions.
std::vector<ColourCluster> borderColours(const cv::Mat& lab) {
    constexpr int kClusters = 6, kKmeansRounds = 20, kAttempts = 2;
    constexpr double kMinFraction = 0.02;  // of the border; a smaller cluster may be the object
    cv::Mat pixels(0, 3, CV_32F);
    for (int y = 0; y < lab.rows; ++y)
        for (int x = 0; x < lab.cols; ++x)
            if (isInBorder(lab, x, y)) {
                const cv::Vec3b& c = lab.at<cv::Vec3b>(y, x);
                pixels.push_back(cv::Mat(cv::Matx13f(c[0], c[1], c[2])));
            }
    cv::Mat labels;
    cv::setRNGSeed(kGrabCutSeed);
    cv::kmeans(pixels, kClusters, labels,
               {cv::TermCriteria::COUNT + cv::TermCriteria::EPS, kKmeansRounds, 0.5}, kAttempts,
               cv::KMEANS_PP_CENTERS);
    std::vector<ColourCluster> clusters;
    for (int k = 0; k < kClusters; ++k) {
        cv::Mat members(0, 3, CV_32F);
        for (int i = 0; i < pixels.rows; ++i)
            if (labels.at<int>(i) == k) members.push_back(pixels.row(i));
        if (members.rows < kMinFraction * pixels.rows) continue;
        cv::Mat covariance, mean;
        cv::calcCovarMatrix(members, covariance, mean,
                            cv::COVAR_NORMAL | cv::COVAR_ROWS | cv::COVAR_SCALE, CV_32F);
        // Light varies more than hue does, and no camera is without noise.
        const cv::Matx33f noise = cv::Matx33f::diag({20, 6, 6});
        clusters.push_back({mean.at<cv::Vec3f>(0), (cv::Matx33f(covariance) + noise).inv()});
    }
    return clusters;
}

/// Distance of each pixel to the nearest border colour, in tenths of a standard deviation, up to
/// 255.
cv::Mat distanceToBorderColours(const cv::Mat& lab) {
    const std::vector<ColourCluster> clusters = borderColours(lab);
    cv::Mat distance(lab.size(), CV_8U);
    for (int y = 0; y < lab.rows; ++y)
        for (int x = 0; x < lab.cols; ++x) {
            float minSquared = 650.25F;  // 25.5²: a pixel's maximum, 255, in tenths
            for (const ColourCluster& cluster : clusters) {
                const cv::Vec3f difference = cv::Vec3f(lab.at<cv::Vec3b>(y, x)) - cluster.mean;
                minSquared = std::min(minSquared, difference.dot(cluster.precision * difference));
            }
            distance.at<std::uint8_t>(y, x) =
                cv::saturate_cast<std::uint8_t>(10 * std::sqrt(minSquared));
        }
    return distance;
}

/// Initial GrabCut labels: the border is background; pixels that differ from the border colours (on
/// the sheet: from its print) are probably object.
cv::Mat initialLabels(const cv::Mat& lab, const BoardBackground& board) {
    constexpr double kMinThreshold = 30, kMaxThreshold = 60;  // tenths of a standard deviation
    constexpr double kMaxEccentricity = 0.95;
    cv::Mat distance = distanceToBorderColours(lab);
    if (!board.isEmpty()) {
        distance = cv::min(distance, board.distanceToPrint);
        board.distanceToPrint.copyTo(distance, board.printedRectangle);
    }
    cv::Mat ignored, labels(lab.size(), CV_8U);
    const double threshold =
        std::clamp(cv::threshold(distance, ignored, 0, 255, cv::THRESH_BINARY | cv::THRESH_OTSU),
                   kMinThreshold, kMaxThreshold);
    for (int y = 0; y < lab.rows; ++y)
        for (int x = 0; x < lab.cols; ++x) {
            const bool differs = distance.at<std::uint8_t>(y, x) > threshold &&
                                 eccentricity(lab, x, y) < kMaxEccentricity;
            labels.at<std::uint8_t>(y, x) = isInBorder(lab, x, y) ? cv::GC_BGD
                                            : differs             ? cv::GC_PR_FGD
                                                                  : cv::GC_PR_BGD;
        }
    if (!board.isEmpty()) labels.setTo(cv::GC_BGD, board.certainBackground);
    return labels;
}

/// Initial GrabCut labels without colours: the object is in the centre.
cv::Mat centredLabels(const cv::Mat& lab) {
    constexpr double kRadius = 0.6;
    cv::Mat labels(lab.size(), CV_8U);
    for (int y = 0; y < lab.rows; ++y)
        for (int x = 0; x < lab.cols; ++x)
            labels.at<std::uint8_t>(y, x) = isInBorder(lab, x, y)               ? cv::GC_BGD
                                            : eccentricity(lab, x, y) < kRadius ? cv::GC_PR_FGD
                                                                                : cv::GC_PR_BGD;
    return labels;
}

/// Connected component of a mask.
struct Component {
    cv::Rect bounds;
    int pixels;
    cv::Point2d centre;
};

/// Calls `visit(component, label, labels)` for each connected component of `mask`.
template <class Visit>
void forEachComponent(const cv::Mat& mask, int connectivity, const Visit& visit) {
    cv::Mat labels, stats, centres;
    const int count = cv::connectedComponentsWithStats(mask, labels, stats, centres, connectivity);
    for (int label = 1; label < count; ++label) {
        const cv::Rect bounds(
            stats.at<int>(label, cv::CC_STAT_LEFT), stats.at<int>(label, cv::CC_STAT_TOP),
            stats.at<int>(label, cv::CC_STAT_WIDTH), stats.at<int>(label, cv::CC_STAT_HEIGHT));
        const cv::Point2d centre(centres.at<double>(label, 0), centres.at<double>(label, 1));
        visit(Component{bounds, stats.at<int>(label, cv::CC_STAT_AREA), centre}, label, labels);
    }
}

/// Sets the pixels of `mask` to `value` in those connected components of `source` for which
/// unwanted(component) is true.
template <class Unwanted>
void replaceComponents(cv::Mat& mask, const cv::Mat& source, int connectivity, std::uint8_t value,
                       const Unwanted& unwanted) {
    forEachComponent(source, connectivity,
                     [&](const Component& component, int label, const cv::Mat& labels) {
                         if (unwanted(component)) mask.setTo(value, labels == label);
                     });
}

/// If an object stands on the sheet of markers, removes the components beside the sheet, such as a
/// bright spot of the table.
void keepOnSheet(cv::Mat& mask, const BoardBackground& board) {
    cv::Mat labels;
    const int count = cv::connectedComponents(mask, labels, 8);
    std::vector<int> onSheet(static_cast<std::size_t>(count), 0);
    for (int y = 0; y < mask.rows; ++y)
        for (int x = 0; x < mask.cols; ++x)
            if (board.printedRectangle.at<std::uint8_t>(y, x) != 0)
                ++onSheet[static_cast<std::size_t>(labels.at<int>(y, x))];
    const double minPixels = kMinObjectFraction * static_cast<double>(mask.total());
    if (std::ranges::none_of(onSheet.begin() + 1, onSheet.end(),
                             [&](int pixels) { return pixels >= minPixels; }))
        return;
    for (int label = 1; label < count; ++label)
        if (onSheet[static_cast<std::size_t>(label)] == 0) mask.setTo(0, labels == label);
}

/// Removes lines that run into the border (a table's edge), small components and pinholes.
void removeArtefacts(cv::Mat& mask, const BoardBackground& board = {}) {
    if (!board.isEmpty()) keepOnSheet(mask, board);
    const int margin = 2 * borderWidth(mask);
    const cv::Rect inner(margin, margin, mask.cols - 2 * margin, mask.rows - 2 * margin);
    cv::Mat thick;
    cv::morphologyEx(mask, thick, cv::MORPH_OPEN, cv::Mat::ones(5, 5, CV_8U));
    replaceComponents(mask, mask & ~thick & 1, 8, 0,
                      [&](const Component& line) { return (line.bounds & inner) != line.bounds; });

    constexpr double kCentreWeight = 2, kMinComponent = 0.15, kMinWeight = 0.1, kPinhole = 5e-4;
    const auto weightOf = [&](const Component& component) {
        const double distance = eccentricity(mask, component.centre.x, component.centre.y);
        return component.pixels * std::exp(-kCentreWeight * distance * distance);
    };
    double heaviest = 0;
    int heaviestPixels = 0;
    forEachComponent(mask, 8, [&](const Component& component, int, const cv::Mat&) {
        const double weight = weightOf(component);
        if (weight <= heaviest) return;
        heaviest = weight;
        heaviestPixels = component.pixels;
    });
    replaceComponents(mask, mask.clone(), 8, 0, [&](const Component& component) {
        const double weight = weightOf(component);
        return weight < heaviest && (component.pixels < kMinComponent * heaviestPixels ||
                                     weight < kMinWeight * heaviest);
    });
    replaceComponents(mask, 1 - mask, 4, 1, [&](const Component& hole) {
        return hole.pixels < kPinhole * static_cast<double>(mask.total());
    });
}

/// Mask at the size of `lab`. Recomputes the outline in a band that reaches two of the pixels of
/// `mask` to either side of its outline.
cv::Mat refineOutline(const cv::Mat& mask, const cv::Mat& lab, const BoardBackground& board) {
    constexpr int kRefinementRounds = 2;
    constexpr double kMargin = 0.15;  // of the object's size
    cv::Mat inner, outer, labels(lab.size(), CV_8U, cv::Scalar(cv::GC_BGD)), scaled;
    cv::erode(mask, inner, cv::Mat::ones(5, 5, CV_8U));
    cv::dilate(mask, outer, cv::Mat::ones(5, 5, CV_8U));
    const auto label = [&](const cv::Mat& area, int interpolation, double above, int value) {
        cv::resize(area * 255, scaled, lab.size(), 0, 0, interpolation);
        labels.setTo(value, scaled > above);
    };
    label(outer, cv::INTER_NEAREST, 0, cv::GC_PR_BGD);
    label(mask, cv::INTER_LINEAR, 127, cv::GC_PR_FGD);
    label(inner, cv::INTER_NEAREST, 0, cv::GC_FGD);
    if (!board.isEmpty()) labels.setTo(cv::GC_BGD, board.certainBackground);
    const cv::Rect window = objectWindow(labels, kMargin);
    cv::Mat result = cv::Mat::zeros(lab.size(), CV_8U);
    runGrabCut(lab(window), labels(window), kRefinementRounds).copyTo(result(window));
    return result;
}

std::string warningOf(const cv::Mat& mask, bool startsFromCentre) {
    if (startsFromCentre) return "The object hardly differs from its background.";
    const int border = borderWidth(mask) + 1;
    const cv::Rect inner(border, border, mask.cols - 2 * border, mask.rows - 2 * border);
    if ((cv::boundingRect(mask) & inner) != cv::boundingRect(mask))
        return "The object reaches the picture's edge.";
    return {};
}

void requireLargeEnough(const Image& photograph, const std::filesystem::path& subject) {
    const auto [shorter, longer] = std::minmax(photograph.width, photograph.height);
    const double scale = std::min(1.0, static_cast<double>(kFirstSide) / longer);
    const bool isAllBorder = std::lround(shorter * scale) <= 2 * kMinBorder;
    if (shorter >= kMinSide && !isAllBorder) return;
    throw InputError(
        {subject.string(), "",
         shorter < kMinSide ? fmt::format("is {} × {} pixels, an outline needs at least {} a side",
                                          photograph.width, photograph.height, kMinSide)
                            : fmt::format("is {} × {} pixels, too narrow for an outline",
                                          photograph.width, photograph.height),
         shorter < kMinSide ? "Take a larger one." : "Take one with more around the object."});
}

constexpr int kGrabCutRounds = 6;

/// Mask of the object, and the sheet of markers around it.
struct FirstMask {
    cv::Mat mask;
    BoardBackground board;
};

/// Mask at the size of `lab`, from the border's colours and the sheet. If the object is unlike
/// black print, black print counts as background too.
FirstMask firstMask(const cv::Mat& lab, BoardBackground board) {
    BoardBackground small = board.resized(lab.size());
    cv::Mat mask = runGrabCut(small.paintedOver(lab), initialLabels(lab, small), kGrabCutRounds);
    removeArtefacts(mask, small);
    if (small.differsFromBlackPrint(mask)) {
        for (BoardBackground* background : {&board, &small})
            *background = background->withBlackPrint(mask);
        mask = runGrabCut(small.paintedOver(lab), initialLabels(lab, small), kGrabCutRounds);
        removeArtefacts(mask, small);
    }
    return {mask, std::move(board)};
}

Cutout cutOutUnchecked(Image photograph, const board::SheetLayout& sheet,
                       const std::filesystem::path& subject) {
    constexpr float kDeepShade = 0.45F, kLightShade = 0.75F;  // brightness relative to the paper
    requireLargeEnough(photograph, subject);
    const cv::Mat lab = toLab(photograph, kFirstSide);
    const cv::Mat fineLab = toLab(photograph, kFineSide);
    FirstMask first;
    for (const float minLight : {kDeepShade, kLightShade}) {
        first = firstMask(lab, boardBackground(photograph, fineLab.size(), sheet, minLight));
        // A grey object looks like paper in deep shade: if no object is found, only light shade is
        // assumed.
        if (first.board.isEmpty() || objectFraction(first.mask) >= kMinObjectFraction) break;
    }
    auto& [mask, board] = first;
    bool startsFromCentre = false;
    if (board.isEmpty() && objectFraction(mask) < kMinReliableFraction) {
        cv::Mat centred = runGrabCut(lab, centredLabels(lab), kGrabCutRounds);
        removeArtefacts(centred);
        startsFromCentre = objectFraction(centred) > objectFraction(mask);
        if (startsFromCentre) mask = centred;
    }
    const auto requireObject = [&](const cv::Mat& found) {
        if (objectFraction(found) < kMinObjectFraction)
            throw InputError(
                {subject.string(), "", "no object stands out from the background",
                 "Take it before a plain background of another colour, or give a mask."});
    };
    requireObject(mask);
    Cutout result;
    result.warning = warningOf(mask, startsFromCentre);
    const cv::Mat fine = refineOutline(mask, board.paintedOver(fineLab), board);
    const cv::Mat outlined = snapOutline(fine, toLab(photograph, kOutlineSide));
    requireObject(outlined);
    result.fraction = objectFraction(outlined);
    const cv::Size size(photograph.width, photograph.height);
    photograph = {};  // frees its memory, since the mask takes as much
    result.mask = maskImage(outlined, size);
    return result;
}

}  // namespace

Cutout cutOut(Image photograph, const board::SheetLayout& sheet,
              const std::filesystem::path& subject) try {
    return cutOutUnchecked(std::move(photograph), sheet, subject);
} catch (const cv::Exception& failure) {
    throwOpenCvError(failure, subject);
}

}  // namespace threefold
