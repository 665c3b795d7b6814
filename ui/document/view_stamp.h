#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "engine/sample/sample.h"

namespace threefold::ui {

/// Size and modification time of a view's photograph and mask file, to detect changes by other
/// programs. A missing mask has size and time 0.
struct ViewStamp {
    std::uintmax_t size = 0;
    std::filesystem::file_time_type written = {};
    std::uintmax_t maskSize = 0;
    std::filesystem::file_time_type maskWritten = {};

    bool operator==(const ViewStamp&) const = default;
};

/// Current stamp of a view's files; none if a file's size or time cannot be read. Throws
/// std::out_of_range for a view that the sample lacks. Thread-safe.
std::optional<ViewStamp> stampOf(const Sample& sample, int view);

}  // namespace threefold::ui
