#pragma once

#include <vector>

namespace threefold::fitting {

/// Approximates a Gaussian blur of a square image, stored row by row, by three box filters along
/// the rows and three along the columns (Wells 1986). `sigma`: standard deviation in pixels; its
/// square, the variance, is met exactly. Pixels beyond the image are 0. A sigma of 0 changes
/// nothing.
void gaussianBlur(std::vector<float>& values, int side, float sigma);

}  // namespace threefold::fitting
