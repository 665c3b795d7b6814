// threefold_fake_report FOLDER COUNT [CATEGORIES] [FAILING] writes the reports of a made-up run
// (fakeRun()) for viewing.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <numbers>

#include "engine/evaluation/report/write_reports.h"
#include "engine/evaluation/run/output_files.h"
#include "engine/evaluation/run/shown_lists.h"
#include "engine/evaluation/thumbnail.h"
#include "engine/sample_rendering/draw_mesh.h"
#include "tests/engine/evaluation/fake_run.h"
#include "tests/support/stage_meshes.h"

namespace {

using namespace threefold;

Points ball(double stretch, Faces& faces) {
    constexpr unsigned kRings = 24;
    constexpr unsigned kSteps = 32;
    Points points;
    faces.clear();
    for (unsigned r = 0; r <= kRings; ++r) {
        for (unsigned s = 0; s < kSteps; ++s) {
            const double polar = std::numbers::pi * r / kRings;
            const double azimuth = 2 * std::numbers::pi * s / kSteps;
            const double radius = 0.14 * (1 + 0.2 * std::sin(5 * azimuth) * std::sin(3 * polar));
            points.emplace_back(radius * stretch * std::sin(polar) * std::cos(azimuth),
                                radius * std::cos(polar),
                                -0.8 + radius * std::sin(polar) * std::sin(azimuth));
            if (r == kRings) continue;
            const unsigned next = (s + 1) % kSteps;
            faces.emplace_back(r * kSteps + s, r * kSteps + next, (r + 1) * kSteps + s);
            faces.emplace_back((r + 1) * kSteps + s, r * kSteps + next, (r + 1) * kSteps + next);
        }
    }
    return points;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3) {
        std::fputs("threefold_fake_report FOLDER COUNT [CATEGORIES] [FAILING]\n", stderr);
        return 2;
    }
    const std::filesystem::path folder = argv[1];
    const auto number = [&](int at, std::size_t otherwise) {
        return argc > at ? std::strtoull(argv[at], nullptr, 10) : otherwise;
    };
    const EvaluationRun run = test::fakeRun(number(2, 0), number(3, 13), number(4, 97));
    std::filesystem::create_directories(folder / kThumbnailFolder);
    double stretch = 1.6;
    for (const std::size_t shown : shownRecords(run.records)) {
        Reconstruction result;
        auto levels = std::make_shared<std::vector<Faces>>(1);
        result.stages = test::publishedMeshes(ball(stretch, levels->front()),
                                              ball(stretch * 0.9, levels->front()));
        result.levelFaces = levels;
        NetworkInput input;
        input.images.push_back(
            drawMesh(ball(stretch * 0.7, levels->front()), levels->front(), 224));
        writePng(thumbnailFile(folder, run.records[shown].name), makeThumbnail(input, result));
        stretch = std::max(0.6, stretch - 0.1);
    }
    writeReports(run, folder);
    return 0;
}
