#pragma once

#include <array>
#include <random>
#include <utility>

#include "engine/views/camera.h"
#include "engine/views/mask.h"

namespace threefold {

/// Kinds of deliberate errors in a mask.
enum class MaskCorruption { partLost, backgroundIn, otherObject, shifted, empty };
constexpr std::array<std::pair<MaskCorruption, const char*>, 5> kMaskCorruptions{
    {{MaskCorruption::partLost, "part lost"},
     {MaskCorruption::backgroundIn, "background in"},
     {MaskCorruption::otherObject, "other object"},
     {MaskCorruption::shifted, "shifted"},
     {MaskCorruption::empty, "empty"}}};

/// Copy of a mask with an error; `other` is another object's mask of any size.
Mask corrupt(MaskCorruption how, const Mask& mask, const Mask& other, std::mt19937& random);

/// Rotates the camera around its centre so that a picture of 224 pixels a side moves by about
/// `pixels`. Moves parts of the outline by up to as many pixels of the mask along each axis.
void disturb(Camera& camera, Mask& mask, double pixels, std::mt19937& random);

}  // namespace threefold
