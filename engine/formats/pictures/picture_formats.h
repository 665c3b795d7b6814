#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace threefold {

/// File name extension of a picture that is read, in lower case, and its format's name.
struct PictureExtension {
    std::string_view extension;
    std::string_view format;
};
inline constexpr PictureExtension kPictureExtensions[] = {
    {".png", "PNG"},   {".jpg", "JPEG"},  {".jpeg", "JPEG"}, {".webp", "WebP"},
    {".heic", "HEIC"}, {".heif", "HEIC"}, {".avif", "AVIF"},
};

/// Whether the file's name ends like a picture's, in lower case or capitals.
bool hasPictureExtension(const std::filesystem::path& file);

/// Names of all formats, the last one after `last`: "PNG, JPEG, WebP, HEIC or AVIF".
std::string pictureFormatNames(std::string_view last = ", ");

}  // namespace threefold
