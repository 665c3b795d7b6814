#include <algorithm>
#include <cstdint>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "tests/app/bundled.h"
#include "tests/app/refusal.h"
#include "tests/hostile/watched.h"
#include "tests/support/npz_writer.h"
#include "tests/support/pickle_writer.h"

namespace threefold::test {
namespace {

using namespace std::string_literals;
namespace fs = std::filesystem;

/// PNG without pixels, whose header declares 65535 × 65535 pixels and has a valid checksum.
const std::string kHugePng =
    "\211PNG\015\012\032\012\000\000\000\015IHDR\000\000\377\377\000\000\377\377\010\006\000"
    "\000\000\266\005\331P\000\000\000\010IDATx\234\003\000\000\000\000\001H\006\211\322\000"
    "\000\000\000IEND\256B`\202"s;

std::string repeated(std::size_t count, const std::string& text) {
    std::string result;
    for (std::size_t i = 0; i < count; ++i) result += text;
    return result;
}

/// A hundred thousand nested lists.
std::string nested() {
    return std::string(100'000, '[') + std::string(100'000, ']');
}

/// Small files that expand to far more than their size, and large files that are one token.
class Bombs : public testing::Test {
  protected:
    std::string file(const char* name, const std::string& bytes) const {
        std::ofstream(folder_ / name, std::ios::binary) << bytes;
        return (folder_ / name).string();
    }

    /// Expects an error that names `subject`, before much memory is allocated.
    void expectRefused(const std::vector<std::string>& words, const std::string& subject,
                       std::uint64_t max = kMaxBytes) const {
        SCOPED_TRACE(testing::PrintToString(words));
        const ProcessResult result = runWithTimeout(words);
        EXPECT_EQ(result.exitCode, 1) << result.output;
        expectOneError(result.errors, subject);
        EXPECT_LT(result.peakBytes, max);
    }

    /// Memory limit for commands that open the network: the peak of a run on an empty picture plus
    /// 64 MiB, but at least kMaxBytes. The network needs more memory with the GPU plug-in.
    std::uint64_t maxBytesWithNetwork() const {
        const fs::path item = copySample("03001627", folder_.path());
        overwrite(item / "rendering/06.png", "");
        const ProcessResult result =
            runWithTimeout({"reconstruct", item.string(), "-o", (folder_ / "empty").string()});
        EXPECT_EQ(result.exitCode, 1) << result.output;
        return std::max(kMaxBytes, result.peakBytes + (std::uint64_t{64} << 20U));
    }

    void expectNoMesh(const std::string& bomb) const {
        expectRefused({"inspect", bomb}, bomb);
        expectRefused({"score", bomb, bomb}, bomb);
        expectRefused({"render", bomb, "-o", (folder_ / "out").string()}, bomb);
    }

#if defined(__SANITIZE_ADDRESS__)
    static constexpr std::uint64_t kMaxBytes = std::uint64_t{2} << 30U;
#else
    static constexpr std::uint64_t kMaxBytes = std::uint64_t{300} << 20U;
#endif
    const TempFolder folder_;
};

TEST_F(Bombs, areRefused_asPictures) {
    const std::string bomb = file("huge.png", kHugePng);
    expectRefused({"inspect", bomb}, bomb);
    const fs::path item = copySample("02691156", folder_.path());
    overwrite(item / "rendering/06.png", kHugePng);
    expectRefused({"reconstruct", item.string(), "-o", (folder_ / "out").string()}, "06.png",
                  maxBytesWithNetwork());
}

TEST_F(Bombs, areRefused_asArchives) {
    constexpr std::size_t kVertices = std::size_t{1} << 22U;
    Array zeros{DType::f32, {kVertices, 3}, {}};
    zeros.data.resize(kVertices * 3 * sizeof(float));
    const std::string bytes = npz({{"a", zeros}, {"b", zeros}, {"vertices", zeros}}, true);
    ASSERT_LT(bytes.size(), 200'000U);
    expectNoMesh(file("zeros.npz", bytes));
}

TEST_F(Bombs, areRefused_asNestedText) {
    expectNoMesh(file("deep.gltf", R"({"asset": {"version": "2.0"}, "nodes": )" + nested() + "}"));
    fs::create_directory(folder_ / "posed");
    const std::string bomb = file("posed/transforms.json", R"({"frames": )" + nested() + "}");
    expectRefused({"inspect", (folder_ / "posed").string()}, bomb);
    expectRefused({"reconstruct", bomb, "-o", (folder_ / "out").string()}, bomb,
                  maxBytesWithNetwork());
}

TEST_F(Bombs, areRefused_asPickles) {
    const std::string pickles[] = {
        // Each list contains the list before it twice: 2^40 values.
        [] {
            std::string text = "]q\0"s;
            for (char i = 0; i < 40; ++i)
                text += "]q"s + static_cast<char>(i + 1) + "(h"s + i + "h"s + i + "e"s;
            return text + ".";
        }(),
        repeated(1'000'000, "("),
        "(" + repeated(1'000'000, "]") + "l.",
        repeated(100'000, "]") + repeated(99'999, "a") + ".",
    };
    for (const std::string& pickle : pickles) {
        const std::string bomb = file("bomb.dat", "\x80\x02" + pickle);
        expectRefused({"inspect", bomb}, bomb);
        expectRefused({"score", bomb, bomb}, bomb);
    }
}

TEST_F(Bombs, areRefused_asMeshesInText) {
    const std::string corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf";
    expectNoMesh(file("face.obj", corners + repeated(333'334, " 1 2 3") + "\n"));
    expectNoMesh(file("header.ply",
                      "ply\nformat binary_little_endian 1.0\n"
                      "element vertex 4000000000\nproperty float x\n"
                      "property float y\nproperty float z\nend_header\n"));
    const std::string line(100'000'000, 'x');
    expectNoMesh(file("line.obj", line));
    expectNoMesh(file("line.ply", "ply\nformat ascii 1.0\ncomment " + line));
    const std::string list = file("line.txt", line);
    expectRefused({"eval", list, "-o", (folder_ / "out").string()}, list);
    expectRefused({"reconstruct", list, "-o", (folder_ / "out").string()}, list);
}

}  // namespace
}  // namespace threefold::test
