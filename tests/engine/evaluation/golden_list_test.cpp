#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/evaluation/evaluate_list.h"
#include "engine/evaluation/run/evaluation_run.h"
#include "engine/evaluation/run/mesh_result_files.h"
#include "engine/formats/files/write_file.h"
#include "engine/formats/meshes/mesh_files.h"
#include "engine/geometry/nearest.h"
#include "engine/measures/chamfer_and_f_scores.h"
#include "engine/network/cpu_backend.h"
#include "engine/sample/ground_truth.h"
#include "tests/engine/network/golden_case.h"
#include "tests/support/borrowed_device.h"
#include "tests/support/temp_folder.h"

namespace threefold::test {
namespace {

namespace fs = std::filesystem;

/// Name of a case's sample in a test list: "02691156_p0001_00.dat" for "02691156/p0001".
std::string listName(const GoldenCase& golden) {
    std::string name = golden.location + "_00.dat";
    name[name.find('/')] = '_';
    return name;
}

/// Chamfer distance, then precision, recall and F at four thresholds.
std::vector<double> valuesOf(const ChamferAndFScores& measures) {
    std::vector<double> values = {measures.chamfer};
    for (const FScore& score : measures.fScores) {
        values.insert(values.end(), {score.precision, score.recall, score.fScore});
    }
    return values;
}

SampleRecord evaluated(const GoldenCase& golden, const fs::path& folder) {
    writeFileAtomically(folder / "list.txt", listName(golden) + "\n");
    const auto backend = makeCpuBackend(goldenModel(golden));
    const EvaluationList list = readEvaluationList(folder / "list.txt");
    RunDescription description;
    description.identity.listHash = list.hash;
    description.identity.listSize = 1;
    description.identity.measures.views = {0, 6, 7};
    description.identity.measures.protocols = {Protocol::published};
    const fs::path out = folder / golden.name;
    fs::create_directories(out);
    Journal journal(out, description, ExistingRun::refuse);
    ListRunOptions options;
    const fs::path samples = fs::path(THREEFOLD_RESOURCES) / "samples";
    options.imageRoot = samples / "ShapeNetRendering";
    options.truthRoot = samples / "gt";
    test::NetworkOn network(*backend);
    evaluateList(network, list, journal, out, options);
    return journal.contents().records.at(0);
}

/// Deviation of measures from the golden file's measures.
struct Deviation {
    double chamfer = 0;           ///< relative
    double percentagePoints = 0;  ///< largest deviation of precision, recall and F
};

Deviation deviationFrom(const GoldenCase& golden, const std::string& name,
                        const ChamferAndFScores& measures) {
    const std::vector<double> values = valuesOf(measures);
    const std::vector<double> expected = golden.tensors.at(name).toDouble();
    EXPECT_EQ(values.size(), expected.size());
    Deviation deviation{std::abs(values[0] / expected[0] - 1), 0};
    for (std::size_t i = 1; i < std::min(values.size(), expected.size()); ++i) {
        deviation.percentagePoints =
            std::max(deviation.percentagePoints, std::abs(values[i] - expected[i]));
    }
    return deviation;
}

/// Percentage points by which precision, recall and F may differ if vertices move by `tolerance`.
/// For each threshold, adds the percentage of vertices and the percentage of truth points whose
/// nearest distance is within `tolerance` of the threshold's square root; returns the largest sum.
double percentagePointsNearThresholds(const Points& mesh, const Points& truth,
                                      const ChamferAndFScores& measures, double tolerance) {
    const auto percentNear = [&](const Points& from, const Points& to, double threshold) {
        double near = 0;
        for (const double squared : nearestNeighbours(from, to).squaredDistances)
            near += std::abs(std::sqrt(squared) - std::sqrt(threshold)) <= tolerance ? 1 : 0;
        return 100 * near / static_cast<double>(from.size());
    };
    double max = 0;
    for (const FScore& score : measures.fScores)
        max = std::max(max, percentNear(mesh, truth, score.threshold) +
                                percentNear(truth, mesh, score.threshold));
    return max;
}

/// Vertices of the written mesh. Vertices at a discontinuity of the sampler (atSamplerGap()) are
/// replaced by the reference's vertices.
Points withReferenceAtSamplerGaps(const GoldenCase& golden, const fs::path& xyz) {
    Points points = readMesh(xyz).vertices;
    const Points expected = asPoints(golden.values("refined_2"));
    std::size_t replaced = 0;
    for (const char* start : {"coarse", "refined_1"}) {
        const std::vector<bool> gap = atSamplerGap(golden, asPoints(golden.values(start)));
        for (std::size_t i = 0; i < gap.size(); ++i) {
            if (!gap[i]) continue;
            points[i] = expected[i];
            ++replaced;
        }
    }
    EXPECT_LE(replaced, points.size() / 25) << "more than 4 % of the vertices are at sampler gaps";
    return points;
}

/// Largest relative deviation of the Chamfer distance between runs of the reference on processors
/// of two vendors. The refined chair without the vertices at sampler gaps deviates by this value,
/// the coarse car by 1.9e-6. The test allows twice this value. Threefold deviates by 1.9e-6 on one
/// vendor's processor and by 2.04e-6 on the other vendor's processor.
constexpr double kReferenceDeviation = 2.6e-6;
/// Distance of coarse vertices from the reference's vertices, in object units. The golden tests
/// have distances of at most 2.2e-6.
constexpr double kCoarseTolerance = 2.2e-6;

/// Evaluates a list of each golden case and compares the measures with the reference's.
TEST(GoldenList, reproducesTheReferencesMeasures) {
    const TempFolder folder;
    for (const GoldenCase& golden : goldenCases()) {
        SCOPED_TRACE(golden.name);
        const SampleRecord record = evaluated(golden, folder.path());
        ASSERT_TRUE(record.succeeded()) << record.error;
        const Deviation coarse =
            deviationFrom(golden, "measures_coarse", record.scores[0].first().measures);
        EXPECT_LE(coarse.chamfer, 2 * kReferenceDeviation);
        const Points truth = readGroundTruth(record.truth).points;
        EXPECT_LE(
            coarse.percentagePoints,
            percentagePointsNearThresholds(asPoints(golden.values("coarse")), truth,
                                           record.scores[0].first().measures, kCoarseTolerance) +
                1e-6);

        const fs::path xyz = meshFilesOf(folder / golden.name, record).at(1);
        const Deviation refined =
            deviationFrom(golden, "measures_refined_2",
                          chamferAndFScores(withReferenceAtSamplerGaps(golden, xyz), truth));
        EXPECT_LE(refined.chamfer, 2 * kReferenceDeviation);
        // Vertices are exact to 4e-6. The distances of at most two points of the truth are within
        // 4e-6 of a threshold's square root, so two points may count differently.
        EXPECT_LE(refined.percentagePoints, 100.0 * 2.5 / static_cast<double>(truth.size()));
        // The following measures include the vertices at sampler gaps. If one of 2466 vertices
        // crosses a threshold, precision changes by 0.04 percentage points.
        const Deviation whole =
            deviationFrom(golden, "measures_refined_2", record.scores[0].result().measures);
        EXPECT_LE(whole.chamfer, 1e-3);
        EXPECT_LE(whole.percentagePoints, 0.2);
        RecordProperty(golden.name,
                       fmt::format("coarse {:.1e}, refined {:.1e} and {:.2f} points, "
                                   "with the vertices at sampler gaps {:.1e} and {:.2f}",
                                   coarse.chamfer, refined.chamfer, refined.percentagePoints,
                                   whole.chamfer, whole.percentagePoints));
    }
}

}  // namespace
}  // namespace threefold::test
