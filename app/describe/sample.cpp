#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/ranges.h>

#include "app/describe/describers.h"
#include "engine/error.h"
#include "engine/evaluation/list/evaluation_list.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/folders.h"
#include "engine/formats/pictures/image.h"
#include "engine/formats/pictures/image_info.h"
#include "engine/formats/pictures/mask_paths.h"
#include "engine/formats/pictures/photograph.h"
#include "engine/formats/text/text_encoding.h"
#include "engine/masks/contradicting_masks.h"
#include "engine/sample/ground_truth.h"
#include "engine/sample/sample.h"
#include "engine/sample/sample_views.h"
#include "engine/sample/test_list.h"
#include "engine/sample/view_files.h"
#include "engine/views/camera.h"

namespace threefold {
namespace {

std::string pointText(glm::dvec3 p) {
    return fmt::format("({:.4f}, {:.4f}, {:.4f})", p.x, p.y, p.z);
}

std::string lensText(const Lens& lens) {
    std::string text =
        fmt::format("{} × {} pixels, focal length {:.5g}", lens.width, lens.height, lens.focalX);
    if (lens.focalY != lens.focalX) text += fmt::format(" × {:.5g}", lens.focalY);
    text += fmt::format(", centre {:.5g}, {:.5g}", lens.principalX, lens.principalY);
    if (lens.hasDistortion()) text += ", distorted";
    return text;
}

/// Why a view cannot be used; empty if it can.
std::string problemOf(const PosedPhoto& view) {
    if (!view.problem.empty() || view.photo.image.empty()) return view.problem;
    try {
        return maskSizeProblem(view.photo.image, view.photo.mask);
    } catch (const Error& error) {
        return fmt::format("its mask {} {}", error.report().subject, error.report().problem);
    }
}

void addPosedPhotos(Description& description, const PosedPhotos& photos) {
    description.addFact("cameras", "{} ({})", photos.file.string(), photos.format);
    description.addFact("object centre", "{}", pointText(*photos.frame.placement.centre));
    description.addFact("object size", "{:.4g}, diagonal of its box", *photos.frame.placement.size);
    description.addFact("up", "{}", pointText(*photos.frame.placement.up));
    description.addFact("scale", "1 unit of the photographs' world is {:.4g} object units",
                        photos.frame.photosToObjectSpace.scale);
    int number = 0;
    for (const std::string& note : photos.frame.notes)
        description.addFact(fmt::format("assumed {}", ++number), "{}", note);
    std::size_t usable = 0;
    for (std::size_t i = 0; i < photos.views.size(); ++i) {
        const PosedPhoto& view = photos.views[i];
        const std::string problem = problemOf(view);
        usable += problem.empty() ? 1 : 0;
        description.addFact(fmt::format("view {:02}", i),
                            "{}, {}, at {}; azimuth {:.3f}°, elevation {:.3f}°, distance {:.4f}{}",
                            view.photo.name, lensText(view.photo.lens),
                            pointText(view.photo.pose.centre), view.row.azimuth, view.row.elevation,
                            view.row.distance,
                            problem.empty() ? "" : "; cannot be used: " + problem);
    }
    description.addFact("usable", "{} of {} views", usable, photos.views.size());
}

/// Text with the views of the masks: "view 3", "views 3, 5".
std::string viewsText(const std::vector<ContradictingMask>& masks) {
    std::vector<std::string> numbers;
    for (const ContradictingMask& mask : masks) numbers.push_back(std::to_string(mask.view));
    return fmt::format("view{} {}", masks.size() == 1 ? "" : "s", fmt::join(numbers, ", "));
}

/// Counts lines of a list and keeps the names of the first ten.
class LineCount {
  public:
    void add(const ListedName& listed) {
        constexpr std::size_t kMaxNamed = 10;
        if (++count_ <= kMaxNamed)
            named_.push_back(fmt::format("line {} '{}'", listed.line, shortened(listed.name)));
    }
    void addTo(Description& description, const char* fact) const {
        if (count_ == 0) return;
        description.addFact(fact, "{}: {}{}", count_, fmt::join(named_, ", "),
                            count_ > named_.size() ? ", …" : "");
    }

