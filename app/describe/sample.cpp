#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "app/describe/describers.h"
#include "engine/error.h"
#include "engine/formats/pictures/image.h"
#include "engine/formats/pictures/photograph.h"
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
    description.fact("cameras", "{} ({})", own.file.string(), own.format);
    description.fact("object centre", "{}", pointText(*own.frame.place.centre));
    description.fact("object size", "{:.4g}, diagonal of its box", *own.frame.place.size);
    description.fact("up", "{}", pointText(*own.frame.place.up));
    description.fact("scale", "1 unit of its world is {:.4g} of ShapeNet's", own.frame.world.scale);
    int number = 0;
    for (const std::string& note : own.frame.notes)
        description.fact(fmt::format("assumed {}", ++number), "{}", note);
    std::size_t usable = 0;
    for (std::size_t i = 0; i < own.views.size(); ++i) {
        const PosedPhoto& view = own.views[i];
        usable += view.problem.empty() ? 1 : 0;
        description.fact(fmt::format("view {:02}", i),
                         "{}, {}, at {}; azimuth {:.3f}°, elevation {:.3f}°, distance {:.4f}{}",
                         view.photo.name, lensText(view.photo.lens),
                         pointText(view.photo.camera.origin), view.row.azimuth, view.row.elevation,
                         view.row.distance,
                         view.problem.empty() ? "" : "; cannot be used: " + view.problem);
    }
    description.fact("agreement", "the cameras agree; {} of {} views can be used", usable,
                     own.views.size());
}

}  // namespace

Description describeCameras(const std::filesystem::path& file, Ranges wanted) {
    if (!isCameraFileName(file))
        throw NotThisFormat({file.string(), "", "not the name of a file of cameras", ""});
    return describeSample(file, wanted);
}

Description describeSample(const std::filesystem::path& folder, Ranges) {
    const Sample sample = findSample(folder);
    Description description{"sample", {}, {}};
    description.fact("name", "{}", sample.name());
    description.fact("views", "{}", sample.viewCount());
    if (std::string missing = missingImages(sample); !missing.empty())
        description.fact("missing", "{}", std::move(missing));
    const auto masks = std::ranges::count_if(sample.images, [](const auto& image) {
        return !image.empty() && !maskFileOf(image).empty();
    });
    if (masks > 0) description.fact("masks", "beside {} of them", masks);
    if (sample.photos) {
        addPosedPhotos(description, *sample.photos);
    } else {
        // findSample() refuses a sample without any.
        const auto& first =
            *std::ranges::find_if(sample.images, [](const auto& image) { return !image.empty(); });
        const Image image = readImage(first);
        description.fact("first image", "{} × {} pixels", image.width, image.height);
        addCameraNotes(description, readImageHead(first));
        description.fact("rendering folder", "{}", sample.renderingFolder.string());
    }
    if (sample.groundTruth.empty()) {
        description.fact("ground truth", "none");
    } else {
        const GroundTruth truth = readGroundTruth(sample.groundTruth);
        description.fact("ground truth", "{}, {} points{}, in the space of view {}",
                         sample.groundTruth.string(), truth.points.size(),
                         truth.normals.empty() ? "" : " with normals", sample.groundTruthView);
    }
    return description;
}

}  // namespace threefold
