#include "engine/sample/posed_photos/camera_formats.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/core.h>

#include "engine/error.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/pictures/mask_paths.h"
#include "engine/sample/posed_photos/camera_decoders.h"
#include "engine/text.h"
#include "engine/views/network_input.h"

namespace threefold {
namespace {

using Path = std::filesystem::path;

constexpr const CameraFormat* kFormats[] = {
#define THREEFOLD_ADDRESS(name) &camera_formats::name,
    THREEFOLD_CAMERA_FORMATS(THREEFOLD_ADDRESS)
#undef THREEFOLD_ADDRESS
};

bool isPattern(std::string_view name) {
    return name.find('*') != name.npos;
}

/// Text that the `*` of `pattern` stands for in `name`; nullopt if the pattern does not match.
std::optional<std::string> wildcardMatch(std::string_view pattern, std::string_view name) {
    const std::size_t star = pattern.find('*');
    const std::string_view end = pattern.substr(star + 1);
    const bool fits = name.size() >= pattern.size() && name.starts_with(pattern.substr(0, star)) &&
                      name.ends_with(end);
    if (!fits) return {};
    return std::string(name.substr(star, name.size() - pattern.size() + 1));
}

std::string fileName(std::string_view pattern, const std::string& star) {
    const std::size_t at = pattern.find('*');
    if (at == pattern.npos) return std::string(pattern);
    return fmt::format("{}{}{}", pattern.substr(0, at), star, pattern.substr(at + 1));
}

/// Whether all files of `format` exist below `folder` with this text for `*`, and the first passes
/// CameraFormat::accepts().
bool hasAllFiles(const CameraFormat& format, const Path& folder, const std::string& star) {
    return std::ranges::all_of(
               format.files,
               [&](auto name) { return name.empty() || isFile(folder / fileName(name, star)); }) &&
           (format.accepts == nullptr || format.accepts(folder / fileName(format.files[0], star)));
}

/// Names of a folder's entries, read on first use.
class FolderNames {
  public:
    explicit FolderNames(Path folder) : folder_(std::move(folder)) {}
    const std::vector<std::string>& get() {
        if (!names_) {
            names_.emplace();
            for (const Path& entry : tryListFolder(folder_)) names_->push_back(entry.filename());
        }
        return *names_;
    }

  private:
    Path folder_;
    std::optional<std::vector<std::string>> names_;
};

/// File of `format` to open; empty unless all its files are below `folder`.
Path fileOf(const CameraFormat& format, const Path& folder, FolderNames& names) {
    const Path first(format.files.front());
    if (!isPattern(format.files.front()))
        return hasAllFiles(format, folder, {}) ? folder / first : Path();
    std::vector<std::string> stars;
    const std::string pattern = first.filename();
    FolderNames subfolderNames(folder / first.parent_path());
    FolderNames& searched = first.has_parent_path() ? subfolderNames : names;
    for (const std::string& name : searched.get())
        if (auto star = wildcardMatch(pattern, name)) stars.push_back(std::move(*star));
    // Limits the search in a folder with an XML file for each picture.
    constexpr std::size_t kMaxTried = 16;
    const std::size_t tried = std::min(stars.size(), kMaxTried);
    std::ranges::partial_sort(stars, stars.begin() + static_cast<std::ptrdiff_t>(tried),
                              naturalLess);
    for (std::size_t i = 0; i < tried; ++i)
        if (hasAllFiles(format, folder, stars[i]))
            return folder / fileName(first.string(), stars[i]);
    return {};
}

/// Whether `file` belongs to the format: by its name and, for a pattern, also by the files beside
/// `file`.
bool matchesFormat(const CameraFormat& format, const Path& file) {
    const Path first(format.files.front());
    const std::string name = file.filename();
    if (!isPattern(format.files.front()))
        return std::ranges::find(format.files, name) != format.files.end() && !name.empty();
    const auto star = wildcardMatch(first.filename().string(), name);
    if (!star) return false;
    Path folder = file.parent_path();
    if (first.has_parent_path()) {
        if (folder.filename() != first.parent_path()) return false;
        folder = folder.parent_path();
    }
    return hasAllFiles(format, folder, *star);
}

}  // namespace

std::span<const CameraFormat* const> cameraFormats() {
    return kFormats;
}

Path cameraFileIn(const Path& folder) {
    for (const Path& candidate :
         {folder, folder / "sparse/0", folder / "sparse", folder / kImagesFolder}) {
        FolderNames names(candidate);
        for (const CameraFormat* format : kFormats)
            if (Path file = fileOf(*format, candidate, names); !file.empty()) return file;
    }
    return {};
}

bool isCameraFileName(const Path& file) {
    return file.extension() == ".json" || file.extension() == ".sfm" ||
           std::ranges::any_of(kFormats,
                               [&](const auto* each) { return matchesFormat(*each, file); });
}

CameraFile readJsonCameras(const Path& file) {
    return decodeCameraJson(readFile(file, kMaxSkippedJsonBytes), file);
}

CameraFile decodeCameraJson(std::span<const std::byte> bytes, const Path& file) {
    constexpr const char* kRemedy = "Correct it; docs/OWN_DATA.md shows an example.";
    // Points and image metadata, which are most of a file of Meshroom or OpenMVG.
    constexpr std::string_view kSkipped[] = {"structure", "control_points", "controlPoints",
                                             "metadata", "ancestors"};
    const nlohmann::json document = parseJson(bytes, file, kRemedy, kSkipped);
    if (document.is_object()) {
        const JsonObject root(document, "", file, kRemedy);
        if (document.contains("frames")) return readTransforms(root);
        if (document.contains("sfm_data_version")) return readOpenMvg(root);
        const bool views = document.contains("views");
        if (views && document.contains("convention")) return readCamerasJson(root);
        for (const char* key : {"poses", "featuresFolders", "matchesFolders", "version"})
            if (views && document.contains(key)) return readMeshroom(root);
        // A session file of the window has views too, but also a key 'threefold'.
        if (views && !document.contains("threefold")) return readCamerasJson(root);
    }
    throw NotThisFormat({file.string(), "", "has no cameras: neither 'frames' nor 'views'",
                         "Give a transforms.json or a cameras.json; docs/OWN_DATA.md shows both."});
}

CameraFile readCameraFile(const Path& file) {
    const auto* const format = std::ranges::find_if(
        kFormats, [&](const auto* each) { return matchesFormat(*each, file); });
    CameraFile read;
    if (format == std::end(kFormats)) {
        read = readJsonCameras(file);
    } else {
        const std::string_view first = (*format)->files.front();
        read = (*format)->read(isPattern(first) ? file : file.parent_path() / first);
    }
    read.path = file;
    requireMinViews(file.string(), read.photos.size(), "view");
    return read;
}

void noteLeftOut(CameraFile& cameras, std::size_t leftOut, const std::filesystem::path& file) {
    if (leftOut == 0) return;
    const std::size_t total = leftOut + cameras.photos.size();
    if (cameras.photos.empty())
        throw InputError({file.string(), "",
                          fmt::format("none of {} photographs has a camera", total),
                          "Align the photographs first, in the program that wrote the file."});
    cameras.notes.push_back(
        fmt::format("{} of {} photographs have no camera: they were left out.", leftOut, total));
}

}  // namespace threefold
