#include "tests/render/pictures.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <vector>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "tests/render/lab.h"

namespace threefold::render {
namespace {

constexpr int kBlock = 8;
constexpr double kMaxBlockDistance = 1.0;
constexpr int kMaxNoticeableInBlock = 4;
constexpr double kMaxFraction = 0.002;

std::filesystem::path baselineFile(const std::string& name) {
    return std::filesystem::path(THREEFOLD_TEST_DATA) / "render" / "baselines" / (name + ".png");
}

std::filesystem::path writeForInspection(const Image& image, const std::string& name) {
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

glm::vec3 labAt(const Image& image, int x, int y, float backdrop) {
    const glm::vec4 pixel = glm::vec4(pixelAt(image, x, y)) / 255.0F;
    return labOf(glm::mix(glm::vec3(backdrop), glm::vec3(pixel), pixel.w));
}

// Blocks overlap by half, so that a difference across the border of two blocks is found, too.
Difference compareUpon(const Image& a, const Image& b, float backdrop) {
    constexpr int kStep = kBlock / 2;
    const int columns = (a.width + kStep - 1) / kStep, rows = (a.height + kStep - 1) / kStep;
    struct Cell {
        glm::vec3 apart{0.0F};
        int noticeable = 0, pixels = 0;
    };
    std::vector<Cell> cells(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows));
    const auto cellAt = [&](int column, int row) -> Cell& {
        return cells[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                     static_cast<std::size_t>(column)];
    };
    Difference difference;
    int noticeable = 0;
    for (int y = 0; y < a.height; ++y) {
        for (int x = 0; x < a.width; ++x) {
            const glm::vec3 apart = labAt(a, x, y, backdrop) - labAt(b, x, y, backdrop);
            const float distance = glm::length(apart);
            Cell& cell = cellAt(x / kStep, y / kStep);
            cell.apart += apart;
            cell.pixels += 1;
            cell.noticeable += distance > kNoticeable ? 1 : 0;
            noticeable += distance > kNoticeable ? 1 : 0;
            difference.mean += distance;
        }
    }
    for (int row = 0; row + 1 < std::max(2, rows); ++row) {
        for (int column = 0; column + 1 < std::max(2, columns); ++column) {
            Cell block;
            for (int i = 0; i < 4; ++i) {
                const int x = column + i % 2, y = row + i / 2;
                if (x >= columns || y >= rows) continue;
                const Cell& cell = cellAt(x, y);
                block.apart += cell.apart;
                block.pixels += cell.pixels;
                block.noticeable += cell.noticeable;
            }
            const double blockDistance =
                glm::length(block.apart) / static_cast<float>(block.pixels);
            difference.maxBlockDistance = std::max(difference.maxBlockDistance, blockDistance);
            difference.maxNoticeableInBlock =
                std::max(difference.maxNoticeableInBlock, block.noticeable);
        }
    }
    const double pixels = static_cast<double>(a.width) * a.height;
    difference.mean /= pixels;
    difference.fraction = noticeable / pixels;
    return difference;
}

bool updating() {
    const char* wish = std::getenv("THREEFOLD_UPDATE_BASELINES");
    return wish != nullptr && std::string_view(wish) == "1";
}

}  // namespace

Difference compare(const Image& a, const Image& b) {
    const Difference onBlack = compareUpon(a, b, 0.0F), onWhite = compareUpon(a, b, 1.0F);
    return {.mean = std::max(onBlack.mean, onWhite.mean),
            .maxBlockDistance = std::max(onBlack.maxBlockDistance, onWhite.maxBlockDistance),
            .maxNoticeableInBlock =
                std::max(onBlack.maxNoticeableInBlock, onWhite.maxNoticeableInBlock),
            .fraction = std::max(onBlack.fraction, onWhite.fraction)};
}

bool looksAlike(const Difference& difference) {
    return difference.maxBlockDistance <= kMaxBlockDistance &&
           difference.maxNoticeableInBlock <= kMaxNoticeableInBlock &&
           difference.fraction <= kMaxFraction;
}

testing::AssertionResult matchesBaseline(const Image& picture, const std::string& name) {
    const std::filesystem::path file = baselineFile(name);
    if (updating()) {
        // An unchanged picture keeps its baseline file, which may be compressed better.
        if (!std::filesystem::exists(file) || readImage(file).rgba != picture.rgba) {
            writePng(file, picture);
        }
        return testing::AssertionSuccess();
    }
    if (!std::filesystem::exists(file)) {
        return testing::AssertionFailure()
               << "there is no baseline " << file << "; look at "
               << writeForInspection(picture, name)
               << " and run tests/render/update_baselines if it is right";
    }
    const Image baseline = readImage(file);
    if (baseline.width != picture.width || baseline.height != picture.height) {
        return testing::AssertionFailure()
               << writeForInspection(picture, name) << " is " << picture.width << "×"
               << picture.height << ", its baseline " << baseline.width << "×" << baseline.height;
    }
    const Difference found = compare(picture, baseline);
    if (looksAlike(found)) return testing::AssertionSuccess();
    return testing::AssertionFailure()
           << "maxBlockDistance " << found.maxBlockDistance << " (at most " << kMaxBlockDistance
           << "), maxNoticeableInBlock " << found.maxNoticeableInBlock << " (at most "
           << kMaxNoticeableInBlock << "), fraction " << found.fraction << " (at most "
           << kMaxFraction << "); picture " << writeForInspection(picture, name) << ", difference "
           << writeForInspection(differencePicture(picture, baseline), name + "_difference")
           << ", baseline " << file;
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
