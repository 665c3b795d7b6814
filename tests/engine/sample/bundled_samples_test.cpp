#include "engine/sample/bundled_samples.h"

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/resources.h"
#include "engine/sample/data_set.h"
#include "engine/sample/sample.h"
#include "engine/sample/sample_views.h"
#include "engine/sample/test_list.h"
#include "tests/support/temp_folder.h"

namespace threefold {
namespace {

using test::TempFolder;
using testing::ElementsAre;
using testing::HasSubstr;
using Path = std::filesystem::path;

/// Sets the program's resource folder to a temporary folder; the destructor restores the previous
/// resource folder.
class OwnResources {
  public:
    OwnResources() {
        if (const char* before = std::getenv(kName)) before_ = before;
        std::filesystem::create_directories(folder_ / "models");
        setenv(kName, folder_.path().c_str(), 1);
    }
    ~OwnResources() {
        if (before_.empty())
            unsetenv(kName);
        else
            setenv(kName, before_.c_str(), 1);
    }
    OwnResources(const OwnResources&) = delete;
    OwnResources& operator=(const OwnResources&) = delete;

    Path samples() const { return folder_ / "samples"; }
    Path add(const std::string& id) const {
        Path folder = samples() / kShapeNetRenderingFolder / id;
        std::filesystem::create_directories(folder / "rendering");
        std::ofstream(folder / "rendering" / "rendering_metadata.txt") << "0 0 0 1 25\n";
        return folder;
    }

  private:
    static constexpr const char* kName = "THREEFOLD_RESOURCES";
    TempFolder folder_;
    std::string before_;
};

std::vector<std::string> namesOf(const std::vector<Path>& samples) {
    std::vector<std::string> names;
    for (const Path& sample : samples)
        names.push_back(sample.parent_path().filename().string() + '_' +
                        sample.filename().string());
    return names;
}

TEST(BundledSamples, beginWithThoseOfArtists_inTheOrderOfTheirList) {
    EXPECT_THAT(
        namesOf(bundledSamples()),
        ElementsAre("03001627_banquet", "03636649_lantern", "04379243_bistro", "02958343_lorry",
                    "02691156_p0001", "02958343_p0001", "03001627_p0001", "04379243_p0001"));
}

TEST(BundledSamples, matchTheirList_withATruthAndAllViews) {
    const Path root = bundledSamplesFolder();
    const std::vector<Path> samples = bundledSamples();
    const std::vector<ListedName> listed = readTestList(root / "list.txt");
    ASSERT_EQ(samples.size(), listed.size());
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const Sample sample = findSample(samples[i]);
        EXPECT_EQ(sample.name() + ".dat", listed[i].name);
        EXPECT_EQ(sample.truthFile(), root / "gt" / listed[i].name);
        EXPECT_EQ(sample.viewCount(), 24U);
        EXPECT_EQ(missingImagesText(sample), "");
        EXPECT_NE(categoryName(sample.category), "");
    }
}

TEST(BundledSamples, areLastAndSorted_whenTheListDoesNotNameThem) {
    const OwnResources own;
    const Path a = own.add("02691156/a");
    const Path b = own.add("02691156/b");
    const Path c = own.add("04379243/c");
    EXPECT_THAT(bundledSamples(), ElementsAre(a, b, c));  // without list.txt
    std::ofstream(own.samples() / "list.txt") << "# a remark\n04379243_c_06.dat\n02691156_gone_00\n"
                                              << "02691156_b.dat\n";
    EXPECT_THAT(bundledSamples(), ElementsAre(c, b, a));
}

TEST(BundledSamples, areNone_whenNoneAreInstalled) {
    const OwnResources own;
    EXPECT_TRUE(bundledSamples().empty());
}

TEST(BundledPhotographs, areCompleteAndSmall_withMasksTruthAndSource) {
    const std::vector<Path> folders = bundledPhotographs();
    ASSERT_EQ(folders.size(), 1U);
    EXPECT_EQ(firstBundledSample(), folders.front());
    const Sample sample = findSample(folders.front());
    EXPECT_EQ(sample.id, "wood_toy");
    ASSERT_EQ(sample.viewCount(), 12U);
    EXPECT_EQ(missingImagesText(sample), "");
    std::uintmax_t bytes = std::filesystem::file_size(sample.truthFile());
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folders.front()))
        if (entry.is_regular_file()) bytes += entry.file_size();
    EXPECT_LE(bytes, 450'000U);
    for (int view = 0; view < 12; ++view) {
        EXPECT_EQ(sample.photos->views[static_cast<std::size_t>(view)].problem, "");
        const Image image = readViewPhoto(sample, view);
        const std::vector<std::uint8_t>& pixels = image.rgba;
        std::size_t covered = 0;
        for (std::size_t i = 3; i < pixels.size(); i += 4) covered += pixels[i] == 255 ? 1 : 0;
        EXPECT_GT(covered, pixels.size() / 4 / 10);
        EXPECT_LT(covered, pixels.size() / 4 / 2);
    }
    const std::vector<std::byte> sources = readFile(bundledSamplesFolder() / "SOURCES.txt");
    EXPECT_THAT(std::string(asText(sources)), HasSubstr("photographs/wood_toy"));
}

TEST(BundledPhotographs, areReplacedByRenderings_whenNotInstalled) {
    const OwnResources own;
    EXPECT_EQ(firstBundledSample(), std::nullopt);
    const Path rendering = own.add("02691156/a");
    EXPECT_TRUE(bundledPhotographs().empty());
    EXPECT_EQ(firstBundledSample(), rendering);
    const Path photographs = own.samples() / "photographs";
    std::filesystem::create_directories(photographs / "mug");
    std::filesystem::create_directories(photographs / "gt");
    std::ofstream(photographs / "mug" / "cameras.json") << "{}";
    EXPECT_THAT(bundledPhotographs(), ElementsAre(photographs / "mug"));
    EXPECT_EQ(firstBundledSample(), photographs / "mug");
}

TEST(BundledQuantisationSamples, haveThePublishedViews_ofEverySample) {
    const std::vector<NetworkInput> inputs = bundledQuantisationSamples();
    ASSERT_EQ(inputs.size(), bundledSamples().size());
    for (const NetworkInput& input : inputs) EXPECT_EQ(input.images.size(), kPublishedViews.size());
}

}  // namespace
}  // namespace threefold
