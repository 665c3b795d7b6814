#include "engine/structure_from_motion/colmap.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <tuple>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/file_descriptor.h"
#include "engine/formats/files/folders.h"
#include "engine/formats/files/write_file.h"
#include "engine/system/child_process.h"
#include "engine/text.h"

namespace threefold::structure_from_motion {
namespace {

namespace fs = std::filesystem;
using ColmapWords = std::vector<std::string>;
/// Name and value of an option of COLMAP's command line.
using ColmapArgument = std::pair<std::string, std::string>;

/// Options that COLMAP renamed: old and new names. COLMAP 3.13 renamed those that are not specific
/// to SIFT features, a later version also max_image_size. COLMAP fails on an unknown option.
constexpr std::pair<std::string_view, std::string_view> kRenamedOptions[] = {
    {"SiftExtraction.use_gpu", "FeatureExtraction.use_gpu"},
    {"SiftExtraction.max_image_size", "FeatureExtraction.max_image_size"},
    {"SiftExtraction.num_threads", "FeatureExtraction.num_threads"},
    {"SiftMatching.use_gpu", "FeatureMatching.use_gpu"},
};

/// Name that an option of COLMAP 3.8 has in the version whose help text is `help`.
std::string nameInHelp(const std::string& name, std::string_view help) {
    const auto* const renamed = std::ranges::find(
        kRenamedOptions, name, &std::pair<std::string_view, std::string_view>::first);
    if (renamed == std::end(kRenamedOptions)) return name;
    const bool moved = help.find(fmt::format("--{} ", renamed->second)) != std::string_view::npos;
    return std::string(moved ? renamed->second : renamed->first);
}

/// Words of a COLMAP command line. `help`: help text of the command in the installed version.
ColmapWords colmapWords(const char* command, const std::vector<ColmapArgument>& options,
                        std::string_view help) {
    ColmapWords words = {command};
    for (const auto& [name, value] : options) {
        words.push_back("--" + nameInHelp(name, help));
        words.push_back(value);
    }
    return words;
}

/// Extension under which COLMAP can read the photograph itself; empty if COLMAP needs an upright
/// copy: of a file other than JPEG and PNG of 8 bits (COLMAP reads HEIC and 16 bits a channel
/// unreliably); of a mirrored photograph, as no pose is mirrored; of a rotated photograph with a
/// mask, as masks are upright.
std::string_view extensionForColmap(const ColmapInput& photo) {
    constexpr std::size_t kHeadBytes = 32, kPngDepth = 24;
    std::array<std::byte, kHeadBytes> bytes{};
    const FileDescriptor file =
        openRegularFile(photo.file, O_RDONLY, "cannot be read", "Check the permissions.");
    if (::read(file.get(), bytes.data(), bytes.size()) < static_cast<ssize_t>(bytes.size()))
        return {};
    const std::string_view head = asText(bytes);
    const Exif& exif = photo.info.exif;
    if (exif.isMirrored() || (photo.mask && exif.orientation != 1)) return {};
    if (head.starts_with("\x89PNG") && head[kPngDepth] == 8) return ".png";
    return head.starts_with("\xff\xd8\xff") ? ".jpg" : "";
}

/// Number between `before` and `after` in a line of COLMAP's log; nullopt if the line has another
/// form.
std::optional<std::size_t> numberBetween(std::string_view line, std::string_view before,
                                         std::string_view after) {
    const std::size_t found = line.find(before);
    if (found == std::string_view::npos) return std::nullopt;
    line.remove_prefix(found + before.size());
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    const std::size_t end = after.empty() ? line.find_last_not_of(' ') + 1 : line.find(after);
    if (end == std::string_view::npos) return std::nullopt;
    return parseNumber<std::size_t>(line.substr(0, end));
}

/// Writes a mask as COLMAP reads it: no features are in its black region.
void writeColmapMask(const fs::path& file, const std::optional<Mask>& mask, ImageSize size) {
    constexpr std::uint8_t kWhite = 255;
    Image image{size.width, size.height, {}};
    image.rgba.assign(
        4 * static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height), kWhite);
    if (mask) {
        const Mask full = resized(*mask, size.width, size.height);
        for (std::size_t i = 0; i < full.inside.size(); ++i)
            if (full.inside[i] == 0) std::fill_n(&image.rgba[4 * i], 3, std::uint8_t{0});
    }
    writePng(file, image);
}

class ColmapRun {
  public:
    ColmapRun(std::span<const ColmapInput> photographs, const ColmapOptions& options,
              const std::stop_token& cancel)
        : photographs_(photographs), options_(options), cancel_(cancel) {
        result_.featureCounts.resize(photographs.size());
        result_.log = options.scratchFolder / "colmap.log";
        hasMasks_ = std::ranges::any_of(
            photographs, [](const ColmapInput& photo) { return photo.mask.has_value(); });
    }

