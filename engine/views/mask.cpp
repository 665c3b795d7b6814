#include "engine/views/mask.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "engine/error.h"

namespace threefold {
namespace {

/// Sets the neighbours of each pixel of `kind` (1: object, 0: background) to `kind`.
Mask dilatedKind(const Mask& mask, std::uint8_t kind, Connectivity connectivity) {
    Mask result = mask;
    const auto indexOf = [&](int x, int y) {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(mask.width) +
               static_cast<std::size_t>(x);
    };
    for (int y = 0; y < mask.height; ++y)
        for (int x = 0; x < mask.width; ++x) {
            if (mask.inside[indexOf(x, y)] != kind) continue;
            for (int v = std::max(0, y - 1); v <= std::min(y + 1, mask.height - 1); ++v)
                for (int u = std::max(0, x - 1); u <= std::min(x + 1, mask.width - 1); ++u)
                    if (connectivity == Connectivity::eight || u == x || v == y)
                        result.inside[indexOf(u, v)] = kind;
        }
    return result;
}

/// Squared Euclidean distance transform of one row: the lower envelope of parabolas (Felzenszwalb
/// and Huttenlocher, Distance Transforms of Sampled Functions, 2012).
class DistanceRow {
  public:
    explicit DistanceRow(std::size_t size) : input_(size), parabola_(size), begin_(size) {}

    void transform(float* row) {
        const int n = static_cast<int>(input_.size());
        std::copy_n(row, n, input_.begin());
        int last = 0;
        parabola_[0] = 0;
        begin_[0] = -std::numeric_limits<float>::infinity();
        for (int q = 1; q < n; ++q) {
            float cut = crossing(parabola_[at(last)], q);
            while (cut <= begin_[at(last)]) cut = crossing(parabola_[at(--last)], q);
            parabola_[at(++last)] = q;
            begin_[at(last)] = cut;
        }
        int current = 0;
        for (int q = 0; q < n; ++q) {
            while (current < last && begin_[at(current + 1)] < static_cast<float>(q)) ++current;
            const auto distance = static_cast<float>(q - parabola_[at(current)]);
            row[q] = distance * distance + input_[at(parabola_[at(current)])];
        }
    }

  private:
    static std::size_t at(int index) { return static_cast<std::size_t>(index); }
    float crossing(int p, int q) const {
        const auto rise = input_[at(q)] - input_[at(p)] + static_cast<float>(q * q - p * p);
        return rise / static_cast<float>(2 * (q - p));
    }

