#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstring>
#include <new>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <png.h>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/pictures/image_readers.h"
#include "engine/formats/pictures/image_writers.h"

// libpng reports errors with longjmp. The jump is confined to the functions that call setjmp: none
// of them has locals with destructors, and none lets an exception pass through libpng.

namespace threefold {
namespace {

constexpr std::size_t kSignature = 8;
constexpr std::size_t kChunkFrame = 12;  // length, kind, check sum

/// libpng's last message; a fixed buffer, because an error must not allocate.
struct Failure {
    std::array<char, 200> message{};
};

void onError(png_structp png, png_const_charp message) {
    auto* failure = static_cast<Failure*>(png_get_error_ptr(png));
    std::strncpy(failure->message.data(), message, failure->message.size() - 1);
    png_longjmp(png, 1);
}

/// Warnings concern only unused content: colour profiles, texts, times.
void onWarning(png_structp, png_const_charp) {}

class PngReader {
  public:
    PngReader(std::span<const std::byte> bytes, const std::filesystem::path& subject,
              std::uint64_t memory)
        : bytes_(bytes), subject_(subject), memory_(memory) {
        png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, &failure_, onError, onWarning);
        info_ = png_ != nullptr ? png_create_info_struct(png_) : nullptr;
        if (info_ == nullptr) {
            png_destroy_read_struct(&png_, nullptr, nullptr);
            throw std::bad_alloc();
        }
        png_set_read_fn(png_, this, onRead);
    }
    ~PngReader() { png_destroy_read_struct(&png_, &info_, nullptr); }
    PngReader(const PngReader&) = delete;

    Image read() {
        checkChunks();
        if (!readHeader()) fail();
        Image image =
            emptyImage(png_get_image_width(png_, info_), png_get_image_height(png_, info_),
                       {bytes_.size(), pixelBound(), kWorkingMemory, memory_}, subject_, offset_);
        if (!readRows(image.rgba.data(), static_cast<std::size_t>(image.width) * 4)) fail();
        return image;
    }

  private:
    /// Memory of the decoder: rows in progress, and zlib.
    static constexpr std::uint64_t kWorkingMemory = std::uint64_t{512} << 10;

    /// Checks the length of each chunk, which libpng would allocate as declared, and finds the end
    /// of the pixels.
    void checkChunks() {
        ByteCursor cursor(bytes_, subject_);
        cursor.read(kSignature);
        while (cursor.remaining() >= kChunkFrame) {
            const std::size_t at = cursor.offset();
            const std::uint64_t length = cursor.readBigEndian(4);
            const std::string_view kind = cursor.readText(4);
            if (kind == "IEND") break;
            if (length + 4 > cursor.remaining())
                cursor.failAt(
                    at, fmt::format("damaged PNG: a chunk declares {} bytes, but only {} are left",
                                    length, cursor.remaining()));
            cursor.read(length + 4);
            if (kind == "IDAT") pixelsEnd_ = cursor.offset();
        }
    }

    /// Whether, before the last row is read, far more compressed pixels follow than one row needs.
    /// libpng would unpack them all: 2 GB of zeros take 2 MB in a file.
    bool hasPixelsBehindLastRow() const {
        constexpr std::size_t kMaxBytesPerPixel = 8;
        constexpr std::size_t kSpare = std::size_t{64} << 10;  // libpng's buffer, empty blocks
        const std::size_t maxBytes = png_get_image_width(png_, info_) * kMaxBytesPerPixel + kSpare;
        return pixelsEnd_ > offset_ + maxBytes;
    }

    static void onRead(png_structp png, png_bytep out, std::size_t count) {
        auto* reader = static_cast<PngReader*>(png_get_io_ptr(png));
        if (count > reader->bytes_.size() - reader->offset_) png_error(png, "the file ends early");
        std::memcpy(out, reader->bytes_.data() + reader->offset_, count);
        reader->offset_ += count;
    }

    [[noreturn]] void fail() const {
        failAtByte(subject_, offset_, std::string("damaged PNG: ") + failure_.message.data());
    }

    /// Maximum number of pixels in the file: deflate unpacks to at most 1032 times its size.
    std::uint64_t pixelBound() const {
        const std::uint64_t bits =
            std::uint64_t{png_get_bit_depth(png_, info_)} * png_get_channels(png_, info_);
        return std::uint64_t{bytes_.size()} * 1032 * 8 / std::max<std::uint64_t>(bits, 1);
    }