    ColmapResult run() {
        preparePictures();
        extractFeatures();
        match();
        reconstruct();
        return std::move(result_);
    }

  private:
    /// Picture that COLMAP gets: a link to the photograph, or an upright copy of it.
    struct PreparedPicture {
        std::string name;  ///< file name in pictures()
        ImageSize size;
    };

    void report(const char* work, std::size_t done) const {
        if (options_.onProgress)
            options_.onProgress(work, std::min(done, photographs_.size()), photographs_.size());
    }

    fs::path pictures() const { return options_.scratchFolder / "images"; }
    fs::path masks() const { return options_.scratchFolder / "masks"; }
    ColmapArgument database() const {
        return {"database_path", (options_.scratchFolder / "database.db").string()};
    }

    void preparePictures() {
        fs::create_directory(pictures());
        if (hasMasks_) fs::create_directory(masks());
        for (std::size_t i = 0; i < photographs_.size(); ++i) {
            if (cancel_.stop_requested()) throw Cancelled();
            report("reading photographs", i);
            const ColmapInput& photo = photographs_[i];
            const std::string_view extension = extensionForColmap(photo);
            const bool usesOriginal = !extension.empty();
            // Pictures are named by their index, since COLMAP's lists and logs break at some
            // characters.
            prepared_.push_back(
                {fmt::format("{:06}{}", i, usesOriginal ? extension : ".png"),
                 photo.info.size(usesOriginal ? PixelOrder::stored : PixelOrder::upright)});
            const fs::path picture = pictures() / prepared_.back().name;
            if (usesOriginal)
                fs::create_symlink(absolutePath(photo.file), picture);
            else
                writePng(picture, readImage(photo.file));
            const PreparedPicture& prepared = prepared_.back();
            if (hasMasks_)
                writeColmapMask(masks() / (prepared.name + ".png"), photo.mask, prepared.size);
        }
    }

    /// Help text of a COLMAP command, which lists its options. COLMAP's version number does not
    /// tell the options: builds between two versions have the number of one and the options of the
    /// other.
    std::string helpOf(const char* name) {
        std::string help;
        command({name, "-h"}, [&](std::string_view line) {
            help += line;
            help += " \n";
        });
        return help;
    }

    /// Runs one of COLMAP's commands. Throws the exceptions of runProgram().
    ProgramResult command(const ColmapWords& words,
                          const std::function<void(std::string_view)>& onLine) {
        return runProgram(options_.program, words, result_.log, onLine, cancel_);
    }

    /// Throws IoError with the log's place unless the command succeeded.
    void expectSuccess(const ColmapWords& words, const ProgramResult& result) const {
        if (!result.status.succeeded()) fail(failureText(words.front(), result));
    }

    [[noreturn]] void fail(const std::string& problem) const {
        std::string remedy;
        try {
            remedy = fmt::format("Its log is {}.", keepLog().string());
        } catch (const Error& error) {
            remedy = fmt::format("Its log could not be kept: {}.", error.report().problem);
        }
        throw IoError({options_.program.string(), "", problem, remedy});
    }

    /// Saves a copy of the log that outlives the run's folder, and returns the copy's path.
    fs::path keepLog() const {
        writeFileAtomically(options_.keptLogFile, readFile(result_.log));
        return options_.keptLogFile;
    }

    void extractFeatures() {
        // Each thread takes half a gigabyte for a picture of kMaxSide pixels a side.
        constexpr unsigned kMaxThreads = 6;
        constexpr const char* kMaxSide = "2000";
        const unsigned threads = std::clamp(std::thread::hardware_concurrency(), 1U, kMaxThreads);
        const std::string help = helpOf("feature_extractor");
        std::size_t done = 0;
        std::size_t current = photographs_.size();
        report("finding features", 0);
        for (const auto& [key, members] : photographsByLens()) {
            std::string list;
            for (const std::size_t i : members) list += prepared_[i].name + '\n';
            const fs::path listFile = options_.scratchFolder / "list.txt";
            writeFileAtomically(listFile, list);
            std::vector<ColmapArgument> options = {
                database(),
                {"image_path", pictures().string()},
                {"image_list_path", listFile.string()},
                {"ImageReader.single_camera", "1"},
                {"ImageReader.camera_model", "SIMPLE_RADIAL"},
                {"SiftExtraction.use_gpu", "0"},
                {"SiftExtraction.max_image_size", kMaxSide},
                {"SiftExtraction.num_threads", std::to_string(threads)}};
            if (const auto& [width, height, focal] = key; focal > 0)
                options.emplace_back("ImageReader.camera_params",
                                     fmt::format("{},{},{},0", focal, width / 2.0, height / 2.0));
            if (hasMasks_) options.emplace_back("ImageReader.mask_path", masks().string());
            const ColmapWords words = colmapWords("feature_extractor", options, help);
            const ProgramResult end = command(words, [&](std::string_view line) {
                if (line.find("Processed file [") != std::string_view::npos)
                    report("finding features", ++done);
                if (const auto index = numberBetween(line, "Name:", ".")) current = *index;
                if (const auto count = numberBetween(line, "Features:", "");
                    count && current < result_.featureCounts.size())
                    result_.featureCounts[current] = *count;
            });
            expectSuccess(words, end);
        }
    }

