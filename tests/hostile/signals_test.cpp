#include <chrono>
#include <csignal>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/write_file.h"
#include "engine/formats/pictures/image.h"
#include "tests/app/bundled.h"
#include "tests/app/process.h"

namespace threefold::test {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// A noisy ellipse on a noisy background. Cutting the ellipse out takes some tenths of a second.
Image photograph(int number) {
    constexpr int kWidth = 1200, kHeight = 900;
    std::minstd_rand random(static_cast<unsigned>(number + 1));
    Image image{kWidth, kHeight, {}};
    for (int y = 0; y < kHeight; ++y)
        for (int x = 0; x < kWidth; ++x) {
            const int across = x - 600 - 10 * number, down = y - 450;
            const bool inside = across * across + 2 * down * down < 250 * 250;
            const auto noise = static_cast<std::uint8_t>(random() % 16);
            const auto red = static_cast<std::uint8_t>(inside ? 190 + noise : 60 + noise);
            image.rgba.insert(image.rgba.end(),
                              {red, static_cast<std::uint8_t>(90 + noise), 70, 255});
        }
    return image;
}

/// Expects that PNG and JSON files can be read, and that there is no temporary file.
void expectWholeFiles(const fs::path& folder) {
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        const fs::path& file = entry.path();
        EXPECT_EQ(file.filename().string().find(".threefold-"), std::string::npos) << file;
        if (!entry.is_regular_file()) continue;
        if (file.extension() == ".png") {
            EXPECT_NO_THROW(readImage(file)) << file;
        }
        if (file.extension() == ".json") {
            const std::vector<std::byte> bytes = readFile(file);
            EXPECT_TRUE(
                nlohmann::json::accept(reinterpret_cast<const char*>(bytes.data()),
                                       reinterpret_cast<const char*>(bytes.data()) + bytes.size()))
                << file;
        }
    }
}

TEST(Signals, leaveNothingHalfWritten_wheneverTheyCome) {
    const TempFolder folder;
    fs::create_directory(folder / "photographs");
    for (int i = 0; i < 8; ++i)
        writePng(folder / ("photographs/" + std::to_string(i) + ".png"), photograph(i));
    const std::string photographs = (folder / "photographs").string();
    const std::string sample = bundledSample("02691156").string();
    const std::string mesh = (folder / "mesh.obj").string();
    writeFileAtomically(mesh,
                        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n");
    const auto out = [&](const char* name) { return (folder / name).string(); };
    const std::vector<Words> commands = {
        {"cutout", photographs, "--overwrite"},
        {"turntable", photographs, "--overwrite"},
        {"board", photographs, "--overwrite"},
        {"cameras", photographs, "--overwrite"},
        {"board", "-o", out("board.pdf")},
        {"reconstruct", sample, "-o", out("meshes")},
        {"reconstruct", photographs, "--cutout", "-o", out("cut")},
        {"eval", sample, "-o", out("run"), "--overwrite"},
        {"render", mesh, "-o", out("samples"), "--overwrite"},
        {"score", mesh, mesh},
        {"inspect", sample},
        {"compare", "cpu:float32", "cpu:bfloat16", "--list", sample, "-o", out("compared")}};
    std::minstd_rand random(11);
    for (int round = 0; round < 4; ++round)
        for (const Words& words : commands) {
            const auto delay = std::chrono::milliseconds(random() % 1200);
            SCOPED_TRACE(words.front() + " after " + std::to_string(delay.count()) + " ms");
            Process process(words);
            std::this_thread::sleep_for(delay);
            process.send(SIGINT);
            const ProcessResult result = process.wait();
            EXPECT_TRUE(result.signal == 0 || result.signal == SIGINT) << result.signal;
            expectWholeFiles(folder.path());
        }
}

}  // namespace
}  // namespace threefold::test
