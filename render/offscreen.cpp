#include "render/offscreen.h"

#include <algorithm>
#include <array>
#include <climits>
#include <cmath>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "render/ambient_occlusion.h"
#include "render/vulkan_check.h"

namespace threefold::render {
namespace {

void checkSize(int width, int height, std::uint32_t maxWidth, std::uint32_t maxHeight) {
    if (width > 0 && height > 0 && static_cast<std::uint32_t>(width) <= maxWidth &&
        static_cast<std::uint32_t>(height) <= maxHeight)
        return;
    throw InputError(
        {"picture", "",
         fmt::format("size {}×{}, expected 1×1 to {}×{}", width, height, maxWidth, maxHeight),
         "Choose another size."});
}

std::uint8_t toByte(float value) {
    return static_cast<std::uint8_t>(std::lround(255.0F * std::clamp(value, 0.0F, 1.0F)));
}

glm::vec4 premultiplied(glm::vec4 background) {
    const float alpha = std::clamp(background.w, 0.0F, 1.0F);
    return {background.x * alpha, background.y * alpha, background.z * alpha, alpha};
}

// Converts RGBA bytes drawn over the premultiplied background to straight alpha. Pixels that show
// only the background get its exact bytes, round(255 × value).
void unpremultiply(std::span<std::uint8_t> rgba, glm::vec4 background) {
    if (background.w >= 1.0F) return;
    const std::array exact{toByte(background.x), toByte(background.y), toByte(background.z),
                           toByte(background.w)};
    for (std::size_t i = 0; i + 4 <= rgba.size(); i += 4) {
        const std::span<std::uint8_t> pixel = rgba.subspan(i, 4);
        const int alpha = pixel[3];
        // Drawing only adds alpha: a pixel with at most the background's alpha is not covered.
        if (alpha <= exact[3]) {
            std::ranges::copy(exact, pixel.begin());
            continue;
        }
        for (std::size_t c = 0; c < 3; ++c) {
            const int straight = (255 * pixel[c] + alpha / 2) / alpha;
            pixel[c] = static_cast<std::uint8_t>(std::min(255, straight));
        }
    }
}

void copyPicture(VkCommandBuffer commands, VkImage image, VkExtent2D extent, VkBuffer buffer) {
    const VkBufferImageCopy region{
        .imageSubresource = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT, .layerCount = 1},
        .imageExtent = {extent.width, extent.height, 1}};
    vkCmdCopyImageToBuffer(commands, image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, buffer, 1,
                           &region);
    const VkMemoryBarrier toHost{.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                 .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                 .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1,
                         &toHost, 0, nullptr, 0, nullptr);
}

void runAndWait(const Device& device, VkCommandBuffer commands) {
    const FenceHandle done = makeFence(device);
    const VkSubmitInfo submit{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                              .commandBufferCount = 1,
                              .pCommandBuffers = &commands};
    device.submit(submit, done.get());
    try {
        device.wait(done.get());
    } catch (const DeviceError&) {
        // The device may still use the fence, the commands and what they read.
        vkQueueWaitIdle(device.queue());
        throw;
    }
}

/// Size of the largest picture that the device draws.
VkExtent2D maxExtent(const Device& device) {
    const VkPhysicalDeviceLimits& limits = device.limits();
    return {std::min({limits.maxImageDimension2D, limits.maxFramebufferWidth,
                      limits.maxViewportDimensions[0]}),
            std::min({limits.maxImageDimension2D, limits.maxFramebufferHeight,
                      limits.maxViewportDimensions[1]})};
}

/// Side of the tiles along one axis: the requested one if the picture and the device allow it.
int tileSide(int requested, int whole, std::uint32_t maxSide, int margin) {
    const int room = static_cast<int>(std::min<std::uint32_t>(maxSide, INT_MAX)) - 2 * margin;
    return std::clamp(requested, 1, std::max(1, std::min(whole, room)));
}

// Begin of tile `i` along one axis. All tiles have the same size, so that OffscreenTarget reuses
// its canvas: the last tile overlaps the previous tile, with the same pixels.
int tileBegin(int i, int side, int whole) {
    return static_cast<int>(
        std::min(static_cast<std::int64_t>(i) * side, static_cast<std::int64_t>(whole) - side));
}

// Copies a tile without its margin into a band of rows, `rowBytes` each, at the column `left`.
void copyTile(const Image& tile, int margin, std::vector<std::uint8_t>& band, std::size_t rowBytes,
              int left) {
    const auto drawnBytes = static_cast<std::size_t>(tile.width) * 4;
    const auto tileBytes = static_cast<std::size_t>(tile.width - 2 * margin) * 4;
    const auto firstPixel = static_cast<std::size_t>(margin) * (drawnBytes + 4);
    for (std::size_t y = 0; y < static_cast<std::size_t>(tile.height - 2 * margin); ++y) {
        const auto source = std::span(tile.rgba).subspan(firstPixel + y * drawnBytes, tileBytes);
        const auto target =
            std::span(band).subspan(y * rowBytes + static_cast<std::size_t>(left) * 4);
        std::ranges::copy(source, target.begin());
    }
}

}  // namespace

