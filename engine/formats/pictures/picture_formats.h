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

/// Whether a file's name is that of a picture: it ends with one of kPictureExtensions, in lower
/// case or capitals, and is not hidden.
bool isPictureName(const std::filesystem::path& file);

/// Names of all formats, separated by ", ", the last two by `last`. With " or ": "PNG, JPEG, WebP,
/// HEIC or AVIF".
std::string pictureFormatNames(std::string_view last = ", ");

}  // namespace threefold
