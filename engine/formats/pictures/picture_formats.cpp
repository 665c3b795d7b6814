#include "engine/formats/pictures/picture_formats.h"

#include <algorithm>
#include <vector>

#include "engine/formats/text/text_encoding.h"

namespace threefold {

bool isPictureName(const std::filesystem::path& file) {
    return !file.filename().string().starts_with('.') &&
           std::ranges::find(kPictureExtensions, lowered(file.extension().string()),
                             &PictureExtension::extension) != std::end(kPictureExtensions);
}

std::string pictureFormatNames(std::string_view last) {
    std::vector<std::string_view> names;
    for (const PictureExtension& each : kPictureExtensions)
        if (names.empty() || names.back() != each.format) names.push_back(each.format);
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i > 0) text += i + 1 < names.size() ? ", " : last;
        text += names[i];
    }
    return text;
}

}  // namespace threefold
