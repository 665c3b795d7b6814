#include "engine/stereo/depth_votes.h"

#include <algorithm>
#include <cstddef>

namespace threefold::stereo {
namespace {

float ramp(float value, float from, float to) {
    return std::clamp((value - from) / (to - from), 0.0F, 1.0F);
}

/// Leaves out connected parts (over sides) of fewer pixels than `least`.
void dropSpecks(std::vector<std::uint8_t>& chosen, int side, std::size_t least) {
    std::vector<std::uint8_t> seen(chosen.size());
    std::vector<std::size_t> part;
    const auto width = static_cast<std::size_t>(side);
    for (std::size_t start = 0; start < chosen.size(); ++start) {
        if (chosen[start] == 0 || seen[start] != 0) continue;
        part.assign(1, start);
        seen[start] = 1;
        const auto visit = [&](std::size_t at) {
            if (chosen[at] == 0 || seen[at] != 0) return;
            seen[at] = 1;
            part.push_back(at);
        };
        for (std::size_t i = 0; i < part.size(); ++i) {
            const std::size_t at = part[i];
            if (at % width > 0) visit(at - 1);
            if (at % width + 1 < width) visit(at + 1);
            if (at >= width) visit(at - width);
            if (at + width < chosen.size()) visit(at + width);
        }
        if (part.size() < least)
            for (const std::size_t at : part) chosen[at] = 0;
    }
}

/// Sums over squares of 2 · radius + 1 pixels, cut at the picture's border.
std::vector<float> boxSums(const std::vector<std::uint8_t>& values, int side, int radius) {
    const auto width = static_cast<std::size_t>(side) + 1;
    std::vector<float> table(width * width);  // whole numbers below 2^24
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

/// Half the side of the square in which strong depths are counted: 6 % of the object's longer side.
int neighbourhood(const StereoView& view, const DepthMap& map) {
    int left = view.side, right = 0, top = view.side, bottom = 0;
    for (int y = 0; y < view.side; ++y)
        for (int x = 0; x < view.side; ++x)
            if (map.base[view.pixel(x, y)] > 0) {
                left = std::min(left, x);
                right = std::max(right, x);
                top = std::min(top, y);
                bottom = std::max(bottom, y);
            }
    constexpr double kShare = 0.06;
    constexpr int kLeast = 3;
    return std::max(kLeast, static_cast<int>(kShare * std::max(right - left, bottom - top)));
}

}  // namespace

DepthVotes votesOf(const StereoView& view, const DepthMap& map, const Agreement& agreement,
                   const VoteRules& rules) {
    constexpr float kLeastScore = 0.45F;
    constexpr float kFullScore = 0.9F;
    constexpr int kMostAgreeing = 6;
    constexpr float kAgreeingUnit = 3;
    constexpr float kStrongRamp = 0.3F;
    std::vector<std::uint8_t> sure(map.depth.size());
    std::size_t object = 0;
    for (std::size_t i = 0; i < sure.size(); ++i) {
        if (map.base[i] > 0) ++object;
        sure[i] = map.depth[i] > 0 && map.score[i] >= rules.leastScore &&
                          map.margin[i] >= rules.leastMargin &&
                          agreement.agreeing[i] >= rules.leastAgreeing &&
                          agreement.opposing[i] <= agreement.agreeing[i]
                      ? 1
                      : 0;
    }
    dropSpecks(sure, view.side, rules.leastPixels);
    std::vector<std::uint8_t> strong = sure;
    for (std::size_t i = 0; i < sure.size(); ++i)
        if (map.margin[i] <= kStrongMargin) strong[i] = 0;

    DepthVotes votes;
    votes.weight.resize(sure.size());
    std::vector<float> sureAround;
    std::vector<float> strongAround;
    if (rules.leastStrong >= 0) {
        const int radius = neighbourhood(view, map);
        sureAround = boxSums(sure, view.side, radius);
        strongAround = boxSums(strong, view.side, radius);
    }
    double sures = 0;
    double strongs = 0;
    for (std::size_t i = 0; i < sure.size(); ++i) {
        if (sure[i] == 0) continue;
        ++sures;
        strongs += strong[i];
        float weight = ramp(map.score[i], kLeastScore, kFullScore) *
                       ramp(map.margin[i], rules.leastMargin, rules.fullMargin) *
                       static_cast<float>(std::min<int>(agreement.agreeing[i], kMostAgreeing)) /
                       kAgreeingUnit;
        if (rules.leastStrong >= 0)
            weight *= ramp(strongAround[i] / sureAround[i], rules.leastStrong,
                           rules.leastStrong + kStrongRamp);
        votes.weight[i] = weight;
    }
    if (object > 0) votes.sure = sures / static_cast<double>(object);
    if (sures > 0) votes.strong = strongs / sures;
    return votes;
}

}  // namespace threefold::stereo
