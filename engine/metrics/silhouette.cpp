#include "engine/metrics/silhouette.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/raster/rasterize.h"
#include "engine/sample/clip_space.h"

namespace threefold {
namespace {

constexpr double kFar = std::numeric_limits<double>::infinity();

std::vector<std::size_t> outlineOf(const Mask& mask) {
    std::vector<std::size_t> outline;
    const auto width = static_cast<std::size_t>(mask.width);
    const auto height = static_cast<std::size_t>(mask.height);
    for (std::size_t y = 0; y < height; ++y) {
        for (std::size_t x = 0; x < width; ++x) {
            const std::size_t at = y * width + x;
            if (mask.inside[at] == 0) continue;
            const bool edge = (x > 0 && mask.inside[at - 1] == 0) ||
                              (x + 1 < width && mask.inside[at + 1] == 0) ||
                              (y > 0 && mask.inside[at - width] == 0) ||
                              (y + 1 < height && mask.inside[at + width] == 0);
            if (edge) outline.push_back(at);
        }
    }
    return outline;
}

/// Squared distances along one line, exact: the lower envelope of a parabola over each place
/// (Felzenszwalb and Huttenlocher, Distance Transforms of Sampled Functions, 2012).
class LineTransform {
  public:
    explicit LineTransform(std::size_t longest)
        : values_(longest), places_(longest), begins_(longest) {}

    /// `count` values, `stride` apart, become the least of value + squared distance.
    void run(double* line, std::size_t count, std::size_t stride) {
        for (std::size_t i = 0; i < count; ++i) values_[i] = line[i * stride];
        std::size_t parabolas = 0;
        for (std::size_t i = 0; i < count; ++i) {
            if (values_[i] == kFar) continue;
            double begin = -kFar;
            while (parabolas > 0) {
                begin = meeting(places_[parabolas - 1], i);
                if (begin > begins_[parabolas - 1]) break;
                --parabolas;
                begin = -kFar;
            }
            places_[parabolas] = i;
            begins_[parabolas++] = begin;
        }
        if (parabolas == 0) return;
        std::size_t at = 0;
        for (std::size_t i = 0; i < count; ++i) {
            while (at + 1 < parabolas && begins_[at + 1] < static_cast<double>(i)) ++at;
            const double away = static_cast<double>(i) - static_cast<double>(places_[at]);
            line[i * stride] = values_[places_[at]] + away * away;
        }
    }

  private:
    /// Where the later place's parabola becomes the lower one.
    double meeting(std::size_t earlier, std::size_t later) const {
        const auto a = static_cast<double>(earlier);
        const auto b = static_cast<double>(later);
        return ((values_[later] + b * b) - (values_[earlier] + a * a)) / (2 * (b - a));
    }

    std::vector<double> values_;
    std::vector<std::size_t> places_;
    std::vector<double> begins_;
};

/// The squared distance of each pixel to the nearest of `outline`.
std::vector<double> squaredDistances(const Mask& mask, std::span<const std::size_t> outline) {
    const auto width = static_cast<std::size_t>(mask.width);
    const auto height = static_cast<std::size_t>(mask.height);
    std::vector<double> distances(width * height, kFar);
    for (const std::size_t at : outline) distances[at] = 0;
    LineTransform transform(std::max(width, height));
    for (std::size_t x = 0; x < width; ++x) transform.run(&distances[x], height, width);
    for (std::size_t y = 0; y < height; ++y) transform.run(&distances[y * width], width, 1);
    return distances;
}

/// From one outline to the other.
OutlineDistance oneWay(const Mask& mask, std::span<const std::size_t> from,
                       std::span<const std::size_t> to) {
    const std::vector<double> squared = squaredDistances(mask, to);
    OutlineDistance distance;
    for (const std::size_t at : from) {
        const double away = std::sqrt(squared[at]);
        distance.mean += away / static_cast<double>(from.size());
        distance.most = std::max(distance.most, away);
    }
    return distance;
}

void check(const Mask& mask) {
    const bool fits = mask.width >= 0 && mask.height >= 0 &&
                      mask.inside.size() == static_cast<std::size_t>(mask.width) *
                                                static_cast<std::size_t>(mask.height);
    if (!fits)
        throw InputError(
            {"mask", "",
             fmt::format("{} pixels, expected {}×{}", mask.inside.size(), mask.width, mask.height),
             ""});
}

}  // namespace

Mask maskOf(const Points& vertices, const Faces& faces, const Camera& from, const Camera& to,
            int width, int height) {
    const std::vector<glm::vec4> corners = toClipSpace(vertices, from, to);
    RasterOptions options;
    options.width = static_cast<std::uint32_t>(std::max(width, 0));
    options.height = static_cast<std::uint32_t>(std::max(height, 0));
    options.threads = 1;  // an image this small is done before others have woken up
    const std::span<const glm::vec4> view(corners);
    const RasterImage drawn = std::move(rasterize({&view, 1}, faces, options).front());
    Mask mask{width, height, {}};
    mask.inside.reserve(drawn.face.size());
    for (const std::uint32_t face : drawn.face) mask.inside.push_back(face != 0 ? 1 : 0);
    return mask;
}

SilhouetteScore compareMasks(const Mask& one, const Mask& other) {
    check(one);
    check(other);
    if (one.width != other.width || one.height != other.height)
        throw InputError({"masks", "",
                          fmt::format("{}×{} and {}×{} pixels cannot be compared", one.width,
                                      one.height, other.width, other.height),
                          "Draw the mesh at the image's size."});
    std::size_t both = 0;
    std::size_t any = 0;
    for (std::size_t i = 0; i < one.inside.size(); ++i) {
        both += one.inside[i] & other.inside[i];
        any += one.inside[i] | other.inside[i];
    }
    SilhouetteScore score;
    score.overlap = any > 0 ? static_cast<double>(both) / static_cast<double>(any) : 1;
    const std::vector<std::size_t> first = outlineOf(one);
    const std::vector<std::size_t> second = outlineOf(other);
    if (first.empty() || second.empty()) return score;
    const OutlineDistance there = oneWay(one, first, second);
    const OutlineDistance back = oneWay(one, second, first);
    score.distance = {(there.mean + back.mean) / 2, std::max(there.most, back.most)};
    return score;
}

}  // namespace threefold
