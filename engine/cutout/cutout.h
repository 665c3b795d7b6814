#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/board/sheet_layout.h"
#include "engine/formats/pictures/image.h"

namespace threefold {

/// Mask of the object in a photograph, from its colours.
struct Cutout {
    Image mask;           ///< of the photograph's size: white on the object, black elsewhere
    double fraction = 0;  ///< fraction of object pixels, 0 to 1
    std::string warning;  ///< why the mask may be wrong, a sentence; empty: none
};

/// Separates the object in the middle of a photograph from the background seen at its border, by
/// GrabCut (Rother, Kolmogorov, Blake: "GrabCut", SIGGRAPH 2004): first at up to 320 pixels a side,
/// starting from pixels that differ in colour from the border; then at up to 700, in a band along
/// the outline. The outermost 4 % never belong to the object. What `sheet` prints, where two of its
/// markers are seen, is background. Ignores alpha. Deterministic,
/// thread-safe. Takes half a second on one core, a second for 12 megapixels; 5 bytes of memory for
/// each pixel, as a photograph that is moved in is released before the mask is made. Throws
/// InputError: fewer than 32 pixels a side, a strip, no object was found, or a build without
/// OpenCV. `subject` names the photograph in errors.
Cutout cutOut(Image photograph, const board::SheetLayout& sheet = board::printedBoard(),
              const std::filesystem::path& subject = "photograph");

/// Result of cutOutFiles() for one photograph.
struct CutoutFile {
    std::filesystem::path photograph;
    std::filesystem::path mask;  ///< ownMaskFile(), or the mask that existed before
    /// Nothing was written: the photograph had a mask, transparent pixels or a white background.
    bool hadMask = false;
    double fraction = 0;      ///< Cutout::fraction of a new mask
    double milliseconds = 0;  ///< reading, cutting out and writing
    std::string warning;      ///< Cutout::warning, with the file names
    std::string error;        ///< why there is no mask; empty: there is one, or none is needed
};

/// Mask files, keyed by the canonical path of their photograph.
using NamedMasks = std::map<std::filesystem::path, std::filesystem::path>;

/// Masks named by camera files beside or above the photographs. Skips camera files that cannot be
/// read: reading their cameras reports the error. Throws Cancelled.
NamedMasks masksNamedByCameras(std::span<const std::filesystem::path> photographs,
                               const std::stop_token& cancel = {});

/// Options of cutOutFiles().
struct CutoutOptions {
    bool overwrite = false;  ///< makes masks also for photographs that have one
    NamedMasks named = {};   ///< masks beside those that maskFileOf() finds
    /// Sheet that the objects lie on; null: that of the cameras.json beside a photograph, else the
    /// printed board.
    const board::SheetLayout* sheet = nullptr;
    /// Called after each photograph, from worker threads, one at a time, in any order.
    std::function<void(const CutoutFile&)> onDone = {};
};

/// Writes a mask for each photograph that has none by maskFileOf(), in CutoutOptions::named, or by
/// transparency or a white background. Never writes the photograph itself. An existing mask is an
/// error if it cannot be read, has another size, shows no object, or may belong to another
/// photograph. Errors end only their photograph, in CutoutFile::error. Runs on all threads, but has
/// at most 32 megapixels for each of them in work, or one photograph. Throws Cancelled.
std::vector<CutoutFile> cutOutFiles(std::span<const std::filesystem::path> photographs,
                                    const CutoutOptions& options = {},
                                    const std::stop_token& cancel = {});

}  // namespace threefold
