#include "engine/formats/pickle/pickle.h"

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/utf8.h"

namespace threefold {
namespace {

using namespace std::string_view_literals;

std::string_view numpyName(DType type) {
    const std::string_view name = infoOf(type).numpy;
    if (name.empty())
        throw InputError({"pickle", "", "numpy has no bfloat16", "Store the array as float32."});
    return name;
}

class Writer {
  public:
    std::string release() { return std::move(out_); }
    void raw(std::string_view bytes) { out_ += bytes; }

    void array(const Array& array) {
        global("numpy.core.multiarray", "_reconstruct");
        global("numpy", "ndarray");
        raw("K\0\x85"sv);
        bytes("b");
        raw("\x87R(K\1("sv);  // begins the state that BUILD sets: the shape and the rest
        for (const std::size_t side : array.shape) integer(side);
        raw("t"sv);
        type(array.dtype);
        raw("\x89"sv);  // not in Fortran order
        bytes({reinterpret_cast<const char*>(array.data.data()), array.data.size()});
        raw("tb"sv);
    }

  private:
    void global(std::string_view module, std::string_view name) {
        out_ += fmt::format("c{}\n{}\n", module, name);
    }
    void little(std::uint32_t value) {
        for (int shift = 0; shift < 32; shift += 8) out_ += static_cast<char>(value >> shift);
    }
    void integer(std::size_t value) {
        if (value > INT32_MAX)
            throw InputError({"pickle", "", fmt::format("a side of {} is too long", value), ""});
        out_ += 'J';
        little(static_cast<std::uint32_t>(value));
    }
    void text(std::string_view text) {
        out_ += 'X';
        little(static_cast<std::uint32_t>(text.size()));
        out_ += text;
    }
    void type(DType type) {
        global("numpy", "dtype");
        text(numpyName(type));
        raw("\x89\x88\x87R(K\3"sv);
        text(dtypeSize(type) == 1 ? "|" : "<");
        raw("NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\0tb"sv);
    }
    /// Writes each byte as the character of its number, in UTF-8.
    void bytes(std::string_view data) {
        std::string encoded;
        encoded.reserve(data.size() + data.size() / 2);
        for (const char c : data) appendUtf8(encoded, static_cast<unsigned char>(c));
        if (encoded.size() > UINT32_MAX)
            throw InputError({"pickle", "", "an array that takes more than 4 GiB in a pickle",
                              "Write fewer points."});
        global("_codecs", "encode");
        text(encoded);
        text("latin1");
        raw("\x86R"sv);
    }

    std::string out_;
};

}  // namespace

std::string formatPickle(std::span<const Array> arrays) {
    Writer writer;
    writer.raw("\x80\x02"sv);
    if (arrays.size() != 1) writer.raw("("sv);
    for (const Array& array : arrays) writer.array(array);
    if (arrays.size() != 1) writer.raw("t"sv);
    writer.raw("."sv);
    return writer.release();
}

}  // namespace threefold
