#include "tests/engine/evaluation/small_data_set.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "engine/evaluation/list/evaluation_list.h"
#include "engine/formats/pictures/image.h"
#include "engine/views/camera.h"
#include "tests/support/pickle_writer.h"

namespace threefold::test {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kViews = 3;
constexpr std::size_t kTruthPoints = 40;

const char* categoryOf(std::size_t sample) {
    return sample % 3 == 0 ? "02691156" : "03001627";
}

/// Writes without syncing to disk, which fixtures do not need.
void writeText(const fs::path& file, const std::string& text) {
    std::ofstream(file, std::ios::binary) << text;
}

void writeImages(const fs::path& folder, std::size_t sample) {
    constexpr int kSide = 4;
    Image image{kSide, kSide, std::vector<std::uint8_t>(kSide * kSide * 4, 255)};
    image.rgba.front() = static_cast<std::uint8_t>(7 * sample % 200);
    writePng(folder / "00.png", image);
    for (const char* other : {"01.png", "02.png"}) {
        fs::copy_file(folder / "00.png", folder / other);
    }
}

void writeCameras(const fs::path& folder, std::size_t sample) {
    std::vector<CameraRow> rows;
    for (std::size_t view = 0; view < kViews; ++view) {
        rows.push_back({static_cast<double>(17 * sample + 60 * view), 25, 0, 0.8, 25});
    }
    writeText(folder / "rendering_metadata.txt", formatRenderingMetadata(rows));
}

void writeTruth(const fs::path& file, std::size_t sample) {
    std::vector<float> values;
    for (std::size_t i = 0; i < kTruthPoints; ++i) {
        const auto at = static_cast<float>(i) / static_cast<float>(kTruthPoints) - 0.5F;
        const float bend = 0.01F * static_cast<float>(sample % 11);
        for (const float value :
             {0.3F * at, 0.2F * at * at + bend, -0.8F + 0.1F * at, 0.F, 0.F, 1.F}) {
            values.push_back(value);
        }
    }
    writeText(file, pickle::pickled(pickle::array("f4", values, {kTruthPoints, 6})));
}

}  // namespace

SmallDataSet::SmallDataSet(fs::path root, std::size_t samples) : root_(std::move(root)) {
    fs::create_directories(root_ / "gt");
    std::string lines;
    for (std::size_t i = 0; i < samples; ++i) {
        names_.push_back(fmt::format("{}_p{:04}_00", categoryOf(i), i));
        lines += names_.back() + ".dat\n";
        fs::create_directories(rendering(i));
        writeImages(rendering(i), i);
        writeCameras(rendering(i), i);
        writeTruth(truth(i), i);
    }
    writeText(list(), lines);
}

fs::path SmallDataSet::rendering(std::size_t sample) const {
    return root_ / "ShapeNetRendering" / categoryOf(sample) / fmt::format("p{:04}", sample) /
           "rendering";
}

fs::path SmallDataSet::truth(std::size_t sample) const {
    return root_ / "gt" / (names_[sample] + ".dat");
}

void SmallDataSet::addLines(const std::vector<std::string>& lines) const {
    std::ofstream stream(list(), std::ios::app);
    for (const std::string& line : lines) stream << line << '\n';
}

RunDescription smallRun(const fs::path& list, Shard shard) {
    const EvaluationList read = readEvaluationList(list);
    RunDescription description;
    description.identity.version = "1";
    description.identity.listHash = read.hash;
    description.identity.listSize = read.entries.size();
    description.identity.modelHash = "fake";
    description.identity.sampler = "bilinear-each";
    description.identity.backend = "cpu";
    description.identity.precision = "float32";
    description.identity.measures.views = {0, 1, 2};
    description.identity.measures.protocols = {Protocol::published};
    description.shard = shard;
    description.list = read.source;
    description.startedAt = "2026-01-01T00:00:00Z";
    return description;
}

std::vector<std::pair<std::string, std::string>> contentsOf(const fs::path& folder) {
    std::vector<std::pair<std::string, std::string>> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (!entry.is_regular_file()) continue;
        std::ifstream stream(entry.path(), std::ios::binary);
        files.emplace_back(fs::relative(entry.path(), folder).string(),
                           std::string(std::istreambuf_iterator<char>(stream), {}));
    }
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace threefold::test