    bool readHeader() {
        if (setjmp(png_jmpbuf(png_)) != 0) return false;
        png_set_user_limits(png_, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
        // Texts, profiles and times are not used, and could unpack to gigabytes.
        png_set_keep_unknown_chunks(png_, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
        png_read_info(png_, info_);
        return true;
    }

    /// Decodes into `rgba`, `step` bytes a row.
    bool readRows(std::uint8_t* rgba, std::size_t step) {
        if (setjmp(png_jmpbuf(png_)) != 0) return false;
        png_set_expand(png_);  // palettes, 1 to 4 bits, and tRNS as alpha
        png_set_strip_16(png_);
        png_set_gray_to_rgb(png_);
        png_set_add_alpha(png_, 0xff, PNG_FILLER_AFTER);
        const int passes = png_set_interlace_handling(png_);
        png_read_update_info(png_, info_);
        if (png_get_rowbytes(png_, info_) != step) png_error(png_, "unexpected kind of pixels");
        const png_uint_32 height = png_get_image_height(png_, info_);
        for (int pass = 0; pass < passes; ++pass)
            for (png_uint_32 y = 0; y < height; ++y) {
                if (pass + 1 == passes && y + 1 == height && hasPixelsBehindLastRow())
                    png_error(png_, "more pixels follow the last row");
                png_read_row(png_, rgba + y * step, nullptr);
            }
        png_read_end(png_, nullptr);
        return true;
    }

    std::span<const std::byte> bytes_;
    const std::filesystem::path& subject_;
    std::uint64_t memory_;
    std::size_t offset_ = 0;
    std::size_t pixelsEnd_ = 0;  ///< offset after the last chunk of pixels
    Failure failure_;
    png_structp png_ = nullptr;
    png_infop info_ = nullptr;
};

}  // namespace

bool isPng(std::span<const std::byte> bytes) {
    return asText(bytes).starts_with("\x89PNG\r\n\x1a\n");
}

Image decodePng(std::span<const std::byte> bytes, const std::filesystem::path& subject,
                std::uint64_t memoryLimit) {
    return PngReader(bytes, subject, memoryLimit).read();
}

std::vector<std::byte> encodePng(const Image& image) {
    PngWriter writer(image.width, image.height);
    writer.addRows(image.rgba);
    return writer.finish();
}

struct PngWriter::State {
    Failure failure;
    std::vector<std::byte> bytes;
    std::size_t rowBytes = 0;
    std::size_t rowsLeft = 0;
    png_structp png = nullptr;
    png_infop info = nullptr;

    State() {
        png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &failure, onError, onWarning);
        info = png != nullptr ? png_create_info_struct(png) : nullptr;
        if (info == nullptr) {
            png_destroy_write_struct(&png, nullptr);
            throw std::bad_alloc();
        }
        png_set_write_fn(png, &bytes, onWrite, nullptr);
        png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    }
    ~State() { png_destroy_write_struct(&png, &info); }
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    static void onWrite(png_structp png, png_bytep data, std::size_t count) {
        auto* bytes = static_cast<std::vector<std::byte>*>(png_get_io_ptr(png));
        const auto* begin = reinterpret_cast<const std::byte*>(data);
        try {
            bytes->insert(bytes->end(), begin, begin + count);
            return;
        } catch (const std::bad_alloc&) {
            // The exception must end here, before the jump.
        }
        png_error(png, "not enough memory");
    }

    /// Runs calls of libpng. False if one of them fails by a jump.
    template <class Calls>
    bool succeeds(const Calls& calls) {
        if (setjmp(png_jmpbuf(png)) != 0) return false;
        calls();
        return true;
    }

    template <class Calls>
    void write(const Calls& calls) {
        if (!succeeds(calls))
            throw InputError({"image", "", failure.message.data(), "Choose a smaller size."});
    }
};

PngWriter::PngWriter(int width, int height, int dotsPerMetre) : state_(std::make_unique<State>()) {
    if (width <= 0 || height <= 0)
        throw InputError({"image", "",
                          fmt::format("size {}×{}, expected at least 1×1", width, height),
                          "Choose another size."});
    State& state = *state_;
    state.rowBytes = static_cast<std::size_t>(width) * 4;
    state.rowsLeft = static_cast<std::size_t>(height);
    state.write([&] {
        png_set_IHDR(state.png, state.info, static_cast<png_uint_32>(width),
                     static_cast<png_uint_32>(height), 8, PNG_COLOR_TYPE_RGB_ALPHA,
                     PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
        const auto dots = static_cast<png_uint_32>(dotsPerMetre);
        if (dots > 0) png_set_pHYs(state.png, state.info, dots, dots, PNG_RESOLUTION_METER);
        png_write_info(state.png, state.info);
    });
}

PngWriter::~PngWriter() = default;

void PngWriter::addRows(std::span<const std::uint8_t> rgba) {
    State& state = *state_;
    const std::size_t count = rgba.size() / state.rowBytes;
    if (count * state.rowBytes != rgba.size() || count > state.rowsLeft)
        throw InputError({"image", "",
                          fmt::format("{} bytes for rows of {} bytes, {} rows left", rgba.size(),
                                      state.rowBytes, state.rowsLeft),
                          ""});
    state.write([&] {
        for (std::size_t i = 0; i < count; ++i)
            png_write_row(state.png, rgba.data() + i * state.rowBytes);
    });
    state.rowsLeft -= count;
}

std::vector<std::byte> PngWriter::finish() {
    if (state_->rowsLeft > 0)
        throw InputError({"image", "", fmt::format("{} rows are missing", state_->rowsLeft), ""});
    state_->write([this] { png_write_end(state_->png, state_->info); });
    return std::move(state_->bytes);
}

}  // namespace threefold
