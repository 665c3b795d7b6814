#include "app/reconstruct/request.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <fstream>
#include <memory>
#include <system_error>
#include <utility>

#include <fmt/ranges.h>
#include <unistd.h>

#include "app/configuration/configuration.h"
#include "app/configuration/number_range.h"
#include "app/options/add_option.h"
#include "app/options/given_samples.h"
#include "engine/error.h"
#include "engine/formats/bytes/file_bytes.h"
#include "engine/formats/bytes/write_file.h"
#include "engine/formats/meshes/mesh_formats.h"
#include "engine/sample/sample.h"
#include "engine/text.h"
#include "engine/texturing/bake_texture.h"
#include "engine/views/network_input.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void throwNotWritable(const fs::path& folder, const std::string& reason) {
    throw IoError({folder.string(), "", "cannot be used for results: " + reason,
                   "Choose another folder with -o, one that you may write to."});
}

}  // namespace

namespace {

/// Words of --surface.
constexpr FitSurface kSurfaces[] = {FitSurface::automatic, FitSurface::network, FitSurface::hull,
                                    FitSurface::depth};

/// The options of the third stage, combined in any order.
struct FitWords {
    std::optional<FitRequest> combined;  ///< --fit, or the configuration; none: off
    std::optional<FitRequest> views;     ///< --fit-views
    bool off = false;                    ///< --fit-views off
    std::string surfaceWord;
    std::optional<FitSurface> surface;
    bool colour = false;

    std::optional<FitRequest> together() const {
        if (off) return std::nullopt;
        std::optional<FitRequest> fit = combined;
        if (!fit && (views || surface || colour)) fit = FitRequest{FitRequest::Kind::byDefault};
        if (views) {
            fit->kind = views->kind;
            fit->number = views->number;
        }
        if (surface) fit->from = *surface;
        if (colour) fit->colour = true;
        return fit;
    }
};

FitRequest onlyViews(const std::string& word) {
    if (word.find('+') != word.npos)
        throw UsageError({"--fit-views", word, "names more than views",
                          "Use auto, off, chosen, all, or a number of 1 or more."});
    return fitRequestFromName(word);
}

}  // namespace

CLI::Option* addSurface(CLI::App& command, std::string& word) {
    std::vector<std::string> names;
    for (const FitSurface surface : kSurfaces) names.emplace_back(surfaceName(surface));
    return addValue(
               command, "--surface", word, fmt::format("{}", fmt::join(names, "|")),
               "Surface of the fitted mesh: network (its mesh, moved), hull (of the "
               "photographs, with hollows), depth (the hull, moved to where photographs "
               "agree), or auto, the default (network or, with six photographs or more, hull, "
               "whichever agrees better with photographs left out; of your own photographs, depth "
               "moves the hull); hull, depth and auto fit to all photographs unless --fit-views "
               "says otherwise")
        ->check(CLI::IsMember(names));
}

void addFit(CLI::App& command, std::optional<FitRequest>& fit) {
    const auto words = std::make_shared<FitWords>();
    addSettingWord(command, setting::fit,
                   [&fit, words](const std::string& word) {
                       words->combined.reset();
                       if (word != "off")
                           words->combined = word.empty() ? FitRequest{} : fitRequestFromName(word);
                       fit = words->together();
                   })
        ->expected(0, 1)
        ->group("");  // the options below, joined in one word: hidden
    command
        .add_option_function<std::string>(
            "--fit-views",
            [&fit, words](const std::string& word) {
                words->off = word == "off";
                words->views.reset();
                if (!words->off) words->views = onlyViews(word);
                fit = words->together();
            },
            fmt::format(
                "A third stage: fit a mesh to these photographs: chosen (those of --views), "
                "all, or N spread evenly; off: to none; auto, the default: to all, if they "
                "are {} or more of your own, with {} vertices",
                kMinViewsForHull, kHullVertices))
        ->option_text("auto|off|chosen|all|N");
    addSurface(command, words->surfaceWord)->each([&fit, words](const std::string& word) {
        words->surface = surfaceFromName(word);
        fit = words->together();
    });
    command.add_flag_function(
        "--fit-colour",
        [&fit, words](std::int64_t times) {
            words->colour = times > 0;
            fit = words->together();
        },
        "Fit to the photographs' colours as well: for textured objects, twice as slow");
}

void addFittedVertices(CLI::App& command, std::size_t& vertices, const char* what) {
    addValue(
        command, "--vertices", vertices, "N",
        fmt::format("{}: within 10 % for a hull, else about as many, by splitting the "
                    "network's faces in four; {} to {}; default: {} of a "
                    "hull, of your own photographs, and with auto of 6 to 12 photographs, else "
                    "those of the network's mesh",
                    what, kMinFitVertices, kMaxFitVertices, kHullVertices))
        ->check(numberValidator(NumberRange::count(kMinFitVertices, kMaxFitVertices)));
}

bool isDefaultFit(const FitRequest& fit) {
    FitRequest defaultFit{FitRequest::Kind::byDefault};
    defaultFit.vertices = fit.vertices;
    return fit == defaultFit;
}

