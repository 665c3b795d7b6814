#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/app/bundled.h"
#include "tests/app/process.h"
#include "tests/engine/network/golden_case.h"

namespace threefold::test {
namespace {

/// Refined vertices of the reference implementation, and flags of the vertices that are not
/// compared.
struct Expected {
    Points refined;
    std::vector<bool> gap;  ///< atSamplerGap() holds at the input of either block
};

Expected expectedMesh(const std::string& name) {
    const auto golden = std::find_if(goldenCases().begin(), goldenCases().end(),
                                     [&](const GoldenCase& each) { return each.name == name; });
    Expected expected{asPoints(golden->values("refined_2")),
                      atSamplerGap(*golden, asPoints(golden->values("coarse")))};
    const std::vector<bool> second = atSamplerGap(*golden, asPoints(golden->values("refined_1")));
    for (std::size_t i = 0; i < second.size(); ++i) {
        if (second[i]) expected.gap[i] = true;
    }
    // At most 4 % of the vertices may be left out of the comparison.
    EXPECT_LE(std::count(expected.gap.begin(), expected.gap.end(), true), 98);
    return expected;
}

TEST(GoldenProgram, writesTheReferencesMeshes_withTheBundledModel) {
    constexpr double kTolerance = 1e-5;
    const TempFolder folder;
    StartOptions options;
    options.environment = {{"THREEFOLD_RESOURCES", THREEFOLD_RESOURCES}};
    const ProcessResult result =
        runThreefold({"reconstruct", bundledSample("02691156").string(),
                      bundledSample("03001627").string(), "-o", folder.path().string()},
                     options);
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    for (const auto& [name, base] : {std::pair("plane_each", "02691156_p0001_00_predict"),
                                     std::pair("chair_each", "03001627_p0001_00_predict")}) {
        SCOPED_TRACE(name);
        const Expected expected = expectedMesh(name);
        const std::string file = (folder / base).string();
        const Points vertices = readObj(file + ".obj").vertices;
        EXPECT_LE(largestDifference(vertices, expected.refined, expected.gap), kTolerance);
        EXPECT_LE(largestDifference(readXyz(file + ".xyz"), expected.refined, expected.gap),
                  kTolerance);
    }
}

}  // namespace
}  // namespace threefold::test
