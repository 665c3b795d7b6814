#include "app/console/nearest_name.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace threefold {
namespace {

/// Damerau–Levenshtein distance, restricted form (optimal string alignment).
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    std::vector<std::size_t> next(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        next[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const bool same = a[i - 1] == b[j - 1];
            next[j] = std::min({row[j] + 1, next[j - 1] + 1, row[j - 1] + (same ? 0 : 1)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                next[j] = std::min(next[j], before[j - 2] + 1);
        }
        before.swap(row);
        row.swap(next);
    }
    return row.back();
}

}  // namespace

std::string nearestName(std::string_view typed, std::span<const std::string> names) {
    const std::string* nearest = nullptr;
    std::size_t minDistance = 0;
    for (const std::string& name : names) {
        const std::size_t longer = std::max(typed.size(), name.size());
        const std::size_t shorter = std::min(typed.size(), name.size());
        if (longer - shorter > longer / 3) continue;  // no misspelling
        const std::size_t edits = distance(typed, name);
        if (edits > std::max<std::size_t>(1, longer / 3)) continue;
        if (nearest != nullptr && edits >= minDistance) continue;
        nearest = &name;
        minDistance = edits;
    }
    return nearest == nullptr ? std::string() : *nearest;
}

}  // namespace threefold
