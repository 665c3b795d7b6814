#include "engine/formats/pictures/png_rows.h"

#include <array>
#include <csetjmp>
#include <new>
#include <utility>

#include <fmt/format.h>
#include <png.h>

#include "engine/error.h"

// libpng reports errors with longjmp. It is confined to the functions that call setjmp: none of
// them has locals with destructors, and none lets an exception pass through libpng.

namespace threefold {

struct PngRows::State {
    std::array<char, 200> message{};  // fixed: nothing may be allocated on an error's way out
    std::vector<std::byte> bytes;
    std::size_t rowBytes = 0;
    int rowsLeft = 0;
    png_structp png = nullptr;
    png_infop info = nullptr;

    State() {
        png = png_create_write_struct(PNG_LIBPNG_VER_STRING, this, onError, [](auto, auto) {});
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

    static void onError(png_structp png, png_const_charp text) {
        auto* state = static_cast<State*>(png_get_error_ptr(png));
        std::strncpy(state->message.data(), text, state->message.size() - 1);
        png_longjmp(png, 1);
    }

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

    bool writeHeader(png_uint_32 width, png_uint_32 height) {
        if (setjmp(png_jmpbuf(png)) != 0) return false;
        png_set_IHDR(png, info, width, height, 8, PNG_COLOR_TYPE_RGB_ALPHA, PNG_INTERLACE_NONE,
                     PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
        png_write_info(png, info);
        return true;
    }

    bool writeRows(const std::uint8_t* rgba, std::size_t count) {
        if (setjmp(png_jmpbuf(png)) != 0) return false;
        for (std::size_t i = 0; i < count; ++i) png_write_row(png, rgba + i * rowBytes);
        return true;
    }

    bool writeEnd() {
        if (setjmp(png_jmpbuf(png)) != 0) return false;
        png_write_end(png, info);
        return true;
    }

    void require(bool done) const {
        if (!done) throw InputError({"image", "", message.data(), "Choose a smaller size."});
    }
};

PngRows::PngRows(int width, int height) : state_(std::make_unique<State>()) {
    if (width <= 0 || height <= 0) {
        throw InputError({"image", "",
                          fmt::format("size {}×{}, expected at least 1×1", width, height),
                          "Choose another size."});
    }
    state_->rowBytes = static_cast<std::size_t>(width) * 4;
    state_->rowsLeft = height;
    state_->require(
        state_->writeHeader(static_cast<png_uint_32>(width), static_cast<png_uint_32>(height)));
}

PngRows::~PngRows() = default;

void PngRows::add(std::span<const std::uint8_t> rgba) {
    const std::size_t count = rgba.size() / state_->rowBytes;
    if (count * state_->rowBytes != rgba.size() ||
        count > static_cast<std::size_t>(state_->rowsLeft)) {
        throw InputError({"image", "",
                          fmt::format("{} bytes for rows of {} bytes, {} rows left", rgba.size(),
                                      state_->rowBytes, state_->rowsLeft),
                          ""});
    }
    state_->require(state_->writeRows(rgba.data(), count));
    state_->rowsLeft -= static_cast<int>(count);
}

std::vector<std::byte> PngRows::finish() {
    if (state_->rowsLeft > 0) {
        throw InputError({"image", "", fmt::format("{} rows are missing", state_->rowsLeft), ""});
    }
    state_->require(state_->writeEnd());
    return std::move(state_->bytes);
}

}  // namespace threefold
