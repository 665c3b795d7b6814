#include "engine/stereo/depth_votes.h"

#include <algorithm>
#include <cstddef>

#include "engine/error.h"

namespace threefold::stereo {
namespace {

float ramp(float value, float from, float to) {
    return std::clamp((value - from) / (to - from), 0.0F, 1.0F);
}

/// Clears connected regions (4-neighbourhood) of fewer pixels than `minPixels`.
void dropSpecks(std::vector<std::uint8_t>& mask, int side, std::size_t minPixels) {
    std::vector<std::uint8_t> visited(mask.size());
    std::vector<std::size_t> region;
    const auto width = static_cast<std::size_t>(side);
    for (std::size_t start = 0; start < mask.size(); ++start) {
        if (mask[start] == 0 || visited[start] != 0) continue;
        region.assign(1, start);
        visited[start] = 1;
        const auto visit = [&](std::size_t pixel) {
            if (mask[pixel] == 0 || visited[pixel] != 0) return;
            visited[pixel] = 1;
            region.push_back(pixel);
        };
        for (std::size_t i = 0; i < region.size(); ++i) {
            const std::size_t pixel = region[i];
            if (pixel % width > 0) visit(pixel - 1);
            if (pixel % width + 1 < width) visit(pixel + 1);
            if (pixel >= width) visit(pixel - width);
            if (pixel + width < mask.size()) visit(pixel + width);
        }
        if (region.size() < minPixels)
            for (const std::size_t pixel : region) mask[pixel] = 0;
    }
}

/// Sums over squares of 2 · radius + 1 pixels a side, clipped at the picture's border.
std::vector<float> boxSums(const std::vector<std::uint8_t>& values, int side, int radius) {
    const auto width = static_cast<std::size_t>(side) + 1;
    std::vector<float> table(width * width);  // integral image; whole numbers below 2^24
    for (std::size_t y = 1; y < width; ++y) {
        float row = 0;
        for (std::size_t x = 1; x < width; ++x) {
            row += static_cast<float>(values[(y - 1) * (width - 1) + x - 1]);
            table[y * width + x] = table[(y - 1) * width + x] + row;
        }
    }
    std::vector<float> sums(values.size());
    for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x) {
            const auto top = static_cast<std::size_t>(std::max(0, y - radius));
            const auto left = static_cast<std::size_t>(std::max(0, x - radius));
            const auto bottom = static_cast<std::size_t>(std::min(side, y + radius + 1));
            const auto right = static_cast<std::size_t>(std::min(side, x + radius + 1));
            sums[static_cast<std::size_t>(y) * (width - 1) + static_cast<std::size_t>(x)] =
                table[bottom * width + right] - table[top * width + right] -
                table[bottom * width + left] + table[top * width + left];
        }
    return sums;
}

/// Radius of the square in which strong depths are counted: 6 % of the object's longer side.
int countRadius(const StereoView& view, const DepthMap& map) {
    int left = view.side, right = 0, top = view.side, bottom = 0;
    for (int y = 0; y < view.side; ++y)
        for (int x = 0; x < view.side; ++x)
            if (map.searchDepth[view.pixelIndex(x, y)] > 0) {
                left = std::min(left, x);
                right = std::max(right, x);
                top = std::min(top, y);
                bottom = std::max(bottom, y);
            }
    constexpr double kFraction = 0.06;
    constexpr int kMinRadius = 3;
    return std::max(kMinRadius, static_cast<int>(kFraction * std::max(right - left, bottom - top)));
}

/// 1 for each depth that fulfils the rules and lies in a region of enough pixels.
std::vector<std::uint8_t> sureMask(const StereoView& view, const DepthMap& map,
                                   const ViewSupport& support, const VoteRules& rules) {
    std::vector<std::uint8_t> sure(map.depth.size());
    for (std::size_t i = 0; i < sure.size(); ++i)
        sure[i] = map.depth[i] > 0 && map.score[i] >= rules.minScore &&
                          map.margin[i] >= rules.minMargin &&
                          support.supportingCount[i] >= rules.minSupportingViews &&
                          support.freeSpaceViolationCount[i] <= support.supportingCount[i]
                      ? 1
                      : 0;
    dropSpecks(sure, view.side, rules.minRegionPixels);
    return sure;
}

/// Factor 0…1 of each sure depth's weight, by the fraction of strong depths around the pixel; 1 if
/// the rules do not check this fraction.
std::vector<float> strengthFactors(const StereoView& view, const DepthMap& map,
                                   const std::vector<std::uint8_t>& sure,
                                   const std::vector<std::uint8_t>& strong,
                                   const VoteRules& rules) {
    constexpr float kStrongRamp = 0.3F;
    std::vector<float> factors(sure.size(), 1.0F);
    if (rules.minStrongFraction < 0) return factors;
    const int radius = countRadius(view, map);
    const std::vector<float> sureAround = boxSums(sure, view.side, radius);
    const std::vector<float> strongAround = boxSums(strong, view.side, radius);
    for (std::size_t i = 0; i < sure.size(); ++i)
        if (sure[i] != 0)
            factors[i] = ramp(strongAround[i] / sureAround[i], rules.minStrongFraction,
                              rules.minStrongFraction + kStrongRamp);
    return factors;
}

}  // namespace

DepthVotes votesOf(const StereoView& view, const DepthMap& map, const ViewSupport& support,
                   const VoteRules& rules) {
    constexpr float kRampStart = 0.45F;
    constexpr float kRampEnd = 0.9F;
    constexpr int kMaxAgreeing = 6;
    constexpr float kAgreeingUnit = 3;
    const std::vector<std::uint8_t> sure = sureMask(view, map, support, rules);
    std::vector<std::uint8_t> strong = sure;
    for (std::size_t i = 0; i < sure.size(); ++i)
        if (map.margin[i] <= kStrongMargin) strong[i] = 0;
    const std::vector<float> factors = strengthFactors(view, map, sure, strong, rules);

    DepthVotes votes;
    votes.weight.resize(sure.size());
    double sureCount = 0;
    double strongCount = 0;
    for (std::size_t i = 0; i < sure.size(); ++i) {
        if (sure[i] == 0) continue;
        ++sureCount;
        strongCount += strong[i];
        votes.weight[i] =
            ramp(map.score[i], kRampStart, kRampEnd) *
            ramp(map.margin[i], rules.minMargin, rules.fullMargin) *
            static_cast<float>(std::min<int>(support.supportingCount[i], kMaxAgreeing)) /
            kAgreeingUnit * factors[i];
    }
    const auto objectPixels =
        std::ranges::count_if(map.searchDepth, [](float depth) { return depth > 0; });
    if (objectPixels > 0) votes.sureFraction = sureCount / static_cast<double>(objectPixels);
    if (sureCount > 0) votes.strongFraction = strongCount / sureCount;
    return votes;
}

std::vector<DepthVotes> allVotes(const MatchedViews& matched, const VoteRules& rules,
                                 const std::stop_token& cancel) {
    std::vector<DepthVotes> votes;
    for (std::size_t i = 0; i < matched.views.size(); ++i) {
        if (cancel.stop_requested()) throw Cancelled();
        votes.push_back(votesOf(matched.views[i], matched.maps[i], matched.support[i], rules));
    }
    return votes;
}

}  // namespace threefold::stereo
