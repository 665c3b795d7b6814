// Measures how well findContradictingSilhouettes() finds masks with deliberate errors. Corrupts no
// masks first, then 1, 2 and 3 masks of each folder by each kind of error. Prints for all folders
// together how many corrupted masks are found, how many other views are named, and the longest
// time. Built on request only:
//
//   cmake --build --preset release --target threefold_corrupted_masks
//   build/release/bin/threefold_corrupted_masks [--noise PIXELS] [--scores] FOLDER...
//
// FOLDER has views with correct cameras and masks, for example by `threefold render`.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "engine/contradictions/mask_disagreement.h"
#include "engine/error.h"
#include "engine/formats/pictures/photograph.h"
#include "engine/masks/masked_views.h"
#include "engine/profile/stopwatch.h"
#include "engine/sample/sample.h"
#include "engine/sample/sample_views.h"
#include "engine/sample_steps/fit_request.h"
#include "engine/silhouettes/silhouette_set.h"
#include "tests/engine/hull/benchmarks/mask_corruption.h"

namespace threefold {
namespace {

struct Set {
    std::string name;
    std::vector<MaskedView> views;
};

Set load(const char* folder) {
    const Sample sample = findSample(folder);
    std::vector<MaskedView> views =
        loadMaskedViews(sample, viewsToFit(sample, {}, {FitViews::Kind::all}), readViewPhoto, {});
    std::erase_if(views, [](const MaskedView& view) {
        return !view.mask || std::ranges::count(view.mask->inside, 0) == 0 ||
               std::ranges::count(view.mask->inside, 1) == 0;
    });
    return {folder, std::move(views)};
}

struct Outcome {
    std::size_t corrupted = 0, found = 0, accused = 0;
    double milliseconds = 0;
};

Outcome judge(const Set& set, const Set& other, MaskCorruption how, std::size_t count,
              unsigned seed, double noise, bool verbose) {
    std::mt19937 random(seed);
    std::vector<std::size_t> order(set.views.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::shuffle(order, random);
    order.resize(count);
    SilhouetteSet silhouettes;
    for (std::size_t i = 0; i < set.views.size(); ++i) {
        Mask mask = *set.views[i].mask;
        if (std::ranges::count(order, i) > 0)
            mask = corrupt(how, mask, *other.views[i % other.views.size()].mask, random);
        Camera camera = set.views[i].camera;
        if (noise > 0) disturb(camera, mask, noise, random);
        silhouettes.add(camera, mask);
    }
    const Stopwatch watch;
    const std::vector<ContradictingSilhouette> found =
        findContradictingSilhouettes(silhouettes.all(), 2, {});
    Outcome outcome{count, 0, 0, watch.milliseconds()};
    for (const ContradictingSilhouette& each : found)
        ++(std::ranges::count(order, each.viewIndex) > 0 ? outcome.found : outcome.accused);
    if (verbose) {
        const auto scores = maskDisagreements(silhouettes.all(), 2, {});
        std::printf("%s %d %zu:", set.name.c_str(), static_cast<int>(how), count);
        for (std::size_t i = 0; i < scores.size(); ++i)
            std::printf(" %s%.3f/%.3f", std::ranges::count(order, i) > 0 ? "*" : "",
                        scores[i].missing, scores[i].surplus);
        std::printf("\n");
    }
    return outcome;
}

void measure(const std::vector<Set>& sets, double noise, bool verbose) {
    const auto run = [&](MaskCorruption how, std::size_t count) {
        Outcome sum;
        for (std::size_t i = 0; i < sets.size(); ++i) {
            const Outcome each = judge(sets[i], sets[(i + 1) % sets.size()], how, count,
                                       static_cast<unsigned>(100 * i + count), noise, verbose);
            sum.corrupted += each.corrupted;
            sum.found += each.found;
            sum.accused += each.accused;
            sum.milliseconds = std::max(sum.milliseconds, each.milliseconds);
        }
        return sum;
    };
    const Outcome right = run(MaskCorruption::shifted, 0);
    std::printf("%-14s %zu sets: %zu views named wrongly, at most %.0f ms\n", "right masks",
                sets.size(), right.accused, right.milliseconds);
    for (const auto& [how, name] : kMaskCorruptions)
        for (std::size_t count = 1; count <= 3; ++count) {
            const Outcome outcome = run(how, count);
            std::printf(
                "%-14s %zu of each set: %zu of %zu found, %zu others named, at most %.0f ms\n",
                name, count, outcome.found, outcome.corrupted, outcome.accused,
                outcome.milliseconds);
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
        std::fprintf(stderr, "usage: %s [--noise PIXELS] [--scores] FOLDER...\n", arguments[0]);
        return 2;
    }
    threefold::measure(sets, noise, verbose);
    return 0;
}
