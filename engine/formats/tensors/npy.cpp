#include "engine/formats/tensors/npy.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/utf8.h"

namespace threefold {
namespace {

constexpr std::string_view kNpyMagic = "\x93NUMPY";
/// Maximum header length in bytes: more than numpy itself accepts by default for an untrusted
/// header.
constexpr std::uint64_t kMaxNpyHeader = 1 << 16;
constexpr std::size_t kMaxAxes = 64;

struct Header {
    std::optional<std::string> descr;
    std::optional<bool> isFortranOrder;
    std::optional<std::vector<std::size_t>> shape;
};

/// Parses an .npy header, a Python dictionary: text, True or False, and a tuple of integers.
class HeaderParser {
  public:
    HeaderParser(std::string_view text, const ByteCursor& cursor)
        : text_(text), cursor_(cursor), begin_(cursor.offset() - text.size()) {}

    Header parse() {
        expect('{');
        while (!accept('}')) {
            const std::string key = quoted();
            expect(':');
            if (key == "descr")
                header_.descr = type();
            else if (key == "fortran_order")
                header_.isFortranOrder = boolean();
            else if (key == "shape")
                header_.shape = tuple();
            else
                fail("an unknown entry '" + key + "'");
            if (accept(',')) continue;
            expect('}');
            break;
        }
        skipBlanks();
        if (position_ != text_.size()) fail("something after the header's dictionary");
        return header_;
    }

  private:
    [[noreturn]] void fail(const std::string& problem) const {
        cursor_.failAt(begin_ + position_, "the array's header holds " + problem);
    }
    void skipBlanks() {
        while (position_ < text_.size() && (text_[position_] == ' ' || text_[position_] == '\n'))
            ++position_;
    }
    bool accept(char expected) {
        skipBlanks();
        if (position_ == text_.size() || text_[position_] != expected) return false;
        ++position_;
        return true;
    }
    void expect(char expected) {
        if (!accept(expected)) fail(fmt::format("something else where '{}' is expected", expected));
    }
    std::string quoted() {
        skipBlanks();
        const char quote = accept('"') ? '"' : '\'';
        if (quote == '\'' && !accept('\'')) fail("no quoted text where one is expected");
        const std::size_t end = text_.find(quote, position_);
        if (end == std::string_view::npos) fail("a text without its end");
        std::string content(text_.substr(position_, end - position_));
        position_ = end + 1;
        return content;
    }
    /// Parses a type: a quoted text, or for records the list of their fields, returned verbatim.
    std::string type() {
        skipBlanks();
        if (!text_.substr(position_).starts_with('[')) return quoted();
        const std::size_t begin = position_;
        std::size_t depth = 0;
        char quote = '\0';
        for (; position_ < text_.size(); ++position_) {
            const char c = text_[position_];
            if (quote != '\0') {
                if (c == quote) quote = '\0';
            } else if (c == '\'' || c == '"') {
                quote = c;
            } else if (c == '[') {
                ++depth;
            } else if (c == ']' && --depth == 0) {
                ++position_;
                return std::string(text_.substr(begin, position_ - begin));
            }
        }
        fail("a list without its end");
    }
    bool boolean() {
        skipBlanks();
        for (const auto& [word, value] : {std::pair{"True", true}, std::pair{"False", false}}) {
            if (!text_.substr(position_).starts_with(word)) continue;
            position_ += std::string_view(word).size();
            return value;
        }
        fail("neither True nor False for the order");
    }
    std::vector<std::size_t> tuple() {
        std::vector<std::size_t> values;
        expect('(');
        while (!accept(')')) {
            if (values.size() == kMaxAxes) fail("too many axes");
            values.push_back(integer());
            if (accept(',')) continue;
            expect(')');
            break;
        }
        return values;
    }
    std::size_t integer() {
        skipBlanks();
        std::size_t value = 0;
        const char* begin = text_.data() + position_;
        const auto result = std::from_chars(begin, text_.data() + text_.size(), value);
        if (result.ec != std::errc{}) fail("a shape that is not made of integers");
        position_ += static_cast<std::size_t>(result.ptr - begin);
        accept('L');  // suffix of long integers in Python 2
        return value;
    }

