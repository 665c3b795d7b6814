#include "engine/raster/rasterize.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/compute/parallel.h"
#include "engine/error.h"
#include "engine/raster/device_raster.h"
#include "engine/raster/draw.h"
#include "engine/raster/snapped_view.h"

namespace threefold {
namespace {

using raster::ScreenProjection;
using raster::SnappedView;
using raster::usefulThreads;

constexpr const char* kSubject = "rasteriser";
constexpr std::size_t kElementsPerBlock = 16384;
constexpr std::size_t kFacesPerStep = 16;  // faces checked in one step of usefulThreads()

[[noreturn]] void refuse(std::string place, std::string problem, std::string remedy) {
    throw InputError({kSubject, std::move(place), std::move(problem), std::move(remedy)});
}

void requireValidSize(const RasterOptions& options) {
    for (const std::uint32_t side : {options.width, options.height}) {
        if (side >= 1 && side <= kMaxRasterSide) continue;
        refuse("", fmt::format("the image is {} × {} pixels", options.width, options.height),
               fmt::format("Choose sides of 1 to {} pixels.", kMaxRasterSide));
    }
    if (!std::isfinite(options.nearDepth) || !std::isfinite(options.peeling.minGap))
        refuse("", "the near depth or the gap of peeling is not a finite number", "");
}

/// Calls check(first, last) for blocks that cover 0…count−1. Returns the lowest result below
/// `count`, or `count` if there is none.
template <class Check>
std::size_t firstBad(int threads, std::size_t count, Check check) {
    std::atomic<std::size_t> bad = count;
    const std::size_t blocks = (count + kElementsPerBlock - 1) / kElementsPerBlock;
    parallelFor(threads, blocks, {}, [&](std::size_t block, std::size_t) {
        const std::size_t first = block * kElementsPerBlock;
        const std::size_t result = check(first, std::min(count, first + kElementsPerBlock));
        if (result >= count) return;
        std::size_t before = bad;
        while (result < before && !bad.compare_exchange_weak(before, result)) {
        }
    });
    return bad;
}

void requireValidIndices(const Faces& faces, std::size_t vertices, int threads) {
    if (faces.empty() || vertices == 0)
        refuse("", fmt::format("a mesh of {} vertices and {} faces", vertices, faces.size()),
               "There must be at least one face.");
    if (faces.size() >= raster::kClippedFlag)
        refuse("", fmt::format("{} faces", faces.size()), "Draw fewer than 2^31 at once.");
    const std::size_t bad =
        firstBad(threads, faces.size(), [&](std::size_t first, std::size_t last) {
            std::uint32_t maxIndex = 0;
            for (std::size_t f = first; f < last; ++f)
                maxIndex = std::max({maxIndex, faces[f].x, faces[f].y, faces[f].z});
            if (maxIndex < vertices) return faces.size();
            const auto match = std::find_if(faces.begin() + static_cast<std::ptrdiff_t>(first),
                                            faces.end(), [&](const glm::u32vec3& f) {
                                                return std::max({f.x, f.y, f.z}) >= vertices;
                                            });
            return static_cast<std::size_t>(match - faces.begin());
        });
    if (bad == faces.size()) return;
    const glm::u32vec3& face = faces[bad];
    refuse(fmt::format("face {}", bad),
           fmt::format("names the vertex {}, but the number of vertices is {}",
                       std::max({face.x, face.y, face.z}), vertices),
           "Indices begin at 0.");
}

/// Tests the bits, which the compiler can vectorise.
bool isFinite(const glm::vec4& v) {
    constexpr std::uint32_t kExponent = 0x7F800000U;
    const auto finite = [](float x) -> int {
        return (std::bit_cast<std::uint32_t>(x) & kExponent) != kExponent;
    };
    return (finite(v.x) & finite(v.y) & finite(v.z) & finite(v.w)) != 0;
}

void requireValidVertices(std::span<const glm::vec4> clip, std::size_t view, int threads) {
    const std::size_t bad =
        firstBad(threads, clip.size(), [&](std::size_t first, std::size_t last) {
            bool finite = true;
            for (std::size_t i = first; i < last; ++i) finite &= isFinite(clip[i]);
            if (finite) return clip.size();
            while (isFinite(clip[first])) ++first;
            return first;
        });
    if (bad == clip.size()) return;
    refuse(fmt::format("view {}, vertex {}", view, bad), "its coordinates are not finite numbers",
           "Remove or repair the vertex, or check the view's matrix.");
}

void requireValidPreviousDepths(const RasterOptions& options, std::size_t views) {
    const std::span<const float> previousDepths = options.peeling.previousDepths;
    if (previousDepths.empty()) return;
    const std::size_t expected = views * options.width * options.height;
    if (previousDepths.size() != expected)
        refuse("previous depths", fmt::format("{} values, not {}", previousDepths.size(), expected),
               "There must be one for each pixel of each view.");
    const auto bad = std::ranges::find_if(previousDepths, [](float d) { return std::isnan(d); });
    if (bad != previousDepths.end())
        refuse("previous depths", fmt::format("value {} is NaN", bad - previousDepths.begin()), "");
}

int threadsOf(const RasterOptions& options) {
    if (options.choice.tier == RasterTier::basic) return 1;
    return resolveThreadCount(options.threads);
}

const raster::TileKernels& kernelsOf(std::string_view instructions) {
    for (const raster::TileKernels* kernels : raster::runnableTileKernels())
        if (instructions.empty() || kernels->name == instructions) return *kernels;
    throw DeviceError(
        {kSubject, "", fmt::format("this processor has no {}", instructions),
         fmt::format("Choose one of: {}.", fmt::join(runnableRasterInstructions(), ", "))});
}

bool mayTryDevice(const RasterOptions& options, std::size_t faces) {
    const double work = static_cast<double>(faces) * options.width * options.height;
    return options.choice.tier == RasterTier::automatic && options.choice.deviceRaster &&
           options.choice.fallback && work >= kMinTrianglePixelsForGpu &&
           !options.choice.fallback->gaveUp;
}

void giveUpDevice(RasterFallback& fallback, LogLevel level, const DeviceError& error) {
    if (fallback.gaveUp.exchange(true) || !fallback.log) return;
    fallback.log(
        level, fmt::format("rasteriser: uses the processor instead of the GPU: {}", error.what()));
}

/// Resizes in steps, and checks the stop token before each: 16 million pixels of memory that was
/// not touched before take a tenth of a second. Throws Cancelled.
template <class Value>
void resizePixels(std::vector<Value>& values, std::size_t size, const std::stop_token& cancel) {
    constexpr std::size_t kStep = std::size_t{1} << 20U;
    values.reserve(size);
    while (values.size() < size) {
        if (cancel.stop_requested()) throw Cancelled();
        values.resize(std::min(size, values.size() + kStep));
    }
    values.resize(size);
}

void drawView(std::span<const glm::vec4> clip, const Faces& faces, const RasterOptions& options,
              std::span<const float> previousDepths, int threads,
              raster::DeviceRaster::Drawing* device, RasterImage& image) {
    const std::size_t pixels = std::size_t{options.width} * options.height;
    image.width = options.width;
    image.height = options.height;
    resizePixels(image.facePlusOne, pixels, options.cancel);
    resizePixels(image.barycentric, options.wantBarycentric ? pixels : 0, options.cancel);
    resizePixels(image.depth, options.wantDepth ? pixels : 0, options.cancel);
    image.degenerateFaceCount = 0;
    image.tier = device != nullptr                              ? RasterTier::cuda
                 : options.choice.tier == RasterTier::automatic ? RasterTier::vectorised
                                                                : options.choice.tier;
    const ScreenProjection projection(options.width, options.height, options.nearDepth);
    const SnappedView snapped = raster::snapView(clip, faces, projection, threads);
    if (device != nullptr) {
        device->draw(snapped, previousDepths, image);
    } else if (options.choice.tier == RasterTier::basic) {
        raster::drawBasic(snapped, options, previousDepths, image);
    } else if (options.choice.tier == RasterTier::tiled) {
        raster::drawTiles(snapped, raster::kScalarTiles, threads, options, previousDepths, image);
    } else {
        raster::drawTiles(snapped, kernelsOf(options.instructions), threads, options,
                          previousDepths, image);
    }
}

/// Throws InputError, and DeviceError if the processor lacks the instructions: see rasterize().
void requireValidInput(std::span<const std::span<const glm::vec4>> views, const Faces& faces,
                       const RasterOptions& options, std::size_t imageCount, int threads) {
    requireValidSize(options);
    if (imageCount != views.size())
        refuse("", fmt::format("{} images for {} views", imageCount, views.size()), "");
    for (std::size_t v = 0; v < views.size(); ++v) {
        const int checkThreads = usefulThreads(threads, faces.size() / kFacesPerStep, 0);
        if (v == 0 || views[v].size() != views[v - 1].size())
            requireValidIndices(faces, views[v].size(), checkThreads);
        requireValidVertices(views[v], v, checkThreads);
    }
    requireValidPreviousDepths(options, views.size());
    if (options.choice.tier != RasterTier::cuda) kernelsOf(options.instructions);
}

/// Drawing of checked views.
struct ViewsDrawing {
    std::span<const std::span<const glm::vec4>> views;
    const Faces& faces;
    const RasterOptions& options;
    std::span<RasterImage> images;
    int threads;

