// The preset `fuzz` builds with Clang, and Clang 14 cannot compile views with the standard library
// of GCC 12: neither std::views nor the algorithms of std::ranges that return a
// std::ranges::subrange. The other builds, by GCC, do not notice such a call.
#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/temp_folder.h"

namespace threefold::test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

/// What compiles in place of a name of std::ranges.
std::string replacementOf(const std::string& name) {
    if (name == "equal_range") return "call std::ranges::lower_bound and std::ranges::upper_bound";
    if (name == "subrange" || name == "views" || name.ends_with("_view"))
        return "write a loop, or take a std::span or std::string_view of the part";
    return fmt::format("call std::{} with iterators", name);
}

/// Returns a line for each name that Clang 14 refuses in the sources below these folders of `root`,
/// such as "engine/a.cpp:12: Clang 14 refuses std::ranges::unique: call std::unique with
/// iterators"; sorted. Comments may contain the names.
std::vector<std::string> refusedRanges(const fs::path& root,
                                       const std::vector<std::string>& folders) {
    const std::regex refused(
        R"(\branges::(unique|remove|remove_if|rotate|partition|stable_partition|search|search_n)"
        R"(|find_end|equal_range|subrange|views|\w+_view)\b|\bstd::(views)\b)");
    std::vector<std::string> found;
    for (const std::string& folder : folders)
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / folder)) {
            const std::string kind = entry.path().extension();
            if (kind != ".cpp" && kind != ".h" && kind != ".inl") continue;
            const std::string file = fs::relative(entry.path(), root).generic_string();
            std::ifstream stream(entry.path());
            std::size_t number = 0;
            for (std::string line; std::getline(stream, line);) {
                ++number;
                line.resize(std::min(line.size(), line.find("//")));
                if (line.find("ranges") == line.npos && line.find("views") == line.npos) continue;
                for (std::sregex_iterator at(line.begin(), line.end(), refused), end; at != end;
                     ++at) {
                    const std::string name = at->str(1) + at->str(2);
                    found.push_back(fmt::format("{}:{}: Clang 14 refuses std::{}{}: {}", file,
                                                number, name == "views" ? "" : "ranges::", name,
                                                replacementOf(name)));
                }
            }
        }
    std::ranges::sort(found);
    return found;
}

TEST(RefusedRanges, areNotUsed_whereFuzzersAreBuilt) {
    EXPECT_THAT(refusedRanges(THREEFOLD_SOURCE_ROOT,
                              {"engine", "tests/engine", "tests/fuzz", "tests/support"}),
                IsEmpty());
}

TEST(RefusedRanges, areNamedWithTheirReplacement) {
    const TempFolder root;
    fs::create_directories(root / "engine/deep");
    std::ofstream(root / "engine/deep/a.cpp")
        << "#include <ranges>\n"
           "const auto end = std::ranges::unique(values).begin();  // not std::ranges::rotate\n"
           "return {std::ranges::equal_range(all, key)};\n";
    std::ofstream(root / "engine/b.h")
        << "for (const int each : all | std::views::take(2)) f(each);\n"
           "using std::ranges::transform_view;\n";
    EXPECT_THAT(
        refusedRanges(root.path(), {"engine"}),
        ElementsAre(
            "engine/b.h:1: Clang 14 refuses std::views: write a loop, or take a std::span or "
            "std::string_view of the part",
            "engine/b.h:2: Clang 14 refuses std::ranges::transform_view: write a loop, or "
            "take a std::span or std::string_view of the part",
            "engine/deep/a.cpp:2: Clang 14 refuses std::ranges::unique: call std::unique "
            "with iterators",
            "engine/deep/a.cpp:3: Clang 14 refuses std::ranges::equal_range: call "
            "std::ranges::lower_bound and std::ranges::upper_bound"));
}

TEST(RefusedRanges, areNoOtherNames) {
    const TempFolder root;
    std::ofstream(root / "a.cpp") << "std::ranges::sort(views);\n"
                                     "std::ranges::unique_copy(all, std::back_inserter(some));\n"
                                     "std::ranges::remove_copy_if(all, some.begin(), isOdd);\n"
                                     "std::unique(all.begin(), all.end());\n"
                                     "const std::string_view search = \"ranges\";\n"
                                     "sample::views::load(reviews::views);\n";
    EXPECT_THAT(refusedRanges(root.path(), {"."}), IsEmpty());
}

}  // namespace
}  // namespace threefold::test
