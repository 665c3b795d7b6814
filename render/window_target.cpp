#include "render/window_target.h"

#include <algorithm>
#include <array>

#include "engine/profile/stopwatch.h"
#include "render/recording.h"
#include "render/renderer.h"

namespace threefold::render {
namespace {

/// Size of a new swapchain: the size that the window system dictates, if any, else `requested`
/// within the device's limits. 0 by 0 while the window has no area.
VkExtent2D chooseExtent(const VkSurfaceCapabilitiesKHR& surface, VkExtent2D requested) {
    // Most window systems dictate the size; others return this value.
    constexpr std::uint32_t kUndictated = 0xFFFFFFFF;
    if (surface.currentExtent.width != kUndictated) return surface.currentExtent;
    return {
        std::clamp(requested.width, surface.minImageExtent.width, surface.maxImageExtent.width),
        std::clamp(requested.height, surface.minImageExtent.height, surface.maxImageExtent.height)};
}

VkPresentModeKHR choosePresentMode(const Device& device, VkSurfaceKHR surface) {
    const auto modes = VK_LIST(VkPresentModeKHR, vkGetPhysicalDeviceSurfacePresentModesKHR,
                               device.physicalDevice(), surface);
    // Mailbox neither tears nor blocks the event loop.
    const bool mailbox = std::ranges::find(modes, VK_PRESENT_MODE_MAILBOX_KHR) != modes.end();
    return mailbox ? VK_PRESENT_MODE_MAILBOX_KHR : VK_PRESENT_MODE_FIFO_KHR;
}

VkCompositeAlphaFlagBitsKHR chooseAlpha(const VkSurfaceCapabilitiesKHR& surface) {
    for (const VkCompositeAlphaFlagBitsKHR alpha :
         {VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR, VK_COMPOSITE_ALPHA_INHERIT_BIT_KHR,
          VK_COMPOSITE_ALPHA_PRE_MULTIPLIED_BIT_KHR})
        if ((surface.supportedCompositeAlpha & alpha) != 0) return alpha;
    return VK_COMPOSITE_ALPHA_POST_MULTIPLIED_BIT_KHR;
}

VkSurfaceCapabilitiesKHR capabilitiesOf(const Device& device, VkSurfaceKHR surface) {
    VkSurfaceCapabilitiesKHR capabilities{};
    VK_CHECK(
        vkGetPhysicalDeviceSurfaceCapabilitiesKHR(device.physicalDevice(), surface, &capabilities));
    return capabilities;
}

/// The window's 8-bit format without sRGB encoding, BGRA preferred. Throws DeviceError if there is
/// none.
VkSurfaceFormatKHR chooseSurfaceFormat(const Device& device, VkSurfaceKHR surface) {
    const auto formats = VK_LIST(VkSurfaceFormatKHR, vkGetPhysicalDeviceSurfaceFormatsKHR,
                                 device.physicalDevice(), surface);
    for (const VkFormat preferred :
         {VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_A8B8G8R8_UNORM_PACK32})
        for (const VkSurfaceFormatKHR& format : formats)
            if (format.format == preferred &&
                format.colorSpace == VK_COLOR_SPACE_SRGB_NONLINEAR_KHR)
                return format;
    throw DeviceError({"Vulkan", device.description().name,
                       "the window offers no 8-bit RGBA format that can be drawn into",
                       "Set the screen to a colour depth of 24 bits."});
}

// Samples per pixel for a scene. On a software device, four samples took 3.4 s instead of 2.5 s to
// the first picture of four million triangles and held 1.1 GB instead of 0.5: triangles that cover
// no pixel's centre are kept for their samples.
VkSampleCountFlagBits samplesFor(const Device& device, const Scene& scene) {
    constexpr std::size_t kMaxMultisampled = 1'000'000;
    std::size_t faces = 0;
    for (const Pane& pane : scene.panes)
        for (const Layer& layer : pane.layers) faces += layer.mesh ? layer.mesh->faces.size() : 0;
    return device.description().software && faces > kMaxMultisampled ? VK_SAMPLE_COUNT_1_BIT
                                                                     : chooseSamples(device);
}

// Images of a window at one size, with framebuffers and semaphores.
struct Swapchain {
    // Retires `old` without destroying it.
    Swapchain(const Device& device, VkSurfaceKHR surface,
              const VkSurfaceCapabilitiesKHR& capabilities, VkSurfaceFormatKHR format,
              const Renderer& renderer, VkExtent2D extent, VkSwapchainKHR old)
        : images(device, renderer.passFormat(), extent) {
        std::uint32_t imageCount = capabilities.minImageCount + 1;
        if (capabilities.maxImageCount > 0)
            imageCount = std::min(imageCount, capabilities.maxImageCount);
        const VkSwapchainCreateInfoKHR info{.sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
                                            .surface = surface,
                                            .minImageCount = imageCount,
                                            .imageFormat = format.format,
                                            .imageColorSpace = format.colorSpace,
                                            .imageExtent = extent,
                                            .imageArrayLayers = 1,
                                            .imageUsage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
                                            .imageSharingMode = VK_SHARING_MODE_EXCLUSIVE,
                                            .preTransform = capabilities.currentTransform,
                                            .compositeAlpha = chooseAlpha(capabilities),
                                            .presentMode = choosePresentMode(device, surface),
                                            .clipped = VK_TRUE,
                                            .oldSwapchain = old};
        handle = {device.handle(), VK_CREATE(vkCreateSwapchainKHR, device.handle(), info)};
        for (VkImage image :
             VK_LIST(VkImage, vkGetSwapchainImagesKHR, device.handle(), handle.get())) {
            views.push_back(makeImageView(device, image, format.format));
            framebuffers.push_back(images.makeFramebuffer(renderer.pass(), views.back().get()));
            renderFinished.push_back(makeSemaphore(device));
        }
    }

