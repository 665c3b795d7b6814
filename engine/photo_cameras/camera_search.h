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
    std::string problem = {};      ///< why there is no camera; empty: there is one
    std::string maskWarning = {};  ///< about the mask; empty: none
    std::string maskError = {};    ///< why there is no mask; empty: there is one, or no camera
};

/// Result of a search for cameras.
struct CameraSearchResult {
    std::filesystem::path cameraFile;     ///< the cameras.json written
    std::string unit = "unknown";         ///< of the cameras' world: "mm", "m" or "unknown"
    bool isUpKnown = true;                ///< whether world z is up
    std::optional<Box3d> objectBox = {};  ///< in `unit`; nullopt: nothing bounds the object
    double milliseconds = 0;
};

/// Problems, mask errors and mask warnings of photographs, photograph by photograph, without empty
/// ones.
template <class Photographs>
std::vector<std::string> problemsAndWarningsOf(const Photographs& photographs) {
    std::vector<std::string> texts;
    for (const CameraPhoto& photo : photographs)
        for (const std::string& text : {photo.problem, photo.maskError, photo.maskWarning})
            if (!text.empty()) texts.push_back(text);
    return texts;
}

/// Photographs of these files, sorted by name, numbers in names by value.
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
