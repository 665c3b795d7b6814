// Measures how well repairMasks() repairs masks with deliberate errors. For each folder and kind of
// error, 1 to 3 masks are corrupted. Prints the overlap of the corrupted masks with the correct
// masks before and after the repair. With --hulls, also prints the F score (at 1 % of the object's
// diagonal) of two hulls against the hull of the correct masks: the hull of the corrupted masks,
// where visualHull() leaves contradicting masks out, and the hull of the repaired masks. This
// program is built on request only:
//
//   cmake --build --preset release --target threefold_repaired_masks
//   build/release/bin/threefold_repaired_masks [--noise PIXELS] [--each] [--hulls] FOLDER...
//
// FOLDER has photographs with correct cameras and masks, for example an output of
// before_background.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "engine/error.h"
#include "engine/formats/pictures/photograph.h"
#include "engine/geometry/surface_samples.h"
#include "engine/hull/visual_hull.h"
#include "engine/masks/masked_views.h"
#include "engine/masks/repair_masks.h"
#include "engine/measures/scores.h"
#include "engine/measures/silhouette.h"
#include "engine/profile/stopwatch.h"
#include "engine/sample/sample.h"
#include "engine/sample/sample_views.h"
#include "engine/sample_steps/fit_request.h"
#include "tests/engine/hull/benchmarks/mask_corruption.h"