    /// Draws on the device, if the options ask for it. False where the processor has to draw: no
    /// device is tried, or `automatic` fell back.
    bool drawOnDevice() const {
        const bool mayFallBack = mayTryDevice(options, faces.size());
        if (!mayFallBack && options.choice.tier != RasterTier::cuda) return false;
        if (!options.choice.deviceRaster)
            throw DeviceError({kSubject, "", "the tier 'cuda' needs a device", ""});
        LogLevel failureLevel = LogLevel::debug;
        try {
            const std::shared_ptr<raster::DeviceRaster> device = options.choice.deviceRaster();
            failureLevel = LogLevel::warning;
            const auto drawing = device->begin(faces, options);
            drawOneByOne(drawing.get());
            drawing->finish();
            return true;
        } catch (const DeviceError& error) {
            if (!mayFallBack) throw;
            giveUpDevice(*options.choice.fallback, failureLevel, error);
            return false;
        }
    }

    void drawOnProcessor() const {
        const auto threadCount = static_cast<std::size_t>(threads);
        // Threads that draw different views never wait for each other; threads that share a view
        // wait after each of its stages. So views are drawn one by one only if there are too few to
        // keep all threads busy.
        if (views.size() < 2 * threadCount && views.size() != threadCount)
            return drawOneByOne(nullptr);
        const int outer =
            usefulThreads(threads, faces.size() * views.size(), pixels() * views.size());
        parallelFor(outer, views.size(), options.cancel,
                    [&](std::size_t v, std::size_t) { draw(v, 1, nullptr); });
    }

