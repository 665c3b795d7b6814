#include "tests/structure/modules.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/temp_folder.h"

namespace threefold::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::filesystem::path kRoot = THREEFOLD_SOURCE_ROOT;

void write(const std::filesystem::path& file, const std::string& text) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
}

TEST(Modules, useOnlyModulesBelow) {
    const ModuleOrder order(textOf(kRoot / "docs/modules.txt"));
    EXPECT_THAT(forbiddenUses(order, kRoot), IsEmpty());
}

TEST(Modules, allExist) {
    const ModuleOrder order(textOf(kRoot / "docs/modules.txt"));
    for (const auto& [module, line] : order.modules()) {
        EXPECT_TRUE(std::filesystem::is_directory(kRoot / module)) << "line " << line + 1;
    }
}

TEST(Modules, areShownInTheArchitecture) {
    EXPECT_THAT(textOf(kRoot / "docs/ARCHITECTURE.md"),
                HasSubstr(textOf(kRoot / "docs/modules.txt")));
}

TEST(Modules, areReportedWithFileAndLine_whenAnIncludePointsUp) {
    const TempFolder root;
    write(root.path() / "low/a.h", "#pragma once\n#include \"high/b.h\"\n");
    write(root.path() / "high/b.h", "#include <vector>\n#include \"low/a.h\"\n");
    EXPECT_THAT(forbiddenUses(ModuleOrder("# top first\nhigh\nlow\n"), root.path()),
                ElementsAre("low/a.h:2: low may not include high (high/b.h)"));
}

TEST(Modules, areReportedWithFileAndLine_whenADeclarationPointsUp) {
    const TempFolder root;
    write(root.path() / "low/a.h",
          "class Tower;\nstruct Stone;\nclass QWidget;\nclass Own;\n    class Tower;\n");
    write(root.path() / "low/own.h", "struct Own final : Stone {\n};\n");
    write(root.path() / "high/b.h", "class Tower : public QWidget {\n};\nclass Own;\n");
    write(root.path() / "ground/c.h", "struct Stone {};\n");
    EXPECT_THAT(forbiddenUses(ModuleOrder("high\nlow\nground\n"), root.path()),
                ElementsAre("low/a.h:1: low may not declare Tower of high"));
}

TEST(Modules, mayNotIncludeTheirNeighbours_whenOnOneLine) {
    const TempFolder root;
    write(root.path() / "left/a.h", "");
    write(root.path() / "left/b.h", "#include \"a.h\"\n");
    write(root.path() / "right/c.cpp", "  #  include \"left/a.h\"\n");
    EXPECT_THAT(forbiddenUses(ModuleOrder("left right\n"), root.path()),
                ElementsAre("right/c.cpp:1: right may not include left (left/a.h)"));
}

TEST(Modules, mustBeDeclared_forEveryFolderWithSources) {
    const TempFolder root;
    write(root.path() / "module/inner/a.cpp", "");
    write(root.path() / "deep/inner/b.cpp", "");
    EXPECT_THAT(forbiddenUses(ModuleOrder("module\ndeep/...\n"), root.path()),
                ElementsAre("module/inner/a.cpp: docs/modules.txt does not name its folder"));
}

TEST(Modules, areRefused_whenNamedTwice) {
    EXPECT_THROW(ModuleOrder("one two\ntwo\n"), std::runtime_error);
}

}  // namespace
}  // namespace threefold::test
