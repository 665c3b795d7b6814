#pragma once

#include <span>
#include <vector>

#include "engine/board/object_box.h"

namespace threefold::turntable {

/// The share of each outline's pixels behind which no point lies in all other outlines: what their
/// hull, which never leaves them, does not cover. About 0 for the right cameras. A pixel beside an
/// outline counts as its own: masks of some 200 pixels are meant. `object` is where all lies.
std::vector<double> uncoveredShares(std::span<const board::Outline> outlines,
                                    const board::ObjectBox& object);

}  // namespace threefold::turntable
