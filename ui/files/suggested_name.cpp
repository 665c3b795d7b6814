#include "ui/files/suggested_name.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/sample/data_set.h"

namespace threefold::ui {

std::string suggestedName(const Sample& sample, std::span<const int> views) {
    const std::string title = categoryName(sample.category);
    std::string name = title.empty() ? sample.category : title;
    if (!name.empty()) name += '_';
    return fmt::format("{}{}_{}", name, sample.id, fmt::join(views, "-"));
}

}  // namespace threefold::ui