    SwapchainHandle handle;
    TransientAttachments images;
    std::vector<ImageViewHandle> views;
    std::vector<FramebufferHandle> framebuffers;
    std::vector<SemaphoreHandle> renderFinished;  // signalled by drawing, awaited by presenting
};

// Objects of one frame in flight.
struct Frame {
    explicit Frame(const Device& device)
        : commands(device),
          inFlight(makeSignalledFence(device)),
          imageAvailable(makeSemaphore(device)) {}

    CommandBuffer commands;
    FenceHandle inFlight;
    SemaphoreHandle imageAvailable;
    FrameResources resources;
};

}  // namespace

struct WindowTarget::State {
    const Device& device;
    VkSurfaceKHR surface;
    VkSurfaceFormatKHR format;
    Renderer renderer;
    std::array<Frame, 2> frames;
    std::size_t next = 0;
    // Semaphores of images that were acquired, but never drawn. Destroyed after the swapchain.
    std::vector<SemaphoreHandle> abandonedSemaphores;
    std::unique_ptr<Swapchain> swapchain;
    VkExtent2D requested{};  // size requested for `swapchain`
    FrameStatistics lastFrame;
    bool stale = false;  // the surface no longer fits `swapchain`

    State(const Device& onDevice, VkSurfaceKHR onSurface)
        : device(onDevice),
          surface(onSurface),
          format(chooseSurfaceFormat(device, surface)),
          renderer(device, format.format, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR),
          frames{Frame(device), Frame(device)} {}

    // Presenting has no fence: only an idle queue is certainly done with an image.
    ~State() { vkQueueWaitIdle(device.queue()); }

    void updateSamples(const Scene& scene) {
        const VkSampleCountFlagBits samples = samplesFor(device, scene);
        if (samples == renderer.passFormat().samples) return;
        VK_CHECK(vkQueueWaitIdle(device.queue()));
        for (Frame& frame : frames) frame.resources.clear();
        swapchain.reset();
        renderer.setSamples(samples);
    }

    bool updateSwapchain(VkExtent2D size) {
        const bool sameRequest = swapchain && sameSize(size, requested);
        // The window system may still report the old size: that alone is no reason for a new
        // swapchain.
        if (sameRequest && !stale &&
            (sameSize(swapchain->images.extent(), size) ||
             sameSize(swapchain->images.extent(),
                      chooseExtent(capabilitiesOf(device, surface), size))))
            return true;
        VK_CHECK(vkQueueWaitIdle(device.queue()));
        stale = true;
        const VkSurfaceCapabilitiesKHR capabilities = capabilitiesOf(device, surface);
        const VkExtent2D extent = chooseExtent(capabilities, size);
        if (extent.width == 0 || extent.height == 0) return false;
        swapchain =
            std::make_unique<Swapchain>(device, surface, capabilities, format, renderer, extent,
                                        swapchain ? swapchain->handle.get() : VK_NULL_HANDLE);
        abandonedSemaphores.clear();  // the queue was idle, and the old swapchain is gone
        requested = size;
        stale = false;
        return true;
    }

    std::optional<std::uint32_t> acquire(const Frame& frame) {
        // A hidden window may never get an image back; the event loop must not wait without limit.
        constexpr std::uint64_t kTimeout = 100'000'000;  // ns
        std::uint32_t index = 0;
        const VkResult result =
            vkAcquireNextImageKHR(device.handle(), swapchain->handle.get(), kTimeout,
                                  frame.imageAvailable.get(), VK_NULL_HANDLE, &index);
        if (result == VK_SUCCESS) return index;
        if (result == VK_TIMEOUT || result == VK_NOT_READY) return std::nullopt;
        stale = true;
        if (result == VK_SUBOPTIMAL_KHR) return index;
        if (result == VK_ERROR_OUT_OF_DATE_KHR) return std::nullopt;
        throwVulkan(result, "vkAcquireNextImageKHR", __FILE__, __LINE__);
    }

