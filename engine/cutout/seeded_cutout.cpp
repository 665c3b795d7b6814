#include "engine/cutout/seeded_cutout.h"

#include <algorithm>
#include <cstddef>
#include <span>

#include <opencv2/imgproc.hpp>

#include "engine/cutout/grab_cut.h"

namespace threefold {
namespace {

constexpr int kSeededSide = 400;  // pixels; the outline is refined at the picture's full size
constexpr int kSeededRounds = 5;

static_assert(static_cast<int>(SeedLabel::background) == cv::GC_BGD);
static_assert(static_cast<int>(SeedLabel::object) == cv::GC_FGD);
static_assert(static_cast<int>(SeedLabel::probableBackground) == cv::GC_PR_BGD);
static_assert(static_cast<int>(SeedLabel::probableObject) == cv::GC_PR_FGD);

/// Gives transparent pixels, which show nothing, the mean colour of the background.
Image withFilledTransparency(const Image& picture, const cv::Mat& labels) {
    Image filled = picture;
    std::array<double, 3> sum{};
    double count = 0;
    const auto forPixels = [&](const auto& visit) {
        for (int y = 0; y < picture.height; ++y)
            for (int x = 0; x < picture.width; ++x)
                visit(filled.rgba.data() + 4 * (static_cast<std::size_t>(y) *
                                                    static_cast<std::size_t>(picture.width) +
                                                static_cast<std::size_t>(x)),
                      labels.at<std::uint8_t>(y * labels.rows / picture.height,
                                              x * labels.cols / picture.width));
    };
    forPixels([&](const std::uint8_t* pixel, int label) {
        if (pixel[3] == 0 || label != cv::GC_BGD) return;
        for (std::size_t c = 0; c < 3; ++c) sum[c] += pixel[c];
        ++count;
    });
    if (count == 0) return filled;
    forPixels([&](std::uint8_t* pixel, int /*label*/) {
        if (pixel[3] != 0) return;
        for (std::size_t c = 0; c < 3; ++c) pixel[c] = static_cast<std::uint8_t>(sum[c] / count);
    });
    return filled;
}

/// Rows of a given width with the samples' colours, sorted by lightness: neighbours are alike.
cv::Mat colourRows(std::span<const CutoutSeeds::Colour> colours, int width) {
    const auto count = static_cast<int>(colours.size());
    const int rows = count / width;
    if (rows == 0) return {};
    Image image{width, rows, {}};
    std::vector<CutoutSeeds::Colour> sorted(colours.begin(), colours.end());
    std::ranges::sort(sorted, {}, [](const CutoutSeeds::Colour& colour) {
        return std::pair(colour[0] + colour[1] + colour[2], colour);
    });
    for (int i = 0; i < rows * width; ++i) {
        const CutoutSeeds::Colour& colour =
            sorted[static_cast<std::size_t>(std::int64_t{i} * count / (rows * width))];
        image.rgba.insert(image.rgba.end(), {colour[0], colour[1], colour[2], 255});
    }
    return toLab(image, std::max(width, rows));
}

Mask cutOutWithSeedsUnchecked(const Image& picture, const CutoutSeeds& seeds) {
    cv::Mat seedLabels(seeds.height, seeds.width, CV_8U);
    for (std::size_t i = 0; i < seeds.labels.size(); ++i)
        seedLabels.data[i] = static_cast<std::uint8_t>(seeds.labels[i]);
    const Image filled = withFilledTransparency(picture, seedLabels);
    const cv::Mat lab = toLab(filled, kSeededSide);
    cv::Mat labels;
    cv::resize(seedLabels, labels, lab.size(), 0, 0, cv::INTER_NEAREST);

    constexpr double kMargin = 0.2;  // of the object's size
    const cv::Rect window = objectWindow(labels, kMargin);
    Mask result{picture.width, picture.height,
                std::vector<std::uint8_t>(static_cast<std::size_t>(picture.width) *
                                          static_cast<std::size_t>(picture.height))};
    if (window.empty()) return result;

    // Colours sampled from other photographs are appended as rows whose labels are certain.
    cv::Mat extendedLab = lab(window).clone();
    cv::Mat extendedLabels = labels(window).clone();
    const auto append = [&](std::span<const CutoutSeeds::Colour> colours, int label) {
        const cv::Mat rows = colourRows(colours, window.width);
        if (rows.empty()) return;
        extendedLab.push_back(rows);
        extendedLabels.push_back(cv::Mat(rows.size(), CV_8U, cv::Scalar(label)));
    };
    append(seeds.backgroundColours, cv::GC_BGD);
    append(seeds.objectColours, cv::GC_FGD);
    const cv::Mat cut = runGrabCut(extendedLab, extendedLabels, kSeededRounds);
    cv::Mat mask = cv::Mat::zeros(lab.size(), CV_8U);
    cut.rowRange(0, window.height).copyTo(mask(window));
    if (cv::countNonZero(mask) == 0) return result;
    const cv::Mat outlined =
        snapOutline(mask, toLab(filled, std::max(picture.width, picture.height)));
    for (std::size_t i = 0; i < result.inside.size(); ++i)
        result.inside[i] = outlined.data[i] > 127 && picture.rgba[4 * i + 3] != 0 ? 1 : 0;
    return result;
}

}  // namespace

Mask cutOutWithSeeds(const Image& picture, const CutoutSeeds& seeds,
                     const std::filesystem::path& subject) try {
    return cutOutWithSeedsUnchecked(picture, seeds);
} catch (const cv::Exception& failure) {
    throwOpenCvError(failure, subject);
}

bool canCutOut() {
    return true;
}

}  // namespace threefold
