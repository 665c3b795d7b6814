#include <fmt/format.h>

#include "app/inspect/describers.h"
#include "engine/formats/image.h"
#include "engine/sample/ground_truth.h"
#include "engine/sample/sample.h"

namespace threefold {

Description describeSample(const std::filesystem::path& folder, const InspectOptions&) {
    const Sample sample = findSample(folder);
    Description description{"sample", {}, {}};
    auto& facts = description.facts;
    facts.emplace_back("name", sample.name());
    facts.emplace_back("views", std::to_string(sample.viewCount()));
    const Image first = readImage(sample.images.front());
    facts.emplace_back("first image", fmt::format("{} × {} pixels", first.width, first.height));
    facts.emplace_back("rendering folder", sample.renderingFolder.string());
    if (sample.groundTruth.empty()) {
        facts.emplace_back("ground truth", "none");
    } else {
        const GroundTruth truth = readGroundTruth(sample.groundTruth);
        facts.emplace_back(
            "ground truth",
            fmt::format("{}, {} points{}, in the space of view {}", sample.groundTruth.string(),
                        truth.points.size(), truth.normals.empty() ? "" : " with normals",
                        sample.groundTruthView));
    }
    return description;
}

}  // namespace threefold