    /// Width, height and focal length of pictures that share a lens; 0: unknown focal length.
    using LensKey = std::tuple<int, int, double>;

    /// Indices of the photographs of each lens.
    std::map<LensKey, std::vector<std::size_t>> photographsByLens() const {
        std::map<LensKey, std::vector<std::size_t>> groups;
        for (std::size_t i = 0; i < photographs_.size(); ++i) {
            const ImageSize size = prepared_[i].size;
            groups[{size.width, size.height, photographs_[i].focal.value_or(0)}].push_back(i);
        }
        return groups;
    }

    void match() {
        const bool exhaustive = photographs_.size() <= kMaxExhaustivelyMatched;
        // COLMAP logs a line for each pair of blocks; a block has kBlock photographs.
        constexpr std::size_t kBlock = 5;
        const std::size_t blocks = (photographs_.size() + kBlock - 1) / kBlock;
        std::vector<ColmapArgument> options = {database(), {"SiftMatching.use_gpu", "0"}};
        if (exhaustive)
            options.emplace_back("ExhaustiveMatching.block_size", std::to_string(kBlock));
        const char* const matcher = exhaustive ? "exhaustive_matcher" : "sequential_matcher";
        const ColmapWords words = colmapWords(matcher, options, helpOf(matcher));
        std::size_t done = 0;
        report("matching", 0);
        const ProgramResult end = command(words, [&](std::string_view line) {
            // The word is "Matching" until COLMAP 3.11, and "Processing" since.
            if (line.find("ing block [") != std::string_view::npos)
                report("matching", ++done * photographs_.size() / (blocks * blocks));
            if (line.find("ing image [") != std::string_view::npos) report("matching", ++done);
        });
        expectSuccess(words, end);
    }

    void reconstruct() {
        const fs::path models = options_.scratchFolder / "sparse";
        fs::create_directory(models);
        // One thread, so that the sums of a bundle adjustment always have the same order.
        const ColmapWords words = colmapWords("mapper",
                                              {database(),
                                               {"image_path", pictures().string()},
                                               {"output_path", models.string()},
                                               {"Mapper.num_threads", "1"}},
                                              "");
        bool foundNone = false;
        report("finding cameras", 0);
        const ProgramResult end = command(words, [&](std::string_view line) {
            if (line.find("Registering image #") != std::string_view::npos)
                for (const char* before : {"(", "(num_reg_frames="})
                    if (const auto count = numberBetween(line, before, ")"))
                        report("finding cameras", *count);
            if (line.find("failed to create sparse model") != std::string_view::npos)
                foundNone = true;
        });
        if (!foundNone) expectSuccess(words, end);
        for (const fs::path& folder : tryListFolder(models)) {
            if (!isFile(folder / "images.bin")) continue;
            SparseModel model = readSparseModel(folder, photographs_.size());
            ++result_.modelCount;
            const auto measure = [](const SparseModel& one) {
                return std::pair(one.images.size(), one.points.size());
            };
            if (measure(model) > measure(result_.largestModel))
                result_.largestModel = std::move(model);
        }
    }

    std::span<const ColmapInput> photographs_;
    const ColmapOptions& options_;
    const std::stop_token& cancel_;
    std::vector<PreparedPicture> prepared_;  ///< one for each photograph
    ColmapResult result_;
    bool hasMasks_ = false;  ///< whether any photograph has a mask
};

}  // namespace

fs::path colmapProgram() {
    return findExecutable("colmap");
}

ColmapResult runColmap(std::span<const ColmapInput> photographs, const ColmapOptions& options,
                       const std::stop_token& cancel) try {
    return ColmapRun(photographs, options, cancel).run();
} catch (const fs::filesystem_error& error) {
    throwIoError(options.scratchFolder, "cannot be used", error.code().value(),
                 "Free some space there, or let TMPDIR name another folder.");
}

}  // namespace threefold::structure_from_motion
