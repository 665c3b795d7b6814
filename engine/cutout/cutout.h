#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/formats/pictures/image.h"

namespace threefold {

/// Where the object is in a photograph, as far as its colours tell.
struct Cutout {
    Image mask;         ///< of the photograph's size: white where the object is, black elsewhere
    double share = 0;   ///< of the pixels, 0 to 1
    std::string doubt;  ///< why it may be wrong, a sentence; empty: nothing speaks against it
};

/// Separates the object in a photograph's middle from the background that its border shows, by
/// GrabCut (Rother, Kolmogorov, Blake: "GrabCut", SIGGRAPH 2004): first of at most 320 pixels a
/// side, starting from what differs in colour from the border; then, at up to 700, in a band along
/// the outline. The outermost 4 % never belong to the object. Alpha does not count. The same
/// photograph gives the same mask. Thread-safe; takes half a second of a core, for 12 megapixels
/// one. Throws InputError: fewer than 32 pixels a side, a strip, no object was found, or a build
/// without OpenCV.
Cutout cutOut(const Image& photograph);

/// What became of one photograph.
struct CutoutFile {
    std::filesystem::path photograph;
    std::filesystem::path mask;  ///< ownMaskFile(); another one where that was there before
    bool wasCutOut = false;      ///< had a mask, transparent pixels or a white background
    double share = 0;            ///< as Cutout, of a new mask
    double milliseconds = 0;     ///< reading, cutting out and writing
    std::string doubt;           ///< as Cutout
    std::string error;           ///< why there is no mask; empty: there is one, or none is needed
};

/// Masks by photograph, a canonical path.
using NamedMasks = std::map<std::filesystem::path, std::filesystem::path>;

/// The masks that camera files beside or above the photographs name. A camera file that cannot be
/// read names none: who asks for its cameras gets the error. Throws Cancelled.
NamedMasks masksNamedByCameras(std::span<const std::filesystem::path> photographs,
                               const std::stop_token& cancel = {});

/// Writes a mask for each photograph that is not cut out already, be it by maskFileOf() or by a
/// mask in `named`, or, if `again`, for each; never
/// the photograph itself. A mask that cannot be read, is of another size, shows nothing, or may as
/// well be another photograph's is an error, not a cut-out. A photograph that fails is reported as
/// such, the others are done. Several at once; `done` is called from their threads, one at a time,
/// in any order. Throws Cancelled.
std::vector<CutoutFile> cutOutFiles(std::span<const std::filesystem::path> photographs, bool again,
                                    const std::stop_token& cancel,
                                    const std::function<void(const CutoutFile&)>& done = {},
                                    const NamedMasks& named = {});

}  // namespace threefold
