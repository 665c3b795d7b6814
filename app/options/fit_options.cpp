#include "app/options/fit_options.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/ranges.h>

#include "app/configuration/bind_settings.h"
#include "app/configuration/number_range.h"
#include "app/configuration/setting.h"
#include "app/options/add_option.h"
#include "engine/error.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/sample/posed_photos/camera_file.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

/// Words of --surface.
constexpr FitSource kSources[] = {FitSource::automatic, FitSource::network, FitSource::hull,
                                  FitSource::depth};

/// Options of the third stage, in any combination.
struct FitWords {
    std::optional<FitRequest> combined;  ///< --fit, or the configuration; nullopt: off
    std::optional<FitRequest> views;     ///< --fit-views
    bool off = false;                    ///< --fit-views off
    std::string surfaceWord;
    std::optional<FitSource> source;
    bool colour = false;
    std::optional<std::size_t> vertices;

    std::optional<FitRequest> together() const {
        if (off) return std::nullopt;
        std::optional<FitRequest> fit = combined;
        if (!fit && (views || source || colour)) fit = FitRequest{};
        if (views) fit->views = views->views;
        if (source) fit->source = source;
        if (colour) fit->photometric = true;
        if (fit && vertices) fit->vertices = vertices;
        return fit;
    }
};

FitRequest onlyViews(const std::string& word) {
    if (word.find('+') != word.npos)
        throw UsageError({"--fit-views", word, "names more than views",
                          "Use auto, off, chosen, all, or a number of 1 or more."});
    return fitRequestFromName(word);
}

/// Adds addFit()'s options. Returns the words, which set `fit`.
std::shared_ptr<FitWords> addFitWords(CLI::App& command, std::optional<FitRequest>& fit) {
    const auto words = std::make_shared<FitWords>();
    addSettingWord(command, setting::fit,
                   [&fit, words](const std::string& word) {
                       words->combined.reset();
                       if (word != "off")
                           words->combined = word.empty()
                                                 ? FitRequest{FitViews{FitViews::Kind::chosen}}
                                                 : fitRequestFromName(word);
                       fit = words->together();
                   })
        ->expected(0, 1)
        ->group("");  // hidden: joins the options below in one word
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
                "Photographs to fit a mesh to, as a third stage: chosen (those of --views), all, "
                "N (spread evenly), off (no fit), or auto, the default: all, if there are {} or "
                "more photographs of your own, then with {} vertices",
                kMinViewsForHull, kDefaultHullVertices))
        ->option_text("auto|off|chosen|all|N");
    addSurface(command, words->surfaceWord)->each([&fit, words](const std::string& word) {
        words->source = fitSourceFromName(word);
        fit = words->together();
    });
    command.add_flag_function(
        "--fit-colour",
        [&fit, words](std::int64_t times) {
            words->colour = times > 0;
            fit = words->together();
        },
        "Fit to the photographs' colours as well: for textured objects, twice as slow");
    return words;
}

}  // namespace

CLI::Option* addSurface(CLI::App& command, std::string& word) {
    std::vector<std::string> names;
    for (const FitSource surface : kSources) names.emplace_back(fitSourceName(surface));
    return addValue(
               command, "--surface", word, fmt::format("{}", fmt::join(names, "|")),
               "Surface of the fitted mesh: network (the network's mesh, moved), hull (the visual "
               "hull of the photographs, with hollows), depth (the hull, moved to where "
               "photographs "
               "agree), or auto, the default: network, or with six photographs or more the hull if "
               "it agrees better with photographs left out; depth then moves a hull of your own "
               "photographs. hull, depth and auto fit to all photographs unless --fit-views says "
               "otherwise")
        ->check(CLI::IsMember(names));
}

void addFit(CLI::App& command, std::optional<FitRequest>& fit) {
    addFitWords(command, fit);
}

void addFitWithVertices(CLI::App& command, std::optional<FitRequest>& fit,
                        std::optional<std::size_t>& vertices, const char* help) {
    const auto words = addFitWords(command, fit);
    const auto take = [&fit, &vertices, words](std::size_t count) {
        vertices = words->vertices = count;
        fit = words->together();
    };
    addFittedVertices(command, take, help);
}

void addFittedVertices(CLI::App& command, const std::function<void(std::size_t)>& take,
                       const char* help) {
    command
        .add_option_function<std::size_t>(
            "--vertices", take,
            fmt::format(
                "{}, {} to {}: within 10 % for a hull, else approximately, by splitting the "
                "network's faces in four. Default: {} for a hull, for your own photographs, "
                "and for auto with 6 to 12 photographs; otherwise as many as the network's "
                "mesh has",
                help, kMinFitVertices, kMaxFitVertices, kDefaultHullVertices))
        ->option_text("N")
        ->check(numberValidator(NumberRange::wholeNumber(kMinFitVertices, kMaxFitVertices)));
}

void requireFit(const std::optional<FitRequest>& fit, std::optional<std::size_t> vertices) {
    if (fit || !vertices) return;
    throw UsageError(
        {"--vertices", std::to_string(*vertices), "no mesh is fitted", "Add --fit-views all."});
}

bool isDefaultFit(const FitRequest& fit) {
    FitRequest defaultFit;
    defaultFit.vertices = fit.vertices;
    return fit == defaultFit;
}

bool mayBePhotographs(const fs::path& sample) {
    if (isCameraFileName(sample)) return true;
    return !cameraFileIn(isFile(sample) ? sample.parent_path() : sample).empty();
}

bool mayFit(const std::optional<FitRequest>& fit, std::span<const SampleArgument> samples) {
    if (!fit || !isDefaultFit(*fit)) return fit.has_value();
    return std::ranges::any_of(samples, mayBePhotographs, &SampleArgument::location);
}

std::string defaultFitNote(std::string_view photographs, std::size_t vertices) {
    return fmt::format(
        "Fits a mesh of about {} vertices to all {}, the default for {} or more of your own; "
        "'--fit-views off' skips the fit.",
        vertices, photographs, kMinViewsForHull);
}

}  // namespace threefold
