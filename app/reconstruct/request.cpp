#include "app/reconstruct/request.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/error.h"
#include "engine/sample/network_input.h"

namespace threefold {
namespace {

[[noreturn]] void throwViews(const std::vector<int>& views, std::string problem) {
    throw UsageError({"--views", fmt::format("{}", fmt::join(views, ",")), std::move(problem),
                      fmt::format("Name {} to {} different views, such as --views 0,6,7.",
                                  kFewestViews, kMostViews)});
}

}  // namespace

void checkViews(const std::vector<int>& views) {
    if (views.size() < kFewestViews || views.size() > kMostViews) {
        throwViews(views, fmt::format("{} view{} asked for, expected {} to {}", views.size(),
                                      views.size() == 1 ? "" : "s", kFewestViews, kMostViews));
    }
    std::vector<int> sorted = views;
    std::sort(sorted.begin(), sorted.end());
    if (sorted.front() < 0) throwViews(views, "a view cannot be negative");
    const auto repeated = std::adjacent_find(sorted.begin(), sorted.end());
    if (repeated != sorted.end()) {
        throwViews(views, fmt::format("view {} is named more than once", *repeated));
    }
}

}  // namespace threefold
