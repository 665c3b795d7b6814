#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <mutex>
#include <optional>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/files/file_descriptor.h"
#include "engine/formats/pictures/heic_boxes.h"
#include "engine/formats/pictures/image_readers.h"

namespace threefold {
namespace {

/// The part of libheif's C interface that is used; unchanged since version 1.3.
struct heif_context;
struct heif_image_handle;
struct heif_image;
struct HeifError {
    int code, detail;
    const char* message;
};
constexpr int kRgb = 1, kInterleavedRgba = 11, kInterleaved = 10;  // libheif's enumerators

using ContextPointer = std::unique_ptr<heif_context, void (*)(heif_context*)>;
using HandlePointer = std::unique_ptr<heif_image_handle, void (*)(const heif_image_handle*)>;
using ImagePointer = std::unique_ptr<heif_image, void (*)(const heif_image*)>;

/// The library libheif, if installed. Loaded at run time, not linked: users without HEIC and AVIF
/// pictures need neither its decoders nor their licences.
class Heif {
  public:
    Heif() : library_(dlopen("libheif.so.1", RTLD_NOW | RTLD_LOCAL)) {
        if (library_ == nullptr) return;
        load("heif_context_alloc", newContext);
        load("heif_context_free", freeContext);
        load("heif_context_read_from_memory_without_copy", read);
        load("heif_context_get_primary_image_handle", primaryHandle);
        load("heif_image_handle_get_width", handleWidth);
        load("heif_image_handle_get_height", handleHeight);
        load("heif_image_handle_release", freeHandle);
        load("heif_image_handle_get_list_of_metadata_block_IDs", blocks);
        load("heif_image_handle_get_metadata_size", blockSize);
        load("heif_image_handle_get_metadata", block);
        load("heif_decode_image", decode);
        load("heif_image_get_width", imageWidth);
        load("heif_image_get_height", imageHeight);
        load("heif_image_get_plane_readonly", plane);
        load("heif_image_release", freeImage);
    }

    explicit operator bool() const { return complete_ && library_ != nullptr; }

    heif_context* (*newContext)() = nullptr;
    void (*freeContext)(heif_context*) = nullptr;
    HeifError (*read)(heif_context*, const void*, std::size_t, const void*) = nullptr;
    HeifError (*primaryHandle)(heif_context*, heif_image_handle**) = nullptr;
    int (*handleWidth)(const heif_image_handle*) = nullptr;
    int (*handleHeight)(const heif_image_handle*) = nullptr;
    void (*freeHandle)(const heif_image_handle*) = nullptr;
    int (*blocks)(const heif_image_handle*, const char*, std::uint32_t*, int) = nullptr;
    std::size_t (*blockSize)(const heif_image_handle*, std::uint32_t) = nullptr;
    HeifError (*block)(const heif_image_handle*, std::uint32_t, void*) = nullptr;
    HeifError (*decode)(const heif_image_handle*, heif_image**, int, int, const void*) = nullptr;
    int (*imageWidth)(const heif_image*, int) = nullptr;
    int (*imageHeight)(const heif_image*, int) = nullptr;
    const std::uint8_t* (*plane)(const heif_image*, int, int*) = nullptr;
    void (*freeImage)(const heif_image*) = nullptr;

  private:
    template <class Function>
    void load(const char* name, Function*& function) {
        function = reinterpret_cast<Function*>(dlsym(library_, name));
        complete_ &= function != nullptr;
    }

    void* library_;  // stays loaded until the program ends: decoders have threads
    bool complete_ = true;
};

const Heif& heif() {
    static const Heif library;
    return library;
}

/// The file's main picture, not decoded yet. The file's bytes must outlive it.
struct OpenPicture {
    ContextPointer context;
    HandlePointer handle;
};

void check(const HeifError& error, const std::filesystem::path& subject) {
    if (error.code != 0)
        throw FormatError({subject.string(), "",
                           fmt::format("damaged HEIC or AVIF picture: {}",
                                       error.message != nullptr ? error.message : "unknown error"),
                           "Copy the file again, or save it as JPEG."});
}

/// Opens the main picture. First checks the file with pixelsOfHeic(), whose exceptions propagate:
/// libheif would follow nested grids and start threads for each. Throws NotThisFormat if libheif is
/// not installed.
OpenPicture open(std::span<const std::byte> bytes, const std::filesystem::path& subject) {
    pixelsOfHeic(bytes, subject);
    if (!heif())
        throw NotThisFormat(
            {subject.string(), "byte 0", "is a HEIC or AVIF picture, and libheif is not installed",
             "Install libheif1 and, where there is one, libheif-plugin-libde265; or "
             "save it as JPEG (iPhone: Settings > Camera > Formats > Most "
             "Compatible)."});
    OpenPicture picture{{heif().newContext(), heif().freeContext}, {nullptr, heif().freeHandle}};
    check(heif().read(picture.context.get(), bytes.data(), bytes.size(), nullptr), subject);
    heif_image_handle* handle = nullptr;
    check(heif().primaryHandle(picture.context.get(), &handle), subject);
    picture.handle.reset(handle);
    return picture;
}

/// Silences standard error of the whole process, other threads' lines included, as long as the
/// object exists: dav1d writes there about a broken AVIF picture, and libheif cannot suppress that.
/// One instance at a time; other threads wait in the constructor.
class StandardErrorSilenced {
  public:
    StandardErrorSilenced() : lock_(mutex()), saved_(::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)) {
        const FileDescriptor devNull(::open("/dev/null", O_WRONLY | O_CLOEXEC));
        if (saved_ && devNull) ::dup2(devNull.get(), STDERR_FILENO);
    }
    ~StandardErrorSilenced() {
        if (saved_) ::dup2(saved_.get(), STDERR_FILENO);
    }
    StandardErrorSilenced(const StandardErrorSilenced&) = delete;
    StandardErrorSilenced& operator=(const StandardErrorSilenced&) = delete;