  private:
    std::size_t pixels() const { return std::size_t{options.width} * options.height; }

    void drawOneByOne(raster::DeviceRaster::Drawing* drawing) const {
        const int inner = usefulThreads(threads, faces.size(), pixels());
        parallelFor(1, views.size(), options.cancel,
                    [&](std::size_t v, std::size_t) { draw(v, inner, drawing); });
    }

    void draw(std::size_t v, int innerThreads, raster::DeviceRaster::Drawing* drawing) const {
        std::span<const float> previousDepths = options.peeling.previousDepths;
        if (!previousDepths.empty())
            previousDepths = previousDepths.subspan(v * pixels(), pixels());
        drawView(views[v], faces, options, previousDepths, innerThreads, drawing, images[v]);
    }
};

}  // namespace

int raster::usefulThreads(int threads, std::size_t faces, std::size_t pixels) {
    constexpr std::size_t kStepsPerFace = 4;
    // RasterTier::vectorised takes about 0.7 ms for these steps. With less work a second thread
    // gains less than 0.3 ms, and on busy cores all threads wait milliseconds for it.
    constexpr std::size_t kStepsPerThread = 1 << 18;
    const std::size_t useful = 1 + (faces * kStepsPerFace + pixels) / kStepsPerThread;
    return static_cast<int>(std::min(useful, static_cast<std::size_t>(threads)));
}

std::string_view rasterTierName(RasterTier tier) {
    switch (tier) {
        case RasterTier::automatic:
            return "automatic";
        case RasterTier::cuda:
            return "cuda";
        case RasterTier::vectorised:
            return "vectorised";
        case RasterTier::tiled:
            return "tiled";
        case RasterTier::basic:
            break;
    }
    return "basic";
}

std::vector<std::string_view> runnableRasterInstructions() {
    std::vector<std::string_view> available;
    for (const raster::TileKernels* kernels : raster::runnableTileKernels())
        available.emplace_back(kernels->name);
    return available;
}

void rasterize(std::span<const std::span<const glm::vec4>> views, const Faces& faces,
               const RasterOptions& options, std::span<RasterImage> images) {
    const int threads = threadsOf(options);
    requireValidInput(views, faces, options, images.size(), threads);
    const ViewsDrawing drawing{views, faces, options, images, threads};
    if (!drawing.drawOnDevice()) drawing.drawOnProcessor();
}

std::vector<RasterImage> rasterize(std::span<const std::span<const glm::vec4>> views,
                                   const Faces& faces, const RasterOptions& options) {
    std::vector<RasterImage> images(views.size());
    rasterize(views, faces, options, images);
    return images;
}

std::vector<RasterImage> rasterize(const Mesh& mesh, std::span<const glm::mat4> views,
                                   const RasterOptions& options) {
    std::vector<std::vector<glm::vec4>> clip(views.size());
    const int threads = usefulThreads(threadsOf(options), mesh.vertices.size() * views.size(), 0);
    parallelFor(threads, views.size(), options.cancel, [&](std::size_t v, std::size_t) {
        clip[v].reserve(mesh.vertices.size());
        for (const glm::vec3& p : mesh.vertices) clip[v].push_back(views[v] * glm::vec4(p, 1));
    });
    const std::vector<std::span<const glm::vec4>> spans(clip.begin(), clip.end());
    return rasterize(spans, mesh.faces, options);
}

}  // namespace threefold