    std::string_view text_;
    const ByteCursor& cursor_;
    std::size_t begin_;
    std::size_t position_ = 0;
    Header header_;
};

Array arrayOf(const NpyHeader& header, std::span<const std::byte> bytes,
              const std::filesystem::path& subject) {
    if (!header.type) {
        constexpr std::size_t kShown = 60;
        throw FormatError({subject.string(), "header",
                           fmt::format("elements of the type '{}', but only numbers are supported",
                                       textPrefix(header.descr, kShown)),
                           "Save it as numbers: array.astype('float32')."});
    }
    const auto layout = NumpyLayout::of(*header.type, header.shape, header.isFortranOrder);
    const std::span<const std::byte> data = bytes.subspan(header.dataOffset);
    std::optional<Array> array = arrayFromNumpy(layout, data);
    if (!array)
        failAtByte(
            subject, header.dataOffset,
            fmt::format("the shape {} of {} does not fit the {} bytes that follow",
                        shapeText(header.shape), dtypeName(header.type->dtype), data.size()));
    return std::move(*array);
}

/// For each axis of the shape, the step in elements within the file's bytes.
std::vector<std::size_t> sourceSteps(const NumpyLayout& layout) {
    std::vector<std::size_t> steps(layout.shape.size());
    std::size_t step = 1;
    for (auto axis = layout.axisOrder.rbegin(); axis != layout.axisOrder.rend(); ++axis) {
        steps[*axis] = step;
        step *= layout.shape[*axis];
    }
    return steps;
}

}  // namespace

NpyHeader decodeNpyHeader(std::span<const std::byte> bytes, const std::filesystem::path& subject) {
    if (!asText(bytes).starts_with(kNpyMagic))
        throw NotThisFormat({subject.string(), "byte 0", "is not a numpy array (.npy)",
                             "Save it with numpy.save."});
    ByteCursor cursor(bytes, subject);
    cursor.read(kNpyMagic.size());
    const std::uint64_t version = cursor.readLittleEndian(1);
    cursor.read(1);
    if (version < 1 || version > 3)
        cursor.failAt(kNpyMagic.size(),
                      fmt::format(".npy version {}, but only 1 to 3 are supported", version),
                      "Save it again with numpy.save.");
    const std::uint64_t length = cursor.readLittleEndian(version == 1 ? 2 : 4);
    if (length > kMaxNpyHeader)
        cursor.fail(fmt::format("a header of {} bytes, but at most {} are accepted", length,
                                kMaxNpyHeader));
    const std::string_view text = cursor.readText(length);
    Header header = HeaderParser(text, cursor).parse();
    if (!header.descr || !header.isFortranOrder || !header.shape)
        cursor.fail("the array's header lacks descr, fortran_order or shape");
    const std::optional<NumpyType> type = parseNumpyType(*header.descr);
    return {std::move(*header.descr), type, *header.isFortranOrder, std::move(*header.shape),
            cursor.offset()};
}

Array decodeNpy(std::span<const std::byte> bytes, const std::filesystem::path& subject) {
    return arrayOf(decodeNpyHeader(bytes, subject), bytes, subject);
}

std::optional<NumpyType> parseNumpyType(std::string_view text) {
    NumpyType type;
    if (!text.empty() && std::string_view("<>|=").find(text[0]) != std::string_view::npos) {
        type.isBigEndian = text[0] == '>';
        text.remove_prefix(1);
    }
    if (text == "?") text = "b1";
    const std::optional<DType> dtype = findDType(&DTypeInfo::numpy, text);
    if (!dtype) return std::nullopt;
    type.dtype = *dtype;
    return type;
}

NumpyLayout NumpyLayout::of(NumpyType type, std::vector<std::size_t> shape, bool fortran) {
    NumpyLayout layout{type, std::move(shape), {}};
    layout.axisOrder.resize(layout.shape.size());
    std::iota(layout.axisOrder.begin(), layout.axisOrder.end(), std::size_t{0});
    if (fortran) std::ranges::reverse(layout.axisOrder);
    return layout;
}

std::optional<Array> arrayFromNumpy(const NumpyLayout& layout, std::span<const std::byte> bytes) {
    if (byteCount(layout.type.dtype, layout.shape) != bytes.size()) return std::nullopt;
    Array array{layout.type.dtype, layout.shape, {}};
    if (std::ranges::is_sorted(layout.axisOrder)) {
        array.data.assign(bytes.begin(), bytes.end());
    } else {
        array.data.resize(bytes.size());
        gather(bytes, 0, sourceSteps(layout), array);
    }
    if (layout.type.isBigEndian) swapByteOrder(array.data, dtypeSize(array.dtype));
    return array;
}

}  // namespace threefold
