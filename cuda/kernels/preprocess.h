#pragma once

#include <cstdint>

#include "cuda/kernels/element.h"
#include "cuda/runtime/stream.h"

namespace threefold::cuda {

/// One decoded image in device memory. The struct itself lies in device memory too, so that a
/// captured graph can be replayed with images of other sizes.
struct DeviceImage {
    const std::uint8_t* rgba = nullptr;  ///< (height, width, 4), 4-byte aligned
    int width = 0;                       ///< at least 1
    int height = 0;                      ///< at least 1
};

/// Preprocesses images (METHOD.md §3) in one kernel, bit-identical to threefold::preprocess():
/// fully transparent pixels become white, bilinear resize to 224×224, BGR, ÷ 255. `out`: (images,
/// 224, 224, channels) of `element`, rounded to nearest; channels ≥ 3, those beyond the third are
/// zero (convolutions need 4 or 8). `images` lies in device memory; images of different sizes share
/// a launch.
void launchPreprocess(Stream stream, const DeviceImage* images, int count, ElementType element,
                      int channels, void* out);

}  // namespace threefold::cuda
