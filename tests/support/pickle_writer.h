#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

/// Functions that return the bytes of pickled values (protocol 2); pickled() makes a file of a
/// value.
namespace threefold::test::pickle {

inline std::string bytesOf32(std::uint32_t value) {
    std::string bytes(4, '\0');
    std::memcpy(bytes.data(), &value, 4);
    return bytes;
}

inline std::string integer(std::int32_t value) {
    return 'J' + bytesOf32(static_cast<std::uint32_t>(value));
}

inline std::string text(const std::string& value) {
    return 'X' + bytesOf32(static_cast<std::uint32_t>(value.size())) + value;
}

inline std::string sequence(char close, const std::vector<std::string>& items) {
    std::string bytes = "(";
    for (const std::string& item : items) bytes += item;
    return bytes + close;
}
inline std::string tuple(const std::vector<std::string>& items) {
    return sequence('t', items);
}
inline std::string list(const std::vector<std::string>& items) {
    return sequence('l', items);
}

inline std::string dict(const std::vector<std::pair<std::string, std::string>>& items) {
    std::string bytes = "(";
    for (const auto& [key, value] : items) bytes += text(key) + value;
    return bytes + 'd';
}

/// A numpy array in C order; `type` is numpy's dtype without byte order, such as "f4", "i8".
template <typename Value>
std::string array(const std::string& type, const std::vector<Value>& values,
                  const std::vector<std::size_t>& shape) {
    std::vector<std::string> sizes;
    sizes.reserve(shape.size());
    for (std::size_t size : shape) sizes.push_back(integer(static_cast<std::int32_t>(size)));
    std::string data(values.size() * sizeof(Value), '\0');
    if (!data.empty()) std::memcpy(data.data(), values.data(), data.size());
    const std::string zero("K\0", 2), one("K\1", 2), version("K\3", 2);
    const std::string dtype =
        "cnumpy\ndtype\n" + tuple({text(type), zero, one}) + 'R' +
        tuple({version, text("<"), "N", "N", "N", integer(-1), integer(-1), zero}) + 'b';
    const std::string blob = 'T' + bytesOf32(static_cast<std::uint32_t>(data.size())) + data;
    return "cnumpy.core.multiarray\n_reconstruct\n" +
           tuple({"cnumpy\nndarray\n", tuple({zero}), text("b")}) + 'R' +
           tuple({one, tuple(sizes), dtype, "\x89", blob}) + 'b';
}

inline std::string pickled(const std::string& value) {
    return "\x80\x02" + value + '.';
}

}  // namespace threefold::test::pickle