bool mayBePhotographs(const fs::path& sample) {
    if (isCameraFileName(sample)) return true;
    return !cameraFileIn(isFile(sample) ? sample.parent_path() : sample).empty();
}

bool mayFit(const std::optional<FitRequest>& fit, std::span<const NamedSample> samples) {
    if (!fit || !isDefaultFit(*fit)) return fit.has_value();
    return std::ranges::any_of(samples, mayBePhotographs, &NamedSample::name);
}

std::string defaultFitNote(std::string_view photographs, std::size_t vertices) {
    return fmt::format(
        "A mesh is fitted to all {}, about {} vertices, as there are {} or more of your own; "
        "'--fit-views off' leaves that out.",
        photographs, vertices, kMinViewsForHull);
}

void addTexture(CLI::App& command, int& side) {
    const auto take = [&side](const std::string& word) {
        side = word.empty() ? kDefaultTexels : numberFrom<int>(word).value_or(0);
        if (side < kMinTexels || side > kMaxTexels)
            throw UsageError({"--texture", word, "is no number of pixels for a texture's side",
                              fmt::format("Give {} to {}, or nothing: then it is {}.", kMinTexels,
                                          kMaxTexels, kDefaultTexels)});
    };
    command
        .add_option_function<std::string>(
            "--texture", take,
            fmt::format("The sample's photographs on each mesh, in obj, glb and gltf, as a picture "
                        "of so many pixels a side: {} to {}; default {}",
                        kMinTexels, kMaxTexels, kDefaultTexels))
        ->option_text("[PIXELS]")
        ->expected(0, 1);
}

void addTruthSpace(CLI::App& command, TruthSpace& space) {
    addSettingWord(command, setting::truthSpace,
                   [&space](const std::string& word) { space = truthSpaceFromName(word); });
}

std::string viewCountWarning(std::size_t views) {
    if (views == 0 || views == kPublishedViews.size()) return {};
    return fmt::format("{} views: the model was trained with {}; expect a rougher mesh", views,
                       kPublishedViews.size());
}

std::string withoutTexture(const ReconstructRequest& request) {
    if (request.texture == 0) return {};
    std::vector<std::string> unsupported = request.formats;
    std::erase_if(unsupported, [](const std::string& format) {
        return infoOf(meshFormatFromExtension(format).value()).carriesTextures;
    });
    if (unsupported.empty()) return {};
    const std::string names = fmt::format("{}", fmt::join(unsupported, ", "));
    const std::string carriers = meshFormatNames(" and ", mesh_format_filters::withTextures);
    if (unsupported.size() == request.formats.size())
        throw UsageError({"--texture", names, "carries no texture",
                          fmt::format("Add obj or glb to --format: {} do.", carriers)});
    return fmt::format("{}: written without the texture, which {} carry", names, carriers);
}

void checkObject(const ObjectPlacement& object) {
    const auto finite = [](const std::optional<glm::dvec3>& v) {
        return !v || (std::isfinite(v->x) && std::isfinite(v->y) && std::isfinite(v->z));
    };
    if (!finite(object.centre))
        throw UsageError({"--object-centre", "", "is not finite", "Give three numbers."});
    if (object.size && !(std::isfinite(*object.size) && *object.size > 0))
        throw UsageError({"--object-size", fmt::format("{:g}", *object.size), "is not above zero",
                          "Give the diagonal of the object's bounding box."});
    if (!finite(object.up) || (object.up && *object.up == glm::dvec3(0.0)))
        throw UsageError({"--object-up", "", "has no direction", "Give it as 0,0,1 for example."});
}

OutputFolder::OutputFolder(fs::path folder) : folder_(std::move(folder)) {
    std::error_code failure;
    for (fs::path part = folder_; !part.empty() && !fs::exists(part, failure) && !failure;
         part = part.parent_path())
        if (part.has_filename()) createdFolders_.push_back(part);
    fs::create_directories(folder_, failure);
    if (failure) throwNotWritable(folder_, failure.message());
    if (!fs::is_directory(folder_, failure)) throwNotWritable(folder_, "it is not a folder");
    if (access(folder_.c_str(), W_OK | X_OK) != 0)
        throwNotWritable(folder_, std::generic_category().message(errno));
}

OutputFolder::~OutputFolder() {
    removeIfEmpty();
}

void OutputFolder::removeIfEmpty() const {
    for (const fs::path& part : createdFolders_) {
        std::error_code
            notEmpty;  // a folder that is not empty holds results, and so do its parents
        fs::remove(part, notEmpty);
        if (notEmpty) return;
    }
}

void requireReplaceable(const std::string& option, const std::filesystem::path& file,
                        std::string_view beginning, const std::string& kind) {
    if (file.empty()) return;
    requireWritable(file);
    std::error_code missing;
    if (std::filesystem::file_size(file, missing) == 0 || missing) return;
    std::string begins(beginning.size(), '\0');
    std::ifstream(file, std::ios::binary)
        .read(begins.data(), static_cast<std::streamsize>(begins.size()));
    if (begins == beginning) return;
    throw UsageError({option, file.string(), "exists, and is not " + kind,
                      "Name another file, or remove this one if it is not needed."});
}

}  // namespace threefold
