#include "engine/sample/posed_photos/camera_formats.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/core.h>

#include "engine/error.h"
#include "engine/formats/bytes/file_bytes.h"
#include "engine/formats/pictures/photograph.h"
#include "engine/text_parts.h"
#include "engine/views/network_input.h"

namespace threefold {
namespace {

using Path = std::filesystem::path;

CameraFile readJson(const Path& file) {
    return decodeCameraJson(readFile(file, kLargestSkippedJson), file);
}

constexpr CameraFormat kFormats[] = {
    {"transforms.json", "instant-ngp, nerfstudio", {"transforms.json"}, readJson},
    {"cameras.json", "Threefold", {"cameras.json"}, readJson},
    {"transforms_train.json",
     "NeRF's synthetic scenes",
     {"transforms_train.json"},
     readSplitTransforms},
    {"COLMAP, text", "COLMAP", {"images.txt", "cameras.txt"}, readColmapText},
    {"COLMAP, binary", "COLMAP", {"images.bin", "cameras.bin"}, readColmapBinary},
    {"Meshroom", "Meshroom, AliceVision", {"cameras.sfm"}, readJson},
    {"Meshroom, sfm.json", "Meshroom, AliceVision", {"sfm.json"}, readJson},
    {"OpenMVG", "OpenMVG", {"sfm_data.json"}, readJson},
    {"NeuS", "NeuS, IDR", {"cameras_sphere.npz"}, readCameraArrays},
    {"IDR", "IDR, DVR, occupancy networks", {"cameras.npz"}, readCameraArrays},
    {"LLFF", "LLFF, NeRF", {"poses_bounds.npy"}, readLlff, isLlffAlone},
    {"MVSNet", "MVSNet, BlendedMVS, DTU", {"cams/*_cam.txt"}, readMvsnet},
    {"Bundler", "Bundler, MVE", {"bundle.out"}, readBundler},
    {"Middlebury", "Middlebury multi-view", {"*_par.txt"}, readMiddlebury},
    {"neural deferred shading",
     "Neural Deferred Shading",
     {"*_k.txt", "*_r.txt", "*_t.txt"},
     readDeferredShading},
    {"Metashape", "Agisoft Metashape, PhotoScan", {"*.xml"}, readMetashape, isMetashape},
};

bool isPattern(std::string_view name) {
    return name.find('*') != name.npos;
}

/// What the `*` of `pattern` stands for in `name`; nothing where it does not fit.
std::optional<std::string> starOf(std::string_view pattern, std::string_view name) {
    const std::size_t star = pattern.find('*');
    const std::string_view end = pattern.substr(star + 1);
    const bool fits = name.size() >= pattern.size() && name.starts_with(pattern.substr(0, star)) &&
                      name.ends_with(end);
    if (!fits) return {};
    return std::string(name.substr(star, name.size() - pattern.size() + 1));
}

std::string filled(std::string_view pattern, const std::string& star) {
    const std::size_t at = pattern.find('*');
    if (at == pattern.npos) return std::string(pattern);
    return fmt::format("{}{}{}", pattern.substr(0, at), star, pattern.substr(at + 1));
}

/// Whether all files of `format` are below `folder`, with this text for `*`.
bool isWhole(const CameraFormat& format, const Path& folder, const std::string& star) {
    return std::ranges::all_of(
               format.files,
               [&](auto name) { return name.empty() || isFile(folder / filled(name, star)); }) &&
           (format.accepts == nullptr || format.accepts(folder / filled(format.files[0], star)));
}

/// The names of a folder's entries, read where they are first asked for.
class FolderNames {
  public:
    explicit FolderNames(Path folder) : folder_(std::move(folder)) {}
    const std::vector<std::string>& get() {
        if (!names_) {
            names_.emplace();
            for (const Path& entry : entriesIn(folder_)) names_->push_back(entry.filename());
        }
        return *names_;
    }