namespace threefold {
namespace {

struct Options {
    double noise = 0;
    bool each = false;
    bool hulls = false;
};

struct Set {
    std::string name;
    Sample sample;
    std::vector<MaskedView> views;
};

std::optional<Set> load(const char* folder) {
    Set set{folder, findSample(folder), {}};
    set.views = loadMaskedViews(set.sample, viewsToFit(set.sample, {}, {FitViews::Kind::all}),
                                readViewPhoto, {});
    std::erase_if(set.views, [](const MaskedView& view) {
        return !view.mask || std::ranges::count(view.mask->inside, 0) == 0 ||
               std::ranges::count(view.mask->inside, 1) == 0;
    });
    if (set.views.size() < 2) return std::nullopt;
    return set;
}

Image pictureOf(const Sample& sample, int view) {
    return networkImage(sample, view, readImage(sample.images[static_cast<std::size_t>(view)]),
                        ViewResolution::photograph);
}

double mean(const std::vector<double>& values) {
    return values.empty() ? 0
                          : std::accumulate(values.begin(), values.end(), 0.0) /
                                static_cast<double>(values.size());
}

double quantile(std::vector<double> values, double fraction) {
    if (values.empty()) return 0;
    std::ranges::sort(values);
    return values[static_cast<std::size_t>(fraction * static_cast<double>(values.size() - 1))];
}

struct Sums {
    std::size_t corrupted = 0, found = 0, repaired = 0, fromHull = 0, worse = 0;
    std::size_t rightNamed = 0, rightChanged = 0;
    std::vector<double> before, after, hullBefore, hullAfter;
    double milliseconds = 0;
};

/// F of the hull of `views` against the hull of the correct masks; 0 if there is no hull.
double hullScore(const std::vector<MaskedView>& views, const Mesh& right) {
    try {
        const Mesh made = visualHull(views, {5000, {}}).mesh;
        constexpr double kDistance = 0.01 * 0.57;
        ScoreOptions options;
        options.protocol = Protocol::surface;
        options.tau = kDistance * kDistance;
        return score({made.vertices, made.faces, {}}, {right.vertices, right.faces, {}}, options)
            .measures.atTau()
            .fScore;
    } catch (const Error&) {
        return 0;
    }
}

void judge(const Set& set, const Set& other, std::optional<MaskCorruption> how, std::size_t count,
           unsigned seed, const Options& options, Sums& sums) {
    std::mt19937 random(seed);
    std::vector<std::size_t> order(set.views.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::shuffle(order, random);
    order.resize(how ? count : 0);
    std::vector<MaskedView> views = set.views;
    for (std::size_t i = 0; i < views.size(); ++i) {
        Mask& mask = *views[i].mask;
        if (std::ranges::count(order, i) > 0)
            mask = corrupt(*how, mask, *other.views[i % other.views.size()].mask, random);
        if (options.noise > 0 && std::ranges::count(mask.inside, 1) > 0)
            disturb(views[i].camera, mask, options.noise, random);
    }
    const Stopwatch watch;
    const std::vector<MaskRepair> repairs =
        repairMasks(views, [&](int view) { return pictureOf(set.sample, view); }, 2, {});
    sums.milliseconds = std::max(sums.milliseconds, watch.milliseconds());
    std::vector<MaskedView> repaired = views;
    std::map<int, const MaskRepair*> byView;
    for (const MaskRepair& each : repairs) byView[each.view] = &each;
    for (std::size_t i = 0; i < views.size(); ++i) {
        const bool isCorrupted = std::ranges::count(order, i) > 0;
        const auto at = byView.find(views[i].view);
        const MaskRepair* repair = at == byView.end() ? nullptr : at->second;
        if (repair != nullptr && repair->mask) repaired[i].mask = repair->mask;
        if (!isCorrupted) {
            sums.rightNamed += repair != nullptr ? 1 : 0;
            sums.rightChanged += repair != nullptr && repair->mask ? 1 : 0;
            continue;
        }
        ++sums.corrupted;
        if (repair == nullptr) continue;
        ++sums.found;
        const double before = maskOverlap(*views[i].mask, *set.views[i].mask);
        const double after = maskOverlap(*repaired[i].mask, *set.views[i].mask);
        sums.before.push_back(before);
        sums.after.push_back(after);
        sums.repaired += repair->mask ? 1 : 0;
        sums.fromHull += repair->isFromHull ? 1 : 0;
        sums.worse += after < before ? 1 : 0;
        if (options.each)
            std::printf("  %s view %d: %.3f -> %.3f%s  (%.4f %.3f -> %.4f %.3f) %s\n",
                        set.name.c_str(), views[i].view, before, after,
                        repair->mask ? (repair->isFromHull ? " hull" : "") : " not repaired",
                        repair->disagreementBefore.missing, repair->disagreementBefore.surplus,
                        repair->disagreementAfter.missing, repair->disagreementAfter.surplus,
                        repair->reason.c_str());
    }
    if (!options.hulls) return;
    const Mesh right = visualHull(set.views, {5000, {}}).mesh;
    sums.hullBefore.push_back(hullScore(views, right));
    sums.hullAfter.push_back(hullScore(repaired, right));
}

void measureSets(const std::vector<Set>& sets, const Options& options) {
    const auto run = [&](std::optional<MaskCorruption> how, std::size_t count) {
        Sums sums;
        for (std::size_t i = 0; i < sets.size(); ++i)
            judge(sets[i], sets[(i + 1) % sets.size()], how, count,
                  static_cast<unsigned>(100 * i + count), options, sums);
        return sums;
    };
    const Sums right = run({}, 0);
    std::printf("right masks: %zu sets, %zu masks named, %zu changed, at most %.0f ms\n",
                sets.size(), right.rightNamed, right.rightChanged, right.milliseconds);
    for (const auto& [how, name] : kMaskCorruptions)
        for (std::size_t count = 1; count <= 3; ++count) {
            const Sums sums = run(how, count);
            std::printf(
                "%-14s %zu: %zu of %zu found, %zu repaired (%zu as the hull), %zu got worse; "
                "overlap %.3f -> %.3f, worst tenth %.3f -> %.3f; right masks named %zu, changed "
                "%zu; at most %.0f ms",
                name, count, sums.found, sums.corrupted, sums.repaired, sums.fromHull, sums.worse,
                mean(sums.before), mean(sums.after), quantile(sums.before, 0.1),
                quantile(sums.after, 0.1), sums.rightNamed, sums.rightChanged, sums.milliseconds);
            if (options.hulls)
                std::printf("; F of the hull: left out %.1f, repaired %.1f", mean(sums.hullBefore),
                            mean(sums.hullAfter));
            std::printf("\n");
            std::fflush(stdout);
        }
}

}  // namespace
}  // namespace threefold

int main(int count, char** arguments) {
    std::vector<threefold::Set> sets;
    threefold::Options options;
    for (int i = 1; i < count; ++i) {
        const std::string argument = arguments[i];
        if (argument == "--each")
            options.each = true;
        else if (argument == "--hulls")
            options.hulls = true;
        else if (argument == "--noise" && i + 1 < count)
            options.noise = std::atof(arguments[++i]);
        else
            try {
                if (auto set = threefold::load(arguments[i])) sets.push_back(std::move(*set));
            } catch (const threefold::Error& error) {
                std::fprintf(stderr, "%s\n", error.what());
            }
    }
    if (sets.empty()) {
        std::fprintf(stderr, "usage: %s [--noise PIXELS] [--each] [--hulls] FOLDER...\n",
                     arguments[0]);
        return 2;
    }
    threefold::measureSets(sets, options);
    return 0;
}
