#include "engine/views/left_out_view.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace threefold {

bool isLeftOut(std::span<const LeftOutView> leftOut, int view) {
    return std::ranges::find(leftOut, view, &LeftOutView::view) != leftOut.end();
}

std::vector<int> viewNumbersOf(std::span<const LeftOutView> leftOut) {
    std::vector<int> numbers;
    for (const LeftOutView& each : leftOut) numbers.push_back(each.view);
    return numbers;
}

std::vector<std::string> remarksOf(std::span<const LeftOutView> leftOut,
                                   std::span<const std::string> notes) {
    std::vector<std::pair<std::string_view, std::vector<int>>> byReason;
    for (const LeftOutView& each : leftOut) {
        auto same = std::ranges::find(byReason, std::string_view(each.reason),
                                      &decltype(byReason)::value_type::first);
        if (same == byReason.end()) same = byReason.emplace(same, each.reason, std::vector<int>{});
        same->second.push_back(each.view);
    }
    std::vector<std::string> remarks;
    for (const auto& [reason, numbers] : byReason)
        remarks.push_back(fmt::format("view{} {}: {}", numbers.size() == 1 ? "" : "s",
                                      fmt::join(numbers, ", "), reason));
    remarks.insert(remarks.end(), notes.begin(), notes.end());
    return remarks;
}

}  // namespace threefold
