#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/bounding_box.h"
#include "engine/photo_cameras/progress_callbacks.h"
#include "engine/text.h"

namespace threefold {

/// Options of every search for cameras.
struct CameraSearchOptions {
    bool overwrite = false;  ///< replaces a cameras.json of another program
    ProgressCallbacks callbacks = {};
};

/// One photograph of a search for cameras.
struct CameraPhoto {
    std::filesystem::path file;
    std::string problem = {};      ///< why the photograph has no camera; empty: it has one
    std::string maskWarning = {};  ///< why the mask may be wrong; empty: no warning
    std::string maskError = {};    ///< why there is no mask; empty: there is a mask, or no camera
};

/// Result of a search for cameras.
struct CameraSearchResult {
    std::filesystem::path cameraFile;     ///< path of the written cameras.json
    std::string unit = "unknown";         ///< of the cameras' world: "mm", "m" or "unknown"
    bool isUpKnown = true;                ///< whether the world's z axis points up
    std::optional<Box3d> objectBox = {};  ///< in `unit`; nullopt: nothing bounds the object
    double milliseconds = 0;
};

/// Problems, mask errors and mask warnings of the photographs that have them, in the order of the
/// photographs.
template <class Photographs>
std::vector<std::string> problemsAndWarningsOf(const Photographs& photographs) {
    std::vector<std::string> texts;
    for (const CameraPhoto& photo : photographs)
        for (const std::string& text : {photo.problem, photo.maskError, photo.maskWarning})
            if (!text.empty()) texts.push_back(text);
    return texts;
}

/// Photographs of these files, in the natural order of the files' names (naturalLess()).
template <std::derived_from<CameraPhoto> Photograph>
std::vector<Photograph> sortedByName(std::span<const std::filesystem::path> files) {
    std::vector<Photograph> photographs(files.size());
    for (std::size_t i = 0; i < files.size(); ++i) photographs[i].file = files[i];
    std::ranges::stable_sort(photographs, naturalLess, [](const Photograph& photograph) {
        return photograph.file.filename().native();
    });
    return photographs;
}

}  // namespace threefold
