#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "app/describe/describers.h"
#include "engine/error.h"
#include "engine/formats/pictures/image.h"
#include "engine/sample/ground_truth.h"
#include "engine/sample/sample.h"

namespace threefold {
namespace {

std::string pointText(glm::dvec3 p) {
    return fmt::format("({:.4f}, {:.4f}, {:.4f})", p.x, p.y, p.z);
}

std::string lensText(const Lens& lens) {
    std::string text =
        fmt::format("{} × {} pixels, focal length {:.5g}", lens.width, lens.height, lens.focalX);
    if (lens.focalY != lens.focalX) text += fmt::format(" × {:.5g}", lens.focalY);
    text += fmt::format(", centre {:.5g}, {:.5g}", lens.centreX, lens.centreY);
    if (lens.distorts()) text += ", distorted";
    return text;
}

void addPosedPhotos(Description& description, const PosedPhotos& own) {
    auto& facts = description.facts;
    facts.emplace_back("cameras", fmt::format("{} ({})", own.file.string(), own.format));
    facts.emplace_back("object centre", pointText(*own.frame.place.centre));
    facts.emplace_back("object size",
                       fmt::format("{:.4g}, diagonal of its box", *own.frame.place.size));
    facts.emplace_back("up", pointText(*own.frame.place.up));
    facts.emplace_back(
        "scale", fmt::format("1 unit of its world is {:.4g} of ShapeNet's", own.frame.world.scale));
    int number = 0;
    for (const std::string& note : own.frame.notes)
        facts.emplace_back(fmt::format("assumed {}", ++number), note);
    std::size_t usable = 0;
    for (std::size_t i = 0; i < own.views.size(); ++i) {
        const PosedPhoto& view = own.views[i];
        usable += view.problem.empty() ? 1 : 0;
        facts.emplace_back(
            fmt::format("view {:02}", i),
            fmt::format("{}, {}, at {}; azimuth {:.3f}°, elevation {:.3f}°, distance {:.4f}{}",
                        view.photo.name, lensText(view.photo.lens),
                        pointText(view.photo.camera.origin), view.row.azimuth, view.row.elevation,
                        view.row.distance,
                        view.problem.empty() ? "" : "; cannot be used: " + view.problem));
    }
    facts.emplace_back("agreement", fmt::format("the cameras agree; {} of {} views can be used",
                                                usable, own.views.size()));
}

}  // namespace

Description describeCameras(const std::filesystem::path& file, const InspectOptions& options) {
    if (!isCameraFileName(file))
        throw NotThisFormat({file.string(), "", "not the name of a file of cameras", ""});
    return describeSample(file, options);
}

Description describeSample(const std::filesystem::path& folder, const InspectOptions&) {
    const Sample sample = findSample(folder);
    Description description{"sample", {}, {}};
    auto& facts = description.facts;
    facts.emplace_back("name", sample.name());
    facts.emplace_back("views", std::to_string(sample.viewCount()));
    if (std::string missing = missingImages(sample); !missing.empty())
        facts.emplace_back("missing", std::move(missing));
    if (sample.photos) {
        addPosedPhotos(description, *sample.photos);
    } else {
        // findSample() refuses a sample without any.
        const Image first = readImage(
            *std::ranges::find_if(sample.images, [](const auto& image) { return !image.empty(); }));
        facts.emplace_back("first image", fmt::format("{} × {} pixels", first.width, first.height));
        facts.emplace_back("rendering folder", sample.renderingFolder.string());
    }
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
