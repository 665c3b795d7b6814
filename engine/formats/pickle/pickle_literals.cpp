#include "engine/formats/pickle/pickle_literals.h"

#include <algorithm>
#include <charconv>

namespace threefold::pickle {
namespace {

template <typename Number>
std::optional<Number> parseWhole(std::string_view line) {
    Number value{};
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value);
    if (error != std::errc{} || end != line.data() + line.size()) return std::nullopt;
    return value;
}

}  // namespace

std::optional<std::int64_t> fromDecimal(std::string_view line) {
    return parseWhole<std::int64_t>(line);
}

std::optional<double> fromDecimalFloat(std::string_view line) {
    return parseWhole<double>(line);
}

std::optional<std::int64_t> fromTwosComplement(std::span<const std::byte> bytes) {
    const bool negative = !bytes.empty() && (bytes.back() & std::byte{0x80}) != std::byte{0};
    const std::byte sign = negative ? std::byte{0xff} : std::byte{0};
    const std::size_t used = std::min<std::size_t>(bytes.size(), sizeof(std::int64_t));
    std::uint64_t value = negative ? ~std::uint64_t{0} : 0;
    for (std::size_t i = used; i-- > 0;)
        value = value << 8 | std::to_integer<std::uint64_t>(bytes[i]);

    // Longer ones may only repeat the sign.
    const auto rest = bytes.subspan(used);
    const bool repeats =
        std::all_of(rest.begin(), rest.end(), [&](std::byte byte) { return byte == sign; });
    const auto result = static_cast<std::int64_t>(value);
    if (!repeats || (result < 0) != negative) return std::nullopt;
    return result;
}

}  // namespace threefold::pickle
