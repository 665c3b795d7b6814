#include "ui/document/view_stamp.h"

#include <system_error>

#include "engine/formats/pictures/mask_paths.h"
#include "engine/sample/sample_views.h"

namespace threefold::ui {

std::optional<ViewStamp> stampOf(const Sample& sample, int view) {
    const std::filesystem::path& file = sample.images.at(static_cast<std::size_t>(view));
    std::error_code error;
    ViewStamp stamp;
    stamp.size = std::filesystem::file_size(file, error);
    if (!error) stamp.written = std::filesystem::last_write_time(file, error);
    if (error) return std::nullopt;
    const std::filesystem::path mask = maskFileOf(sample, view);
    if (mask.empty()) return stamp;
    stamp.maskSize = std::filesystem::file_size(mask, error);
    if (!error) stamp.maskWritten = std::filesystem::last_write_time(mask, error);
    if (error) return std::nullopt;
    return stamp;
}

}  // namespace threefold::ui
