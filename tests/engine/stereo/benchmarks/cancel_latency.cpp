// Measures how long depthSurface() continues after a cancel. Cancels runs at random times, and
// prints each delay and the longest. Built on request only:
//
//   cmake --build --preset release --target threefold_depth_cancel_latency
//   build/release/tests/engine/stereo/threefold_depth_cancel_latency FOLDER [CANCELS [THREADS]]
//
// FOLDER has cut-out photographs with cameras.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <span>
#include <stop_token>
#include <thread>
#include <vector>

#include "engine/error.h"
#include "engine/formats/pictures/photograph.h"
#include "engine/masks/masked_views.h"
#include "engine/profile/stopwatch.h"
#include "engine/sample/sample.h"
#include "engine/sample/sample_views.h"
#include "engine/sample_steps/fit_from_hull.h"
#include "engine/stereo/depth_surface.h"

namespace threefold {
namespace {

constexpr int kCancels = 20;

double millisecondsSince(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
        .count();
}

/// Runs depthSurface(), cancels after `moment` milliseconds, and returns the milliseconds from the
/// cancel to the end of the run; −1 if the run finished instead.
double delayOf(const Mesh& hull, std::span<const MaskedView* const> views, DepthOptions options,
               double moment) {
    std::stop_source stop;
    options.cancel = stop.get_token();
    std::chrono::steady_clock::time_point asked;
    const std::jthread canceller([&](const std::stop_token& ended) {
        const auto due =
            std::chrono::steady_clock::now() + std::chrono::duration<double, std::milli>(moment);
        while (std::chrono::steady_clock::now() < due && !ended.stop_requested())
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        asked = std::chrono::steady_clock::now();
        stop.request_stop();
    });
    try {
        depthSurface(hull, views, options);
        return -1;
    } catch (const Cancelled&) {
        return millisecondsSince(asked);
    }
}

void measureDelays(const char* folder, int cancels, int threads) {
    const Sample sample = findSample(folder);
    const std::vector<MaskedView> photographs = loadMaskedViews(
        sample, viewsToFit(sample, {}, {FitViews::Kind::all}), readViewPhoto, {}, true);
    const HullResult hull = visualHull(photographs, {kDefaultHullVertices, {}, threads});
    std::vector<const MaskedView*> views;
    for (const MaskedView& each : photographs)
        if (each.mask) views.push_back(&each);
    DepthOptions options;
    options.threads = threads;
    options.toleratedCount = hull.toleratedCount;
    const DepthSurface whole = depthSurface(hull.mesh, views, options);
    std::printf("%s: %zu photographs, %.0f ms\n", folder, views.size(), whole.milliseconds);
    for (const StepTime& each : whole.times)
        std::printf("  %-22.*s %6.0f ms\n", static_cast<int>(each.step.size()), each.step.data(),
                    each.milliseconds);

    std::mt19937 random(1);
    double shortestRun = whole.milliseconds;  // a later run may be faster than the first
    double longest = 0;
    for (int done = 0; done < cancels;) {
        const double moment = std::uniform_real_distribution<double>(0, shortestRun)(random);
        const Stopwatch run;
        const double delay = delayOf(hull.mesh, views, options, moment);
        if (delay < 0) {
            shortestRun = std::min(shortestRun, run.milliseconds());
            continue;
        }
        std::printf("cancel after %6.0f ms: ends %.1f ms later\n", moment, delay);
        longest = std::max(longest, delay);
        ++done;
    }
    std::printf("longest: %.1f ms\n", longest);
}

}  // namespace
}  // namespace threefold

int main(int count, char** arguments) {
    if (count < 2) {
        std::fprintf(stderr, "usage: %s FOLDER [CANCELS [THREADS]]\n", arguments[0]);
        return 2;
    }
    try {
        threefold::measureDelays(arguments[1],
                                 count > 2 ? std::atoi(arguments[2]) : threefold::kCancels,
                                 count > 3 ? std::atoi(arguments[3]) : 0);
        return 0;
    } catch (const threefold::Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