    std::vector<float> input_;
    std::vector<int> parabola_;
    std::vector<float> begin_;
};

/// Distance of each pixel's centre to the nearest known pixel of `kind`, in mask pixels.
std::vector<float> distancesTo(const Mask& mask, std::uint8_t kind) {
    // Finite, so that the parabolas of two pixels without a distance still cross.
    static constexpr float kFar = 1e8F;
    const auto size = static_cast<std::size_t>(mask.width);
    std::vector<float> distance(size * size, kFar);
    for (std::size_t i = 0; i < distance.size(); ++i)
        if (mask.inside[i] == kind && mask.isKnown(i)) distance[i] = 0;
    // Along columns two sweeps suffice; whole rows are swept at once.
    for (std::size_t i = size; i < size * size; ++i)
        distance[i] = std::min(distance[i], distance[i - size] + 1);
    for (std::size_t i = size * size - size; i-- > 0;)
        distance[i] = std::min(distance[i], distance[i + size] + 1);
    DistanceRow row(size);
    for (std::size_t begin = 0; begin < distance.size(); begin += size) {
        float* const line = distance.data() + begin;
        std::transform(line, line + size, line, [](float d) { return std::min(d * d, kFar); });
        row.transform(line);
        std::transform(line, line + size, line, [](float d) { return std::sqrt(d); });
    }
    return distance;
}

}  // namespace

void requireValidMask(const Mask& mask) {
    const bool fits = mask.width >= 0 && mask.height >= 0 &&
                      mask.inside.size() == static_cast<std::size_t>(mask.width) *
                                                static_cast<std::size_t>(mask.height);
    if (!fits)
        throw InputError({"mask", "array 'inside'",
                          fmt::format("has {} pixels, expected {}×{}", mask.inside.size(),
                                      mask.width, mask.height),
                          ""});
    if (!mask.known.empty() && mask.known.size() != mask.inside.size())
        throw InputError({"mask", "array 'known'",
                          fmt::format("has {} pixels, expected {}×{} or none", mask.known.size(),
                                      mask.width, mask.height),
                          ""});
    if (const auto other =
            std::ranges::find_if(mask.inside, [](std::uint8_t value) { return value > 1; });
        other != mask.inside.end())
        throw InputError({"mask", fmt::format("pixel {}", other - mask.inside.begin()),
                          fmt::format("is {}, expected 0 or 1", *other), ""});
}

bool hasObjectAndBackground(const Mask& mask) {
    const auto inside = std::ranges::count(mask.inside, 1);
    return inside > 0 && static_cast<std::size_t>(inside) < mask.inside.size();
}

Mask resized(const Mask& mask, int width, int height) {
    Mask result{width, height, {}};
    for (int y = 0; y < height; ++y) {
        const auto row = static_cast<std::size_t>((2 * y + 1) * mask.height / (2 * height));
        for (int x = 0; x < width; ++x) {
            const auto column = static_cast<std::size_t>((2 * x + 1) * mask.width / (2 * width));
            const std::size_t source = row * static_cast<std::size_t>(mask.width) + column;
            result.inside.push_back(mask.inside[source]);
            if (!mask.known.empty()) result.known.push_back(mask.known[source]);
        }
    }
    return result;
}

Mask withMaxSide(const Mask& mask, int maxSide) {
    const int longerSide = std::max(mask.width, mask.height);
    if (longerSide <= maxSide) return mask;
    const double scale = static_cast<double>(maxSide) / longerSide;
    const auto scaled = [&](int pixels) {
        return std::max(1, static_cast<int>(std::lround(pixels * scale)));
    };
    return resized(mask, scaled(mask.width), scaled(mask.height));
}

Mask dilated(const Mask& mask, Connectivity connectivity) {
    return dilatedKind(mask, 1, connectivity);
}

Mask eroded(const Mask& mask) {
    return dilatedKind(mask, 0, Connectivity::eight);
}

Mask dilated(Mask mask, int pixels) {
    for (int i = 0; i < pixels; ++i) mask = dilated(mask);
    return mask;
}

Mask eroded(Mask mask, int pixels) {
    for (int i = 0; i < pixels; ++i) mask = eroded(mask);
    return mask;
}

void removeSpecksAndHoles(Mask& mask) {
    const auto object = std::accumulate(mask.inside.begin(), mask.inside.end(), std::size_t{0});
    const double minPixels = kSpeckFraction * static_cast<double>(object);
    const auto width = static_cast<std::size_t>(mask.width);
    const std::size_t pixels = mask.inside.size();
    std::vector<std::uint8_t> visited(pixels);
    std::vector<std::size_t> component;
    for (std::size_t first = 0; first < pixels; ++first) {
        if (visited[first] != 0 || !mask.isKnown(first)) continue;
        const std::uint8_t kind = mask.inside[first];
        bool atBorder = false;
        const auto visit = [&](bool within, std::size_t next) {
            const bool known = within && mask.isKnown(next);
            atBorder = atBorder || !known;
            if (!known || visited[next] != 0 || mask.inside[next] != kind) return;
            visited[next] = 1;
            component.push_back(next);
        };
        component.assign(1, first);
        visited[first] = 1;
        // NOLINTNEXTLINE(modernize-loop-convert): `component` grows
        for (std::size_t i = 0; i < component.size(); ++i) {
            const std::size_t pixel = component[i];
            const std::size_t column = pixel % width;
            visit(column + 1 < width, pixel + 1);
            visit(column > 0, pixel - 1);
            visit(pixel + width < pixels, pixel + width);
            visit(pixel >= width, pixel - width);
        }
        if (static_cast<double>(component.size()) >= minPixels || (atBorder && kind == 0)) continue;
        for (const std::size_t pixel : component) mask.inside[pixel] = kind == 0 ? 1 : 0;
    }
}

void fillUnknown(Mask& mask) {
    if (mask.known.empty()) return;
    const std::vector<float> toObject = distancesTo(mask, 1);
    const std::vector<float> toBackground = distancesTo(mask, 0);
    for (std::size_t i = 0; i < mask.inside.size(); ++i)
        if (!mask.isKnown(i)) mask.inside[i] = toObject[i] < toBackground[i] ? 1 : 0;
    mask.known.clear();
}

std::vector<float> signedDistances(const Mask& mask) {
    std::vector<float> distance = distancesTo(mask, 1);
    const std::vector<float> toBackground = distancesTo(mask, 0);
    for (std::size_t i = 0; i < distance.size(); ++i) {
        if (mask.inside[i] != 0 || !mask.isKnown(i))
            distance[i] = 0.5F - toBackground[i];
        else
            distance[i] -= 0.5F;
    }
    return distance;
}

}  // namespace threefold
