#pragma once

#include <memory>
#include <span>

#include "engine/raster/rasterize.h"
#include "engine/raster/snapped_view.h"

namespace threefold::raster {

/// Rasteriser on a device, with the results of drawBasic(): equal bit for bit, except barycentrics
/// (within 1e-5). Keeps device memory and a mesh's data between calls. Thread-safe.
class DeviceRaster {
  public:
    /// Draws views of one mesh. If destroyed before finish(), drops unfinished images. One thread.
    class Drawing {
      public:
        Drawing() = default;
        Drawing(const Drawing&) = delete;
        Drawing& operator=(const Drawing&) = delete;
        virtual ~Drawing() = default;

        /// Begins to draw a view into `image`, which already has the view's size; `previousDepths`
        /// is empty or holds the depths of the view's previous layer. `image` and `previousDepths`
        /// must live until finish() returns, `snapped` until draw() does. Throws DeviceError, and
        /// Cancelled between copies and launches, with the images in any state.
        virtual void draw(const SnappedView& snapped, std::span<const float> previousDepths,
                          RasterImage& image) = 0;
        /// Waits until all images are complete. Throws as draw() does.
        virtual void finish() = 0;
    };

    DeviceRaster() = default;
    DeviceRaster(const DeviceRaster&) = delete;
    DeviceRaster& operator=(const DeviceRaster&) = delete;
    virtual ~DeviceRaster() = default;

    /// Begins a drawing of views with these faces (see RasterOptions::facesCacheKey), which must
    /// outlive the drawing. Waits until the previous drawing is destroyed. Throws DeviceError,
    /// Cancelled.
    virtual std::unique_ptr<Drawing> begin(const Faces& faces, const RasterOptions& options) = 0;
};

}  // namespace threefold::raster
