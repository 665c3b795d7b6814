// bundle.out of Bundler, with list.txt in the same folder or its parent: for each picture of the
// list a focal length, two radial distortions, a rotation and a translation, world to camera,
// looking along −z, y up. Pixels count from the picture's centre. Points are skipped.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/mapped_file.h"
#include "engine/formats/text/text_scanner.h"
#include "engine/sample/posed_photos/camera_decoders.h"
#include "engine/sample/posed_photos/camera_formats.h"
#include "engine/sample/posed_photos/lens_completion.h"
#include "engine/sample/posed_photos/photo_files.h"
#include "engine/sample/posed_photos/pose_matrix.h"
#include "engine/sample/posed_photos/upright.h"

namespace threefold {
namespace {

using Path = std::filesystem::path;

constexpr const char* kListName = "list.txt";

/// Picture names of list.txt: the first word of each line.
std::vector<std::string> listedPictures(std::span<const std::byte> bytes, const Path& file) {
    TextScanner scanner(asText(bytes), file);
    std::vector<std::string> names;
    for (; !scanner.atEnd(); scanner.nextLine()) {
        if (!scanner.hasWord()) continue;
        names.emplace_back(scanner.word());
        if (names.size() > kMaxPosedPhotos)
            scanner.fail(fmt::format("more than {} pictures", kMaxPosedPhotos));
    }
    return names;
}

double nextReal(TextScanner& scanner, std::string_view expected) {
    const std::string_view word = scanner.nextWordOfText();
    if (word.empty()) scanner.fail(fmt::format("ends here; expected {}", expected));
    return scanner.toDouble(word, expected);
}

}  // namespace

CameraFile decodeBundler(std::span<const std::byte> bundle, const Path& file,
                         std::span<const std::byte> list, const Path& listFile) {
    const std::vector<std::string> names = listedPictures(list, listFile);
    TextScanner scanner(asText(bundle), file);
    scanner.setComment('#');
    const std::string_view first = scanner.nextWordOfText();
    const std::int64_t count = scanner.toInteger(first, "the number of cameras");
    scanner.requireInteger("the number of points");
    if (count < 0 || count > static_cast<std::int64_t>(kMaxPosedPhotos))
        scanner.fail(fmt::format("{} cameras, at most {}", count, kMaxPosedPhotos));
    if (names.size() != static_cast<std::size_t>(count))
        scanner.fail(
            fmt::format("{} cameras, but {} names {} pictures", count, kListName, names.size()));
    CameraFile read;
    read.format = "Bundler";
    std::size_t leftOut = 0;
    for (const std::string& name : names) {
        Photo photo;
        photo.name = name;
        const double focal = nextReal(scanner, "a focal length");
        const std::string place = fmt::format("line {}", scanner.line());
        photo.lens.focalX = photo.lens.focalY = focal;
        photo.lens.k1 = nextReal(scanner, "k1");
        photo.lens.k2 = nextReal(scanner, "k2");
        PoseMatrix matrix{};
        matrix[3][3] = 1;
        for (std::size_t row = 0; row < 3; ++row)
            for (std::size_t column = 0; column < 3; ++column)
                matrix[row][column] = nextReal(scanner, "the rotation");
        for (std::size_t row = 0; row < 3; ++row)
            matrix[row][3] = nextReal(scanner, "the translation");
        const auto isZero = [](double value) { return value == 0; };
        // Bundler could not align the picture.
        if (focal == 0 && std::ranges::all_of(matrix[0], isZero)) {
            ++leftOut;
            continue;
        }
        photo.image = findPhotoAround(file.parent_path(), name);
        photo.pose = poseOfMatrix(matrix, CameraAxes::opengl, MatrixConvention::worldToCamera,
                                  file.string(), place)
                         .pose;
        completeLens(photo, true, file, place);
        read.photos.push_back(std::move(photo));
    }
    noteLeftOut(read, leftOut, file);
    turnUpright(read, PixelOrder::stored);
    return read;
}

namespace {

CameraFile readBundler(const Path& file) {
    const Path folder = file.parent_path();
    const Path parentList = folder.parent_path() / kListName;
    const Path list =
        !isFile(folder / kListName) && isFile(parentList) ? parentList : folder / kListName;
    const MappedFile bundle(file);
    constexpr std::uintmax_t kMaxPictureListBytes = std::uintmax_t{4} << 20;
    return bundle.decode([&](auto bytes) {
        return decodeBundler(bytes, file, readFile(list, kMaxPictureListBytes), list);
    });
}

}  // namespace

const CameraFormat camera_formats::bundler{
    .name = "Bundler", .writers = "Bundler, MVE", .files = {"bundle.out"}, .read = readBundler};

}  // namespace threefold
