#include "tests/render/pictures.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string_view>

namespace threefold::render {
namespace {

constexpr double kMostMean = 0.2;
constexpr double kMostShare = 0.002;

std::filesystem::path baselineFile(const std::string& name) {
    return std::filesystem::path(THREEFOLD_TEST_DATA) / "render" / "baselines" / (name + ".png");
}

std::filesystem::path leave(const Image& image, const std::string& name) {
    const std::filesystem::path folder = THREEFOLD_BUILD_PICTURES;
    std::filesystem::create_directories(folder);
    writePng(folder / (name + ".png"), image);
    return folder / (name + ".png");
}

Image differencePicture(const Image& a, const Image& b) {
    Image picture{a.width, a.height, a.rgba};
    for (std::size_t i = 0; i < picture.rgba.size(); ++i) {
        const int apart = std::abs(int{a.rgba[i]} - int{b.rgba[i]});
        picture.rgba[i] = i % 4 == 3 ? 255 : static_cast<std::uint8_t>(std::min(255, 8 * apart));
    }
    return picture;
}

bool updating() {
    const char* wish = std::getenv("THREEFOLD_UPDATE_BASELINES");
    return wish != nullptr && std::string_view(wish) == "1";
}

}  // namespace

Difference compare(const Image& a, const Image& b) {
    Difference difference;
    const std::size_t pixels = a.rgba.size() / 4;
    std::size_t noticeable = 0;
    for (std::size_t pixel = 0; pixel < pixels; ++pixel) {
        int worst = 0;
        for (std::size_t i = 4 * pixel; i < 4 * pixel + 4; ++i) {
            const int apart = std::abs(int{a.rgba[i]} - int{b.rgba[i]});
            difference.mean += apart;
            worst = std::max(worst, apart);
        }
        if (worst > kNoticeable) ++noticeable;
        difference.largest = std::max(difference.largest, worst);
    }
    difference.mean /= static_cast<double>(a.rgba.size());
    difference.share = static_cast<double>(noticeable) / static_cast<double>(pixels);
    return difference;
}

testing::AssertionResult matchesBaseline(const Image& picture, const std::string& name) {
    const std::filesystem::path file = baselineFile(name);
    if (updating()) {
        writePng(file, picture);
        return testing::AssertionSuccess();
    }
    if (!std::filesystem::exists(file)) {
        return testing::AssertionFailure()
               << "there is no baseline " << file << "; look at " << leave(picture, name)
               << " and run tests/render/update_baselines if it is right";
    }
    const Image baseline = readImage(file);
    if (baseline.width != picture.width || baseline.height != picture.height) {
        return testing::AssertionFailure()
               << leave(picture, name) << " is " << picture.width << "×" << picture.height
               << ", its baseline " << baseline.width << "×" << baseline.height;
    }
    const Difference found = compare(picture, baseline);
    if (found.mean <= kMostMean && found.share <= kMostShare) return testing::AssertionSuccess();
    return testing::AssertionFailure()
           << "mean difference " << found.mean << " (at most " << kMostMean << "), share "
           << found.share << " (at most " << kMostShare << "), largest " << found.largest
           << "; picture " << leave(picture, name) << ", difference "
           << leave(differencePicture(picture, baseline), name + "_difference") << ", baseline "
           << file;
}

glm::ivec4 pixelAt(const Image& image, int x, int y) {
    const std::size_t at =
        4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
             static_cast<std::size_t>(x));
    return {image.rgba[at], image.rgba[at + 1], image.rgba[at + 2], image.rgba[at + 3]};
}

std::size_t countOther(const Image& image, glm::ivec4 colour) {
    std::size_t count = 0;
    for (int y = 0; y < image.height; ++y) {
        for (int x = 0; x < image.width; ++x) count += pixelAt(image, x, y) != colour ? 1 : 0;
    }
    return count;
}

}  // namespace threefold::render
