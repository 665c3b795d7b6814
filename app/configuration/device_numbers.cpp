#include "app/configuration/device_numbers.h"

#include <algorithm>
#include <charconv>

namespace threefold {

std::optional<std::vector<int>> deviceNumbers(std::string_view text) {
    constexpr int kLargest = 1024;
    std::vector<int> numbers;
    const char* next = text.data();
    const char* const end = next + text.size();
    while (true) {
        int number = -1;
        const auto [after, error] = std::from_chars(next, end, number);
        if (error != std::errc() || number < 0 || number > kLargest) return std::nullopt;
        if (std::ranges::find(numbers, number) != numbers.end()) return std::nullopt;
        numbers.push_back(number);
        if (after == end) return numbers;
        if (*after != ',') return std::nullopt;
        next = after + 1;
    }
}

}  // namespace threefold