  private:
    Path folder_;
    std::optional<std::vector<std::string>> names_;
};

/// The file of `format` that is opened; empty where it is not all below `folder`.
Path fileOf(const CameraFormat& format, const Path& folder, FolderNames& names) {
    const Path first(format.files.front());
    if (!isPattern(format.files.front()))
        return isWhole(format, folder, {}) ? folder / first : Path();
    std::vector<std::string> stars;
    const std::string pattern = first.filename();
    FolderNames below(folder / first.parent_path());
    FolderNames& searched = first.has_parent_path() ? below : names;
    for (const std::string& name : searched.get())
        if (auto star = starOf(pattern, name)) stars.push_back(std::move(*star));
    constexpr std::size_t kMostTried = 16;  // of a folder with an XML file for each picture
    const std::size_t tried = std::min(stars.size(), kMostTried);
    std::ranges::partial_sort(stars, stars.begin() + static_cast<std::ptrdiff_t>(tried),
                              naturallyBefore);
    for (std::size_t i = 0; i < tried; ++i)
        if (isWhole(format, folder, stars[i])) return folder / filled(first.string(), stars[i]);
    return {};
}

/// Whether `file` is one of the format's: by its name, or, where that is a pattern, also by what
/// lies beside it.
bool isOf(const CameraFormat& format, const Path& file) {
    const Path first(format.files.front());
    const std::string name = file.filename();
    if (!isPattern(format.files.front()))
        return std::ranges::find(format.files, name) != format.files.end() && !name.empty();
    const auto star = starOf(first.filename().string(), name);
    if (!star) return false;
    Path folder = file.parent_path();
    if (first.has_parent_path()) {
        if (folder.filename() != first.parent_path()) return false;
        folder = folder.parent_path();
    }
    return isWhole(format, folder, *star);
}

}  // namespace

std::span<const CameraFormat> cameraFormats() {
    return kFormats;
}

Path cameraFileIn(const Path& folder) {
    for (const Path& place :
         {folder, folder / "sparse/0", folder / "sparse", folder / kImagesName}) {
        FolderNames names(place);
        for (const CameraFormat& format : kFormats)
            if (Path file = fileOf(format, place, names); !file.empty()) return file;
    }
    return {};
}

bool isCameraFileName(const Path& file) {
    return file.extension() == ".json" || file.extension() == ".sfm" ||
           std::ranges::any_of(kFormats, [&](const auto& each) { return isOf(each, file); });
}

CameraFile decodeCameraJson(std::span<const std::byte> bytes, const Path& file) {
    constexpr const char* kRemedy = "Correct it; docs/OWN_DATA.md shows an example.";
    // Points and what cameras wrote into pictures: most of a file of Meshroom or OpenMVG.
    constexpr std::string_view kSkipped[] = {"structure", "control_points", "controlPoints",
                                             "metadata", "ancestors"};
    const nlohmann::json document = parseJson(bytes, file, kRemedy, kSkipped);
    if (document.is_object()) {
        const JsonObject root(document, "", file, kRemedy);
        if (document.contains("frames")) return readTransforms(root);
        if (document.contains("sfm_data_version")) return readOpenMvg(root);
        for (const char* key : {"poses", "featuresFolders", "matchesFolders", "version"})
            if (document.contains("views") && document.contains(key)) return readMeshroom(root);
        if (document.contains("views") && !document.contains("threefold"))
            return readCamerasJson(root);
    }
    throw NotThisFormat({file.string(), "", "has no cameras: neither 'frames' nor 'views'",
                         "Give a transforms.json or a cameras.json; docs/OWN_DATA.md shows both."});
}

CameraFile readCameraFile(const Path& file) {
    const auto* const format =
        std::ranges::find_if(kFormats, [&](const auto& each) { return isOf(each, file); });
    const auto opened = [&] {
        const std::string_view first = format->files.front();
        return isPattern(first) ? file : file.parent_path() / first;
    };
    CameraFile read = format != std::end(kFormats) ? format->read(opened()) : readJson(file);
    read.path = file;
    requireEnough(file.string(), read.photos.size(), "view");
    return read;
}

}  // namespace threefold
