#pragma once

#include <array>
#include <random>
#include <utility>

#include "engine/views/camera.h"
#include "engine/views/mask.h"

namespace threefold {

/// Ways of spoiling a mask on purpose.
enum class Spoiling { partLost, backgroundIn, otherObject, shifted, empty };
constexpr std::array<std::pair<Spoiling, const char*>, 5> kSpoilings{
    {{Spoiling::partLost, "part lost"},
     {Spoiling::backgroundIn, "background in"},
     {Spoiling::otherObject, "other object"},
     {Spoiling::shifted, "shifted"},
     {Spoiling::empty, "empty"}}};

/// A mask spoilt: `other` is another object's mask of any size.
Mask spoil(Spoiling how, const Mask& mask, const Mask& other, std::mt19937& random);

/// Turns the camera about its centre by about `pixels` of a picture of 224, and moves the outline
/// by as many pixels of the mask, here and there.
void disturb(Camera& camera, Mask& mask, double pixels, std::mt19937& random);

}  // namespace threefold
