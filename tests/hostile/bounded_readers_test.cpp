#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <grp.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include "engine/formats/files/write_file.h"
#include "tests/app/bundled.h"
#include "tests/hostile/watched.h"
#include "tests/support/heic_bytes.h"

namespace threefold::test {
namespace {

namespace fs = std::filesystem;

/// Limits the address space to 2 GiB. As root, also becomes another user and limits that user's
/// threads to 64.
void limitMemoryAndThreads() {
    constexpr uid_t kNobody = 65534;
    limitTo(RLIMIT_AS, std::uint64_t{2} << 30U);
    if (geteuid() != 0 || setgroups(0, nullptr) != 0 || setuid(kNobody) != 0) return;
    limitTo(RLIMIT_NPROC, 64);
}

/// Files that declare more than they contain, for every reader.
class BoundedReaders : public testing::Test {
  protected:
    BoundedReaders() {
        fs::permissions(folder_.path(), fs::perms::all);
        for (const auto& entry :
             fs::directory_iterator(THREEFOLD_TEST_DATA "/engine/formats/data/broken"))
            fs::copy_file(entry.path(), folder_ / entry.path().filename());
        std::vector<HeicItem> deep = {{}};
        for (std::uint32_t i = 1; i <= 6; ++i)
            deep.push_back({"grid", {i, i, i, i}, 64U << i, 64U << i, 2, 2});
        const std::vector<std::uint32_t> many(16'384, 1);
        const HeicItem large{"hvc1", {}, 16'384, 16'384, 1, 1, 0, 16'384};
        write("nested.heic", heicBytes(deep, 7));
        write("many.heic", heicBytes({{}, {"grid", many, 8192, 8192, 128, 128}}, 2));
        write("large.heic", heicBytes({large}, 1));
        write("overlay.heic", heicBytes({large, {"iovl", {1, 1, 1, 1}, 64, 64}}, 2));
        write("circle.avif", heicBytes({{"iden", {2}}, {"iden", {1}}}, 1));
        writeCameras();
    }

    /// Writes camera files that declare absent cameras, nest entities or leave tags open.
    void writeCameras() const {
        std::string entities = "<?xml version=\"1.0\"?><!DOCTYPE d [<!ENTITY a \"aaaaaaaaaa\">";
        std::string tags = "<document version=\"1.5.0\"><chunk>";
        constexpr int kEntities = 20;
        for (char name = 'b'; name < 'b' + kEntities; ++name) {
            entities += std::string("<!ENTITY ") + name + " \"";
            for (int i = 0; i < 10; ++i)
                entities += std::string("&") + static_cast<char>(name - 1) + ";";
            entities += "\">";
        }
        constexpr int kDeep = 200'000;
        for (int i = 0; i < kDeep; ++i) tags += "<a>";
        write("entities.xml",
              entities + "]><document><chunk><cameras>&u;</cameras></chunk></document>");
        write("deep.xml", tags);
        write("many_par.txt", "1000000000\n");
        write("bundle.out", "# Bundle file v0.3\n1000000000 1000000000\n");
        write("list.txt", "a.png\n");
        std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': (100000000, 17), }";
        header.resize(118, ' ');
        write("poses_bounds.npy", std::string("\x93NUMPY\x01\0v\0", 10) + header);
    }

    void write(const char* name, const std::string& bytes) const {
        writeFileAtomically(folder_ / name, bytes);
    }

    const TempFolder folder_;
};

TEST_F(BoundedReaders, takeFewThreadsAndLittleMemory) {
#if defined(__SANITIZE_ADDRESS__)
    GTEST_SKIP() << "the address sanitizer takes all of the address space";
#endif
    if (runThreefold({"--version"}, withTimeout(limitMemoryAndThreads)).exitCode != 0)
        GTEST_SKIP() << "another user cannot start the program";
    for (const auto& entry : fs::directory_iterator(folder_.path())) {
        const std::string file = entry.path().string();
        SCOPED_TRACE(file);
        for (const char* command : {"inspect", "cutout"}) {
            const ProcessResult result = runWithTimeout({command, file}, limitMemoryAndThreads);
            EXPECT_THAT(result.exitCode, testing::AnyOf(0, 1)) << result.errors;
            EXPECT_THAT(result.errors, testing::Not(testing::HasSubstr("thread"))) << command;
            EXPECT_THAT(result.errors, testing::Not(testing::HasSubstr("not enough memory")))
                << command;
            EXPECT_LT(result.peakBytes, std::uint64_t{1} << 30U) << command;
        }
    }
}

}  // namespace
}  // namespace threefold::test
