#pragma once

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/sample/sample.h"

namespace threefold {

/// Mask that contradicts the masks of the other photographs.
struct DoubtfulMask {
    int view = 0;
    std::filesystem::path photograph;
    std::string reason;  ///< hull::MaskContradiction::text()
};

/// Finds the masks of a sample's photographs that contradict the others, by
/// hull::findContradictions(), in the order of the views. Photographs that cannot be read or used,
/// and those without a mask, are not judged. Empty also for fewer than six masks, and for more
/// contradictions than masks alone explain. Takes about as long as reading the photographs. Throws
/// Cancelled, what loadMaskedViews() throws.
std::vector<DoubtfulMask> findDoubtfulMasks(const Sample& sample, const std::stop_token& cancel);

}  // namespace threefold
