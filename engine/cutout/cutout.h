#pragma once

#include <filesystem>
#include <string>

#include "engine/board/sheet_layout.h"
#include "engine/formats/pictures/image.h"

namespace threefold {

/// Mask of the object in a photograph, from its colours.
struct Cutout {
    Image mask;           ///< of the photograph's size: white on the object, black elsewhere
    double fraction = 0;  ///< fraction of object pixels, 0 to 1
    std::string warning;  ///< why the mask may be wrong, a sentence; empty: none
};

/// Separates the object in the middle of a photograph from the background seen at its border.
/// - Method: GrabCut (Rother, Kolmogorov, Blake: "GrabCut", SIGGRAPH 2004), first at up to 320
///   pixels a side, starting from pixels that differ in colour from the border; then at up to 700,
///   in a band along the outline, which snapOutline() moves at up to 1400. The first step takes the
///   outermost 4 % for background. Ignores alpha.
/// - Sheet: the print of `sheet` is background if two of its markers are seen. The first step is
///   then repeated if the object's colour differs from black print, and begins anew if no object
///   was found, since an object may be coloured like paper in deep shade.
/// - Cost: half a second on one core, a second for 12 megapixels, more if the first step is
///   repeated; 5 bytes of memory for each pixel, because a photograph that is moved in is released
///   before the mask is made.
///
/// Deterministic, thread-safe. Throws InputError: fewer than 32 pixels a side, a picture too narrow
/// for an outline, no object was found, OpenCV failed, or a build without OpenCV. `subject` names
/// the photograph in errors.
Cutout cutOut(Image photograph, const board::SheetLayout& sheet = board::printedBoard(),
              const std::filesystem::path& subject = "photograph");

}  // namespace threefold