const OffscreenTarget::Canvas& OffscreenTarget::canvasOf(VkExtent2D extent) {
    if (canvas_ && sameSize(canvas_->images.extent(), extent)) return *canvas_;
    canvas_.reset();
    Attachment picture(device_,
                       {kOffscreenFormat, extent, VK_SAMPLE_COUNT_1_BIT,
                        VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT});
    TransientAttachments images(device_, renderer_.passFormat(), extent);
    FramebufferHandle framebuffer = images.makeFramebuffer(renderer_.pass(), picture.view());
    Buffer pixels(device_, VkDeviceSize{4} * extent.width * extent.height,
                  VK_BUFFER_USAGE_TRANSFER_DST_BIT, MemoryUse::readback);
    return canvas_.emplace(
        Canvas{std::move(picture), std::move(images), std::move(framebuffer), std::move(pixels)});
}

OffscreenTarget::OffscreenTarget(const Device& device)
    : device_(device),
      renderer_(device, kOffscreenFormat, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL),
      commands_(device) {}

Image OffscreenTarget::draw(const Scene& scene, int width, int height) {
    const VkExtent2D maxSize = maxExtent(device_);
    checkSize(width, height, maxSize.width, maxSize.height);
    const VkExtent2D extent{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height)};
    const Canvas& canvas = canvasOf(extent);
    VkCommandBuffer commands = commands_.handle();
    FrameResources resources;

    commands_.begin();
    const PreparedScene prepared = renderer_.prepare(commands, scene, extent, resources);
    renderer_.record(commands, scene, prepared, premultiplied(scene.background),
                     canvas.framebuffer.get(), extent);
    copyPicture(commands, canvas.picture.image(), extent, canvas.pixels.handle());
    commands_.end();
    runAndWait(device_, commands);
    renderer_.markSubmitted();

    Image image{width, height, std::vector<std::uint8_t>(canvas.pixels.bytes().size())};
    std::memcpy(image.rgba.data(), canvas.pixels.bytes().data(), image.rgba.size());
    unpremultiply(image.rgba, scene.background);
    return image;
}

Image renderOffscreen(const Device& device, const Scene& scene, int width, int height) {
    return OffscreenTarget(device).draw(scene, width, height);
}

void renderTiled(const Device& device, const Scene& scene, int width, int height,
                 const RowsFunction& receive, const std::stop_token& cancel, TileSize tileSize) {
    constexpr std::uint32_t kMaxSide = 1U << 30U;
    if (scene.tile) throw InputError({"picture", "", "a tile cannot be drawn in tiles", ""});
    checkSize(width, height, kMaxSide, kMaxSide);
    // Neighbouring pixels within this margin determine a pixel's occlusion.
    const int margin = ambientOcclusionMargin(scene);
    const VkExtent2D maxSize = maxExtent(device);
    const int tileWidth = tileSide(tileSize.width, width, maxSize.width, margin);
    const int tileHeight = tileSide(tileSize.height, height, maxSize.height, margin);
    const auto rowBytes = static_cast<std::size_t>(width) * 4;
    std::vector<std::uint8_t> band(rowBytes * static_cast<std::size_t>(tileHeight));
    OffscreenTarget target(device);
    Scene tileScene = scene;
    const int drawnWidth = tileWidth + 2 * margin, drawnHeight = tileHeight + 2 * margin;
    for (int done = 0, row = 0; done < height; ++row) {
        const int top = tileBegin(row, tileHeight, height);
        for (int column = 0, right = 0; right < width; ++column) {
            if (cancel.stop_requested()) throw Cancelled();
            const int left = tileBegin(column, tileWidth, width);
            tileScene.tile = Tile{left - margin, top - margin, width, height};
            const Image tile = target.draw(tileScene, drawnWidth, drawnHeight);
            copyTile(tile, margin, band, rowBytes, left);
            right = left + tileWidth;
        }
        const auto repeated = static_cast<std::size_t>(done - top) * rowBytes;
        receive(std::span(band).subspan(repeated));
        done = top + tileHeight;
    }
}

}  // namespace threefold::render
