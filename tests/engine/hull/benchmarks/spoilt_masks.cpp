// How well findContradictions() finds masks that were spoilt on purpose. For each folder and
// each way of spoiling, 0 to 3 masks are spoilt; told are the share found, the other views named,
// and the time. Built only when asked for:
//
//   cmake --build --preset release --target threefold_spoilt_masks
//   build/release/bin/threefold_spoilt_masks [--noise PIXELS] [--scores] FOLDER...
//
// FOLDER: views with right cameras and masks, for example of `threefold render`.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "engine/error.h"
#include "engine/formats/pictures/photograph.h"
#include "engine/hull/mask_consistency.h"
#include "engine/pipeline/fit_request.h"
#include "engine/pipeline/masked_views.h"
#include "engine/profile/stopwatch.h"
#include "engine/sample/sample.h"

namespace threefold {
namespace {

enum class Spoiling { partLost, backgroundIn, otherObject, shifted };
constexpr std::array<std::pair<Spoiling, const char*>, 4> kSpoilings{
    {{Spoiling::partLost, "part lost"},
     {Spoiling::backgroundIn, "background in"},
     {Spoiling::otherObject, "other object"},
     {Spoiling::shifted, "shifted"}}};

struct Box {
    int left = 0, top = 0, right = 0, bottom = 0;
};

Box boxOf(const Mask& mask) {
    Box box{mask.width, mask.height, 0, 0};
    for (int y = 0; y < mask.height; ++y)
        for (int x = 0; x < mask.width; ++x)
            if (mask.inside[static_cast<std::size_t>(y * mask.width + x)] != 0)
                box = {std::min(box.left, x), std::min(box.top, y), std::max(box.right, x + 1),
                       std::max(box.bottom, y + 1)};
    return box;
}

double uniform(std::mt19937& random, double from, double to) {
    return std::uniform_real_distribution<double>(from, to)(random);
}

/// Takes 10 to 30 % of the object away, on one side.
Mask withoutPart(const Mask& mask, std::mt19937& random) {
    const double angle = uniform(random, 0, 6.283);
    std::vector<double> heights;
    const auto height = [&](int x, int y) { return x * std::cos(angle) + y * std::sin(angle); };
    for (int y = 0; y < mask.height; ++y)
        for (int x = 0; x < mask.width; ++x)
            if (mask.inside[static_cast<std::size_t>(y * mask.width + x)] != 0)
                heights.push_back(height(x, y));
    const auto rank =
        static_cast<std::ptrdiff_t>(uniform(random, 0.7, 0.9) * double(heights.size()));
    std::nth_element(heights.begin(), heights.begin() + rank, heights.end());
    Mask spoilt = mask;
    for (int y = 0; y < mask.height; ++y)
        for (int x = 0; x < mask.width; ++x)
            if (height(x, y) > heights[static_cast<std::size_t>(rank)])
                spoilt.inside[static_cast<std::size_t>(y * mask.width + x)] = 0;
    return spoilt;
}

/// Adds a rectangle of a fifth to two fifths of the object's box at its border.
Mask withBackground(const Mask& mask, std::mt19937& random) {
    const Box box = boxOf(mask);
    const int width = box.right - box.left;
    const int height = box.bottom - box.top;
    const int x0 = box.left + static_cast<int>(uniform(random, -0.3, 0.9) * width);
    const int y0 = box.top + static_cast<int>(uniform(random, -0.3, 0.9) * height);
    Mask spoilt = mask;
    for (int y = std::max(0, y0); y < std::min(mask.height, y0 + height / 2); ++y)
        for (int x = std::max(0, x0); x < std::min(mask.width, x0 + width / 2); ++x)
            spoilt.inside[static_cast<std::size_t>(y * mask.width + x)] = 1;
    return spoilt;
}

/// Moves the object by 8 to 20 % of its box.
Mask shifted(const Mask& mask, std::mt19937& random) {
    const Box box = boxOf(mask);
    const double angle = uniform(random, 0, 6.283);
    const double by =
        uniform(random, 0.08, 0.2) * std::max(box.right - box.left, box.bottom - box.top);
    const int dx = static_cast<int>(std::lround(by * std::cos(angle)));
    const int dy = static_cast<int>(std::lround(by * std::sin(angle)));
    Mask spoilt = mask;
    std::fill(spoilt.inside.begin(), spoilt.inside.end(), 0);
    for (int y = 0; y < mask.height; ++y)
        for (int x = 0; x < mask.width; ++x) {
            const int toX = x + dx, toY = y + dy;
            if (toX < 0 || toY < 0 || toX >= mask.width || toY >= mask.height) continue;
            spoilt.inside[static_cast<std::size_t>(toY * mask.width + toX)] =
                mask.inside[static_cast<std::size_t>(y * mask.width + x)];
        }
    return spoilt;
}

/// Turns the camera about its centre by about `pixels` of a picture of 224, and moves the outline
/// by as many pixels of the mask, here and there.
void disturb(Camera& camera, Mask& mask, double pixels, std::mt19937& random) {
    std::normal_distribution<double> off(0, pixels / kFocalLength);
    const glm::dvec3 turn(off(random), off(random), off(random));
    camera.rotation =
        glm::dmat3(1, turn.z, -turn.y, -turn.z, 1, turn.x, turn.y, -turn.x, 1) * camera.rotation;
    const Mask before = mask;
    const double phase = uniform(random, 0, 6.283);
    for (int y = 0; y < mask.height; ++y)
        for (int x = 0; x < mask.width; ++x) {
            const double wave = pixels * std::sin(phase + 0.15 * x + 0.21 * y);
            const int fromX =
                std::clamp(x + static_cast<int>(std::lround(wave)), 0, mask.width - 1);
            const int fromY =
                std::clamp(y + static_cast<int>(std::lround(-wave)), 0, mask.height - 1);
            mask.inside[static_cast<std::size_t>(y * mask.width + x)] =
                before.inside[static_cast<std::size_t>(fromY * mask.width + fromX)];
        }
}

struct Set {
    std::string name;
    std::vector<MaskedView> views;
};

Set load(const char* folder) {
    const Sample sample = findSample(folder);
    std::vector<MaskedView> views = loadMaskedViews(
        sample, viewsToFit(sample, {}, {FitRequest::Kind::all}), readViewPhotograph, {});
    std::erase_if(views, [](const MaskedView& view) {
        return !view.mask || std::ranges::count(view.mask->inside, 0) == 0 ||
               std::ranges::count(view.mask->inside, 1) == 0;
    });
    return {folder, std::move(views)};
}

Mask spoil(Spoiling how, const Mask& mask, const Mask& other, std::mt19937& random) {
    switch (how) {
        case Spoiling::partLost:
            return withoutPart(mask, random);
        case Spoiling::backgroundIn:
            return withBackground(mask, random);
        case Spoiling::otherObject:
            return resized(other, mask.width, mask.height);
        case Spoiling::shifted:
            return shifted(mask, random);
    }
    return mask;
}

struct Outcome {
    std::size_t spoilt = 0, found = 0, accused = 0;
    double milliseconds = 0;
};

Outcome judge(const Set& set, const Set& other, Spoiling how, std::size_t count, unsigned seed,
              double noise, bool verbose) {
    std::mt19937 random(seed);
    std::vector<std::size_t> order(set.views.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::shuffle(order, random);
    order.resize(count);
    std::vector<std::unique_ptr<hull::Silhouette>> silhouettes;
    std::vector<const hull::Silhouette*> views;
    for (std::size_t i = 0; i < set.views.size(); ++i) {
        Mask mask = *set.views[i].mask;
        if (std::ranges::count(order, i) > 0)
            mask = spoil(how, mask, *other.views[i % other.views.size()].mask, random);
        Camera camera = set.views[i].camera;
        if (noise > 0) disturb(camera, mask, noise, random);
        silhouettes.push_back(std::make_unique<hull::Silhouette>(camera, mask));
        views.push_back(silhouettes.back().get());
    }
    const Stopwatch watch;
    const std::vector<hull::MaskContradiction> found = hull::findContradictions(views, 2, {});
    Outcome outcome{count, 0, 0, watch.milliseconds()};
    for (const hull::MaskContradiction& each : found)
        ++(std::ranges::count(order, each.view) > 0 ? outcome.found : outcome.accused);
    if (verbose) {
        const auto scores = hull::maskConsistency(views, 2, {});
        std::printf("%s %d %zu:", set.name.c_str(), static_cast<int>(how), count);
        for (std::size_t i = 0; i < scores.size(); ++i)
            std::printf(" %s%.3f/%.3f", std::ranges::count(order, i) > 0 ? "*" : "",
                        scores[i].missing, scores[i].surplus);
        std::printf("\n");
    }
    return outcome;
}

void measure(const std::vector<Set>& sets, double noise, bool verbose) {
    const auto run = [&](Spoiling how, std::size_t count) {
        Outcome sum;
        for (std::size_t i = 0; i < sets.size(); ++i) {
            const Outcome each = judge(sets[i], sets[(i + 1) % sets.size()], how, count,
                                       static_cast<unsigned>(100 * i + count), noise, verbose);
            sum.spoilt += each.spoilt;
            sum.found += each.found;
            sum.accused += each.accused;
            sum.milliseconds = std::max(sum.milliseconds, each.milliseconds);
        }
        return sum;
    };
    const Outcome right = run(Spoiling::shifted, 0);
    std::printf("%-14s %zu sets: %zu views named wrongly, at most %.0f ms\n", "right masks",
                sets.size(), right.accused, right.milliseconds);
    for (const auto& [how, name] : kSpoilings)
        for (std::size_t count = 1; count <= 3; ++count) {
            const Outcome outcome = run(how, count);
            std::printf(
                "%-14s %zu of each set: %zu of %zu found, %zu others named, at most %.0f ms\n",
                name, count, outcome.found, outcome.spoilt, outcome.accused, outcome.milliseconds);
            std::fflush(stdout);
        }
}

}  // namespace
}  // namespace threefold

int main(int count, char** arguments) {
    std::vector<threefold::Set> sets;
    bool verbose = false;
    double noise = 0;
    for (int i = 1; i < count; ++i) {
        if (std::string(arguments[i]) == "--scores") {
            verbose = true;
            continue;
        }
        if (std::string(arguments[i]) == "--noise" && i + 1 < count) {
            noise = std::atof(arguments[++i]);
            continue;
        }
        try {
            sets.push_back(threefold::load(arguments[i]));
            if (sets.back().views.size() < 2) sets.pop_back();
        } catch (const threefold::Error& error) {
            std::fprintf(stderr, "%s\n", error.what());
        }
    }
    if (sets.empty()) {
        std::fprintf(stderr, "usage: %s [--scores] FOLDER...\n", arguments[0]);
        return 2;
    }
    threefold::measure(sets, noise, verbose);
    return 0;
}
