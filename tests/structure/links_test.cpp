#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/structure/modules.h"
#include "tests/support/temp_folder.h"

namespace threefold::test {
namespace {

namespace fs = std::filesystem;

/// Anchor that Markdown hosts give a heading: "eval and merge: a table" → "eval-and-merge-a-table".
std::string anchorOf(const std::string& heading) {
    std::string anchor;
    for (const char c : heading) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == ' ') anchor += '-';
        if (std::isalnum(byte) != 0 || c == '-' || c == '_' || byte >= 0x80)
            anchor += static_cast<char>(byte < 0x80 ? std::tolower(byte) : byte);
    }
    return anchor;
}

std::set<std::string> anchorsOf(const fs::path& document) {
    std::set<std::string> anchors;
    std::ifstream stream(document);
    for (std::string line; std::getline(stream, line);) {
        const std::size_t marks = line.find_first_not_of('#');
        if (marks != 0 && marks != std::string::npos && line[marks] == ' ')
            anchors.insert(anchorOf(line.substr(marks + 1)));
    }
    return anchors;
}

/// Returns "document: link" for each link whose file or heading does not exist. The paths of the
/// documents are relative to `root`. Links with "://" are not checked.
std::vector<std::string> brokenLinks(const fs::path& root, const std::vector<fs::path>& documents) {
    static const std::regex link(R"(\]\(([^)\s#]*)(#([^)\s]+))?\))");
    std::vector<std::string> broken;
    for (const fs::path& document : documents) {
        const std::string text = textOf(root / document);
        for (std::sregex_iterator at(text.begin(), text.end(), link), end; at != end; ++at) {
            const std::string file = (*at)[1], anchor = (*at)[3];
            if (file.find("://") != std::string::npos) continue;
            const fs::path target =
                file.empty() ? root / document : (root / document).parent_path() / file;
            if (!fs::exists(target) || (!anchor.empty() && !anchorsOf(target).contains(anchor)))
                broken.push_back(document.string() + ": " + file + (*at)[2].str());
        }
    }
    return broken;
}

TEST(Links, ofDocumentsHaveTargets) {
    const fs::path root = THREEFOLD_SOURCE_ROOT;
    std::vector<fs::path> documents{"README.md", "CONTRIBUTING.md", "cuda/BENCHMARKS.md",
                                    "resources/models/training/README.md", "tests/fuzz/README.md"};
    for (const auto& entry : fs::directory_iterator(root / "docs"))
        if (entry.path().extension() == ".md")
            documents.push_back("docs" / entry.path().filename());
    EXPECT_THAT(brokenLinks(root, documents), testing::IsEmpty());
}

TEST(Links, areNamed_whenTheirTargetIsMissing) {
    const TempFolder folder;
    std::ofstream(folder.path() / "a.md") << "[b](b.md) [c](c.md#no-such) [d](#the-end)\n"
                                             "[e](c.md#what-it-is-f-and-more) [f](#no-end)\n"
                                             "[g](https://example.org/x#y)\n## The end\n";
    std::ofstream(folder.path() / "c.md") << "### What it is: F(τ)?, and more\n";
    EXPECT_THAT(brokenLinks(folder.path(), {"a.md"}),
                testing::ElementsAre("a.md: b.md", "a.md: c.md#no-such",
                                     "a.md: c.md#what-it-is-f-and-more", "a.md: #no-end"));
}

TEST(Readme, staysShort) {
    const std::string text = textOf(fs::path(THREEFOLD_SOURCE_ROOT) / "README.md");
    EXPECT_LE(std::ranges::count(text, '\n'), 200);
}

}  // namespace
}  // namespace threefold::test