  private:
    std::size_t count_ = 0;
    std::vector<std::string> named_;
};

}  // namespace

Description describeCameras(const std::filesystem::path& file, RangeSelection ranges) {
    if (!isCameraFileName(file))
        throw NotThisFormat({file.string(), "", "is not the name of a camera file", ""});
    return describeSample(file, ranges);
}

Description describeSample(const std::filesystem::path& folder, RangeSelection) {
    const Sample sample = findSample(folder);
    Description description{"sample", {}, {}};
    description.addFact("name", "{}", sample.name());
    description.addFact("views", "{}", sample.viewCount());
    if (std::string missing = missingImagesText(sample); !missing.empty())
        description.addFact("missing", "{}", std::move(missing));
    std::size_t masks = 0;
    for (std::size_t view = 0; view < sample.viewCount(); ++view)
        masks += maskFileOf(sample, static_cast<int>(view)).empty() ? 0 : 1;
    if (masks > 0) description.addFact("masks", "for {} of them", masks);
    if (sample.photos) {
        addPosedPhotos(description, *sample.photos);
        const std::vector<ContradictingMask> contradicting = findContradictingMasks(sample, {});
        for (const ContradictingMask& mask : contradicting)
            description.addFact(fmt::format("doubtful mask {:02}", mask.view), "{}: {}",
                                mask.photograph.filename().string(), mask.reason);
        const bool isEstimated = std::ranges::any_of(
            sample.photos->frame.notes,
            [](const std::string& note) { return note.starts_with("The object's "); });
        if (!contradicting.empty() && isEstimated)
            description.addFact("doubtful object",
                                "{} {} a wrong mask or camera; the object's centre and size were "
                                "estimated from {} and may be wrong",
                                viewsText(contradicting),
                                contradicting.size() == 1 ? "has" : "have",
                                contradicting.size() == 1 ? "it" : "them");
    } else {
        // findSample() refuses a sample without images.
        const auto& first =
            *std::ranges::find_if(sample.images, [](const auto& image) { return !image.empty(); });
        const Image image = readImage(first);
        description.addFact("first image", "{} × {} pixels", image.width, image.height);
        addCameraNotes(description, readImageInfo(first));
        description.addFact("rendering folder", "{}", sample.folder.string());
    }
    if (!sample.truth) {
        description.addFact("ground truth", "none");
    } else {
        const GroundTruth truth = readGroundTruth(sample.truth->file);
        description.addFact("ground truth", "{}, {} points{}, in the space of view {}",
                            sample.truth->file.string(), truth.points.size(),
                            truth.normals.empty() ? "" : " with normals", sample.truthView);
    }
    return description;
}

Description describeTestList(const std::filesystem::path& file, RangeSelection) {
    const auto notATestList = [&] {
        return NotThisFormat({file.string(), "", "no line names an existing sample", ""});
    };
    if (!isTestList(file)) throw notATestList();
    std::vector<ListedName> names;
    try {
        names = readTestList(file);
    } catch (const FormatError&) {
        throw notATestList();  // not text: another reader may recognise its bytes
    }
    std::map<std::string, std::size_t> categories;
    std::map<std::string, std::size_t> seen;
    const std::filesystem::path folder = absolutePath(file).parent_path();
    std::size_t paths = 0;
    std::size_t found = 0;
    LineCount missing;
    LineCount repeated;
    for (const ListedName& listed : names) {
        const std::string& name = listed.name;
        if (++seen[name] > 1) repeated.add(listed);
        if (name.ends_with(".dat")) {
            ++categories[name.substr(0, std::min(name.find('_'), name.size()))];
            continue;
        }
        ++paths;
        if (pathExists(listedLocation(name, folder)))
            ++found;
        else
            missing.add(listed);
    }
    // Any text file has lines: it is a test list only if a line names a truth file or an existing
    // path.
    if (categories.empty() && found == 0) throw notATestList();
    Description description{"test list", {}, {}};
    description.addFact("samples", "{}", names.size());
    if (paths > 0) description.addFact("paths", "{}", paths);
    missing.addTo(description, "not found");
    repeated.addTo(description, "named again");
    constexpr std::size_t kMaxCategories = 100;
    for (const auto& [category, count] : categories) {
        if (description.entries.size() == kMaxCategories) break;
        description.entries.emplace_back(category, std::to_string(count));
    }
    return description;
}

namespace {

/// Camera rows of a file that was not recognised as a test list. Throws FormatError for a file
/// without rows; otherwise throws as readRenderingMetadata() does. Unless the file is named
/// rendering_metadata.txt, the remedy of a FormatError also describes test lists, since the file
/// may have been meant as a test list.
std::vector<CameraRow> cameraRowsOf(const std::filesystem::path& file) {
    constexpr const char* kListRemedy =
        "A list of samples is UTF-8 with one name or path of an existing sample a line.";
    try {
        std::vector<CameraRow> rows = readRenderingMetadata(file);
        if (rows.empty())
            throw FormatError({file.string(), "", "is empty: it names neither samples nor cameras",
                               "Write one name a line, or copy the file again."});
        return rows;
    } catch (const FormatError& error) {
        if (file.filename() == kMetadataName) throw;
        ErrorReport report = error.report();
        report.remedy += (report.remedy.empty() ? "" : " ") + std::string(kListRemedy);
        throw FormatError(report);
    }
}

}  // namespace

Description describeMetadata(const std::filesystem::path& file, RangeSelection) {
    // Any file with five numbers per line would match, so the extension decides.
    if (file.extension() != ".txt") throw NotThisFormat({file.string(), "", "not named .txt", ""});
    Description description{"rendering metadata", {}, {}};
    int view = 0;
    const std::vector<CameraRow> rows = cameraRowsOf(file);
    description.addFact("views", "{}", rows.size());
    for (const CameraRow& row : rows)
        description.addFact(fmt::format("view {:02}", view++),
                            "azimuth {:.3f}°, elevation {:.3f}°, distance {:.4f}", row.azimuth,
                            row.elevation, row.distance);
    return description;
}

}  // namespace threefold