    void submit(const Frame& frame, VkSemaphore renderFinished) {
        VkSemaphore imageAvailable = frame.imageAvailable.get();
        VkFence inFlight = frame.inFlight.get();
        VkCommandBuffer commands = frame.commands.handle();
        const VkPipelineStageFlags waitStage = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
        const VkSubmitInfo info{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                .waitSemaphoreCount = 1,
                                .pWaitSemaphores = &imageAvailable,
                                .pWaitDstStageMask = &waitStage,
                                .commandBufferCount = 1,
                                .pCommandBuffers = &commands,
                                .signalSemaphoreCount = 1,
                                .pSignalSemaphores = &renderFinished};
        VK_CHECK(vkResetFences(device.handle(), 1, &inFlight));
        device.submit(info, inFlight);
        renderer.markSubmitted();
    }

    /// Makes a frame usable again after its image was acquired, but not submitted: the frame's
    /// fence may never be signalled, the semaphore stays signalled, and the swapchain lacks the
    /// image.
    void abandon(Frame& frame) {
        FenceHandle inFlight = makeSignalledFence(device);
        SemaphoreHandle imageAvailable = makeSemaphore(device);
        std::swap(frame.inFlight, inFlight);
        std::swap(frame.imageAvailable, imageAvailable);
        abandonedSemaphores.push_back(std::move(imageAvailable));
        frame.resources.clear();
        stale = true;
    }

    bool present(std::uint32_t index, VkSemaphore renderFinished) {
        VkSwapchainKHR handle = swapchain->handle.get();
        const VkPresentInfoKHR info{.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
                                    .waitSemaphoreCount = 1,
                                    .pWaitSemaphores = &renderFinished,
                                    .swapchainCount = 1,
                                    .pSwapchains = &handle,
                                    .pImageIndices = &index};
        const VkResult result = vkQueuePresentKHR(device.queue(), &info);
        if (result == VK_SUCCESS) return true;
        stale = true;
        if (result == VK_SUBOPTIMAL_KHR) return true;
        if (result == VK_ERROR_OUT_OF_DATE_KHR) return false;
        throwVulkan(result, "vkQueuePresentKHR", __FILE__, __LINE__);
    }
};

WindowTarget::WindowTarget(const Device& device, VkSurfaceKHR surface)
    : state_(std::make_unique<State>(device, surface)) {}

WindowTarget::~WindowTarget() = default;

bool WindowTarget::draw(const Scene& scene, int width, int height) {
    if (width <= 0 || height <= 0) return false;
    const auto start = std::chrono::steady_clock::now();
    const Stopwatch watch;
    State& state = *state_;
    Frame& frame = state.frames[state.next];
    state.device.wait(frame.inFlight.get());
    frame.resources.clear();

    state.updateSamples(scene);
    const VkExtent2D size{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height)};
    if (!state.updateSwapchain(size)) return false;
    frame.commands.begin();
    // Prepares before an image is acquired: an invalid mesh throws, and the image would be lost.
    const VkExtent2D extent = state.swapchain->images.extent();
    const PreparedScene prepared =
        state.renderer.prepare(frame.commands.handle(), scene, extent, frame.resources);
    const std::optional<std::uint32_t> index = state.acquire(frame);
    if (!index) return false;

    VkSemaphore renderFinished = state.swapchain->renderFinished[*index].get();
    try {
        const glm::vec4 clear(scene.background.x, scene.background.y, scene.background.z, 1.0F);
        state.renderer.record(frame.commands.handle(), scene, prepared, clear,
                              state.swapchain->framebuffers[*index].get(), extent);
        frame.commands.end();
        state.submit(frame, renderFinished);
    } catch (const VulkanDeviceLost&) {
        throw;
    } catch (...) {
        state.abandon(frame);
        throw;
    }
    state.next = (state.next + 1) % state.frames.size();
    const bool presented = state.present(*index, renderFinished);
    state.lastFrame = {start, watch.milliseconds(), state.renderer.profileMilliseconds(),
                       *state.device.allocatedBytes()};
    return presented;
}

FrameStatistics WindowTarget::lastFrame() const {
    return state_->lastFrame;
}

bool WindowTarget::isReady(const Scene& scene) const {
    return state_->renderer.isReady(scene);
}

void WindowTarget::startPreparing(const Scene& scene, const std::function<void()>& onReady) {
    state_->renderer.startPreparing(scene, onReady);
}

bool WindowTarget::lastFrameFits() const {
    const State& state = *state_;
    return state.swapchain && !state.stale &&
           sameSize(state.swapchain->images.extent(), state.requested);
}

}  // namespace threefold::render
