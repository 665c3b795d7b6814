// A change of the bundled weights must change no test: tests/golden/update makes the golden files
// anew, and all other tests use the model made for tests. The comments beside the lists say
// why a file is listed.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/temp_folder.h"

namespace threefold::test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

/// Sources below `root`, except this file, that contain any of the words; sorted by path.
std::vector<std::string> sourcesWith(const fs::path& root, const std::vector<std::string>& words) {
    std::vector<std::string> found;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root)) {
        const std::string kind = entry.path().extension();
        if (kind != ".cpp" && kind != ".h" && kind != ".cu") continue;
        if (entry.path().filename() == "weights_test.cpp" &&
            entry.path().parent_path().filename() == "structure")
            continue;
        std::ifstream stream(entry.path());
        const std::string text{std::istreambuf_iterator<char>(stream), {}};
        const auto holds = [&](const std::string& word) {
            return text.find(word) != std::string::npos;
        };
        if (std::ranges::any_of(words, holds))
            found.push_back(entry.path().lexically_relative(root));
    }
    std::ranges::sort(found);
    return found;
}

std::vector<std::string> testsWith(const std::vector<std::string>& words) {
    return sourcesWith(fs::path(THREEFOLD_SOURCE_ROOT) / "tests", words);
}

TEST(BundledWeights, areReadOnlyByGoldenTests_orWhereAnyModelSuffices) {
    EXPECT_THAT(testsWith({"bundledModelFile", "defaultModelFile", "/default.safetensors",
                           "\"default.safetensors\"", "{{\"THREEFOLD_RESOURCES\""}),
                ElementsAre("app/command_line_test.cpp",             // a missing folder
                            "app/doctor_test.cpp",                   // finds the resources
                            "app/golden_test.cpp",                   //
                            "app/inspect_test.cpp",                  // any weights suffice
                            "cuda/backend/device_network_test.cpp",  // GoldenNetwork
                            "cuda/gpu/plugin_test.cpp",              // errors; no weights are read
                            "cuda/simulation/subject.cpp",           // golden_deviations_test.cpp
                            "engine/evaluation/fake_run.cpp",        // only a name
                            "engine/model/model_test.cpp",           // names and shapes
                            "engine/network/golden_case.cpp",        //
                            "support/models.h",                      //
                            "ui/benchmarks/frame_rate.cpp",          //
                            "ui/pictures_main.cpp"));                // the README's pictures
}

TEST(GoldenTensors, areReadOnlyByGoldenTests_orAsArbitraryFiles) {
    EXPECT_THAT(testsWith({"golden_case.h", "\"golden\"", "/golden/", "golden/plane"}),
                ElementsAre("app/command_line_test.cpp",  // lists any npz
                            "app/golden_test.cpp",        //
                            "app/inspect_test.cpp",       // lists any npz
                            "cuda/gpu/gpu_backend.h",     // tests/cuda/gpu/golden_test.cpp
                            "cuda/kernels/hypothesis_golden_test.cpp",  //
                            "engine/evaluation/golden_list_test.cpp",   //
                            "engine/formats/npz_test.cpp",              // reads any npz
                            "engine/network/golden_case.cpp",           //
                            "engine/network/golden_test.cpp",           //
                            "engine/raster/watertight_test.cpp",        // any closed mesh
                            "engine/sample_steps/evaluate_test.cpp",    // EvaluateGolden
                            "engine/views/preprocess_test.cpp",  // only the image, not the weights
                            "engine/views/projection_golden_test.cpp"));
}

TEST(SourcesWith, findsEachOnce_whereverItLies) {
    const TempFolder root;
    fs::create_directories(root / "deep/er");
    std::ofstream(root / "deep/er/b.cpp") << "one word and another";
    std::ofstream(root / "a.h") << "another";
    std::ofstream(root / "c.cpp") << "no such";
    std::ofstream(root / "d.txt") << "word";
    EXPECT_THAT(sourcesWith(root.path(), {"word", "another"}), ElementsAre("a.h", "deep/er/b.cpp"));
}

}  // namespace
}  // namespace threefold::test
