#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

// clang-format off: libjpeg's headers need <cstdio> and each other in this order
#include <jerror.h>
#include <jpeglib.h>
// clang-format on

#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/pictures/image_readers.h"

// libjpeg reports errors through a callback that must not return, so it jumps. The jump is confined
// to the functions that call setjmp: none of them has locals with destructors.

namespace threefold {
namespace {

/// Maximum scans of a progressive file: each costs a pass over the image.
constexpr int kMaxScans = 500;
/// Number of rows that are decoded before they are placed together: in a rotated picture, the
/// pixels that these rows have in one column become adjacent in memory.
constexpr JDIMENSION kRowsPerBatch = 16;
/// Maximum pixels per byte: every block of 8x8 pixels takes at least a bit.
constexpr std::uint64_t kPixelsPerByte = 64 * 8;

struct ErrorManager {
    jpeg_error_mgr base{};
    std::jmp_buf escape{};
    std::array<char, JMSG_LENGTH_MAX> message{};
};

[[noreturn]] void onError(j_common_ptr info) {
    auto* manager = reinterpret_cast<ErrorManager*>(info->err);
    info->err->format_message(info, manager->message.data());
    std::longjmp(manager->escape, 1);
}

/// Fails on warnings except three harmless ones: the others mean lost pixels, which libjpeg would
/// fill with grey.
void onMessage(j_common_ptr info, int level) {
    const int code = info->err->msg_code;
    const bool harmless =
        code == JWRN_EXTRANEOUS_DATA || code == JWRN_ADOBE_XFORM || code == JWRN_JFIF_MAJOR;
    if (level < 0 && !harmless) onError(info);
}

void onOutput(j_common_ptr) {}

void onProgress(j_common_ptr info) {
    const auto* decoder = reinterpret_cast<j_decompress_ptr>(info);
    if (decoder->input_scan_number <= kMaxScans) return;
    info->err->msg_code = JERR_BAD_PROGRESSION;
    onError(info);
}

class JpegReader {
  public:
    JpegReader(std::span<const std::byte> bytes, const std::filesystem::path& subject,
               std::uint64_t memory, const Exif& exif)
        : bytes_(bytes), subject_(subject), memory_(memory), exif_(exif) {
        info_.err = jpeg_std_error(&manager_.base);
        manager_.base.error_exit = onError;
        manager_.base.emit_message = onMessage;
        manager_.base.output_message = onOutput;
        progress_.progress_monitor = onProgress;
    }
    ~JpegReader() { jpeg_destroy_decompress(&info_); }
    JpegReader(const JpegReader&) = delete;

    Image read() {
        if (!readHeader()) fail();
        const ImageBudget budget{bytes_.size(), (bytes_.size() + 1) * kPixelsPerByte,
                                 workingMemory(), memory_};
        std::uint32_t width = info_.image_width;
        std::uint32_t height = info_.image_height;
        if (exif_.swapsSides()) std::swap(width, height);
        Image image = emptyImage(width, height, budget, subject_, offset());
        rows_.resize(std::size_t{info_.image_width} * 4 * kRowsPerBatch);
        if (!readRows(image)) fail();
        if (info_.out_color_space == JCS_CMYK) convertCmyk(image);
        return image;
    }

  private:
    std::size_t offset() const {
        return info_.src == nullptr
                   ? 0
                   : bytes_.size() - std::min(info_.src->bytes_in_buffer, bytes_.size());
    }
    [[noreturn]] void fail() const {
        constexpr std::array kUnsupportedErrors{
            JERR_ARITH_NOTIMPL, JERR_BAD_PRECISION, JERR_CONVERSION_NOTIMPL,
            JERR_NOT_COMPILED,  JERR_NOTIMPL,       JERR_SOF_UNSUPPORTED};
        if (std::ranges::find(kUnsupportedErrors, manager_.base.msg_code) !=
            kUnsupportedErrors.end())
            failAtByte(
                subject_, offset(),
                std::string("a JPEG of a kind that is not supported: ") + manager_.message.data(),
                "Save it as PNG, or as an ordinary JPEG of 8 bits a channel.");
        failAtByte(subject_, offset(), std::string("damaged JPEG: ") + manager_.message.data());
    }

    /// Memory of the decoder in bytes: rows in progress; with several scans, also all coefficients.
    std::uint64_t workingMemory() {
        std::uint64_t bytes = std::uint64_t{4} << 20;
        if (jpeg_has_multiple_scans(&info_) == FALSE) return bytes;
        for (int i = 0; i < info_.num_components; ++i) {
            const jpeg_component_info& component = info_.comp_info[i];
            bytes += std::uint64_t{component.width_in_blocks} * component.height_in_blocks *
                     sizeof(JBLOCK);
        }
        return bytes;
    }

    bool readHeader() {
        if (setjmp(manager_.escape) != 0) return false;
        jpeg_create_decompress(&info_);
        info_.progress = &progress_;
        jpeg_mem_src(&info_, reinterpret_cast<const unsigned char*>(bytes_.data()),
                     static_cast<unsigned long>(bytes_.size()));
        jpeg_read_header(&info_, TRUE);
        return true;
    }

    /// Decodes to RGBA, or to CMYK if the file is CMYK or YCCK.
    bool readRows(Image& image) {
        if (setjmp(manager_.escape) != 0) return false;
        const bool inks = info_.jpeg_color_space == JCS_CMYK || info_.jpeg_color_space == JCS_YCCK;
        info_.out_color_space = inks ? JCS_CMYK : JCS_EXT_RGBA;
        jpeg_start_decompress(&info_);
        const std::size_t step = std::size_t{info_.output_width} * 4;
        while (info_.output_scanline < info_.output_height) {
            JSAMPROW row = rows_.data() + info_.output_scanline % kRowsPerBatch * step;
            jpeg_read_scanlines(&info_, &row, 1);
            const JDIMENSION count = (info_.output_scanline - 1) % kRowsPerBatch + 1;
            if (count == kRowsPerBatch || info_.output_scanline == info_.output_height)
                placeUpright({rows_.data(), count * step}, info_.output_width,
                             info_.output_scanline - count, exif_, image);
        }
        jpeg_finish_decompress(&info_);
        return true;
    }

    /// Converts CMYK to RGBA. Values are taken as inverted, as Adobe's programs store them, with or
    /// without an Adobe marker in the file: other readers do the same.
    static void convertCmyk(Image& image) {
        for (std::size_t i = 0; i < image.rgba.size(); i += 4) {
            std::uint8_t* pixel = image.rgba.data() + i;
            const int black = pixel[3];
            for (int c = 0; c < 3; ++c)
                pixel[c] = static_cast<std::uint8_t>((pixel[c] * black + 127) / 255);
            pixel[3] = 255;
        }
    }

    std::span<const std::byte> bytes_;
    const std::filesystem::path& subject_;
    std::uint64_t memory_;
    Exif exif_;
    std::vector<std::uint8_t> rows_;
    ErrorManager manager_;
    jpeg_progress_mgr progress_{};
    jpeg_decompress_struct info_{};
};

}  // namespace

bool isJpeg(std::span<const std::byte> bytes) {
    return asText(bytes).starts_with("\xff\xd8\xff");
}

Image decodeJpeg(std::span<const std::byte> bytes, const std::filesystem::path& subject,
                 std::uint64_t memoryLimit, const Exif& exif) {
    return JpegReader(bytes, subject, memoryLimit, exif).read();
}

}  // namespace threefold