  private:
    static std::mutex& mutex() {
        static std::mutex one;
        return one;
    }
    const std::scoped_lock<std::mutex> lock_;
    FileDescriptor saved_;
};

bool isAvif(std::span<const std::byte> bytes) {
    constexpr std::size_t kBeginning = 4096;  // bytes that hold the list of item types
    return asText(bytes.first(std::min(bytes.size(), kBeginning))).find("av01") !=
           std::string_view::npos;
}

}  // namespace

bool isHeic(std::span<const std::byte> bytes) {
    constexpr std::array<std::string_view, 9> kBrands = {"heic", "heix", "heim", "heis", "hevc",
                                                         "hevx", "mif1", "msf1", "avif"};
    return bytes.size() >= 12 && asText(bytes.subspan(4, 4)) == "ftyp" &&
           std::ranges::find(kBrands, asText(bytes.subspan(8, 4))) != kBrands.end();
}

ImageInfo heicInfo(std::span<const std::byte> bytes, const std::filesystem::path& subject) {
    constexpr std::size_t kOffset = 4;  // length of the field before the EXIF block
    const OpenPicture picture = open(bytes, subject);
    ImageInfo info;
    info.stored = {heif().handleWidth(picture.handle.get()),
                   heif().handleHeight(picture.handle.get())};
    std::uint32_t id = 0;
    if (heif().blocks(picture.handle.get(), "Exif", &id, 1) == 1) {
        std::vector<std::byte> block(heif().blockSize(picture.handle.get(), id));
        if (block.size() > kOffset &&
            heif().block(picture.handle.get(), id, block.data()).code == 0)
            info.exif = readExif(std::span(block).subspan(kOffset));
        info.exif.orientation = 1;  // libheif has applied the file's own rotation
    }
    return info;
}

Image decodeHeic(std::span<const std::byte> bytes, const std::filesystem::path& subject,
                 std::uint64_t memoryLimit) {
    constexpr std::uint64_t kCompression = 8;  // ImageBudget::compressionFactor
    const OpenPicture picture = open(bytes, subject);
    const auto width =
        static_cast<std::uint32_t>(std::max(0, heif().handleWidth(picture.handle.get())));
    const auto height =
        static_cast<std::uint32_t>(std::max(0, heif().handleHeight(picture.handle.get())));
    constexpr std::uint64_t kBytesPerPixel = 6, kMaxPixels = UINT64_MAX / 64;
    const std::uint64_t unpacked =
        std::max(std::uint64_t{width} * height, pixelsOfHeic(bytes, subject));
    const std::uint64_t working = kBytesPerPixel * std::min(unpacked, kMaxPixels);
    Image image = emptyImage(
        width, height, {bytes.size(), UINT64_MAX, working, memoryLimit, kCompression}, subject, 0);
    heif_image* decoded = nullptr;
    {
        std::optional<StandardErrorSilenced> silenced;
        if (isAvif(bytes)) silenced.emplace();
        check(heif().decode(picture.handle.get(), &decoded, kRgb, kInterleavedRgba, nullptr),
              subject);
    }
    const ImagePointer owner(decoded, heif().freeImage);
    int stride = 0;
    const std::uint8_t* rows = heif().plane(decoded, kInterleaved, &stride);
    const std::size_t line = std::size_t{4} * width;
    if (rows == nullptr || heif().imageWidth(decoded, kInterleaved) != image.width ||
        heif().imageHeight(decoded, kInterleaved) != image.height)
        check({1, 0, "it has more or fewer pixels than it declares"}, subject);
    for (std::size_t y = 0; y < height; ++y)
        std::memcpy(&image.rgba[y * line], rows + y * static_cast<std::size_t>(stride), line);
    return image;
}

}  // namespace threefold
