#include "tests/engine/raster/drawing.h"

#include "engine/raster/draw.h"

namespace threefold::test {

RasterImage Drawer::draw(std::span<const glm::vec4> clip, const Faces& faces,
                         const RasterOptions& options) const {
    RasterImage image;
    drawInto(image, clip, faces, options);
    return image;
}

void Drawer::drawInto(RasterImage& image, std::span<const glm::vec4> clip, const Faces& faces,
                      const RasterOptions& options) const {
    if (kernels == nullptr) {
        RasterOptions own = options;
        own.choice.tier = tier;
        own.threads = threads;
        const std::span<const glm::vec4> views[] = {clip};
        return rasterize(views, faces, own, {&image, 1});
    }
    image.width = options.width;
    image.height = options.height;
    const std::size_t pixels = std::size_t{options.width} * options.height;
    image.facePlusOne.resize(pixels);
    image.barycentric.resize(pixels);
    image.depth.resize(options.wantDepth ? pixels : 0);
    const raster::ScreenProjection projection(options.width, options.height, options.nearDepth);
    const raster::SnappedView snapped = raster::snapView(clip, faces, projection, threads);
    raster::drawTiles(snapped, *kernels, threads, options, options.peeling.previousDepths, image);
}

std::vector<Drawer> drawers() {
    std::vector<Drawer> drawers = {{"basic", RasterTier::basic}, {"tiled", RasterTier::tiled}};
    for (const raster::TileKernels* kernels : raster::runnableTileKernels()) {
        drawers.push_back({std::string(kernels->name), RasterTier::vectorised, kernels});
    }
    return drawers;
}

std::vector<Drawer> allDrawers() {
    std::vector<Drawer> all = drawers();
    all.push_back({"tiledThreads", RasterTier::tiled, nullptr, 3});
    all.push_back({"vectorised", RasterTier::vectorised, nullptr, 0});
    for (const raster::TileKernels* kernels : raster::runnableTileKernels()) {
        all.push_back({std::string(kernels->name) + "Threads", RasterTier::vectorised, kernels, 3});
    }
    return all;
}

RasterOptions optionsForSize(std::uint32_t width, std::uint32_t height) {
    RasterOptions options;
    options.width = width;
    options.height = height;
    options.wantDepth = true;
    return options;
}

}  // namespace threefold::test
