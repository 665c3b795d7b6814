#pragma once

#include <vector>

namespace threefold::fitting {

/// Blurs a square image, row by row, about as a Gaussian with this standard deviation in pixels
/// does: three means over neighbours along rows and columns each (Wells 1986), whose variance is
/// exact. Beyond the image all is 0. A deviation of 0 changes nothing.
void blur(std::vector<float>& values, int side, float deviation);

}  // namespace threefold::fitting
