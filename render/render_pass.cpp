#include "render/render_pass.h"

#include <array>

#include "render/vulkan_check.h"

namespace threefold::render {
namespace {

bool multisampled(const PassFormat& passFormat) {
    return passFormat.samples != VK_SAMPLE_COUNT_1_BIT;
}

// Frames in flight share colour and depth images, so each frame waits for the previous one. Copies
// of the picture wait for the pass.
std::array<VkSubpassDependency, 2> dependencies() {
    constexpr VkPipelineStageFlags kAttachmentStages =
        VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT | VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT |
        VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT;
    constexpr VkAccessFlags kWrites =
        VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
    constexpr VkAccessFlags kReads =
        VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT;
    return {VkSubpassDependency{.srcSubpass = VK_SUBPASS_EXTERNAL,
                                .dstSubpass = 0,
                                .srcStageMask = kAttachmentStages,
                                .dstStageMask = kAttachmentStages,
                                .srcAccessMask = kWrites,
                                .dstAccessMask = kWrites | kReads},
            VkSubpassDependency{.srcSubpass = 0,
                                .dstSubpass = VK_SUBPASS_EXTERNAL,
                                .srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                                .dstStageMask = VK_PIPELINE_STAGE_TRANSFER_BIT,
                                .srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                                .dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT}};
}

}  // namespace

VkSampleCountFlagBits chooseSamples(const Device& device) {
    const VkSampleCountFlags counts =
        device.limits().framebufferColorSampleCounts & device.limits().framebufferDepthSampleCounts;
    if ((counts & VK_SAMPLE_COUNT_4_BIT) != 0) return VK_SAMPLE_COUNT_4_BIT;
    if ((counts & VK_SAMPLE_COUNT_2_BIT) != 0) return VK_SAMPLE_COUNT_2_BIT;
    return VK_SAMPLE_COUNT_1_BIT;
}

VkAttachmentDescription clearedAttachment(VkFormat format, VkSampleCountFlagBits samples,
                                          VkAttachmentStoreOp store, VkImageLayout finalLayout) {
    return {.format = format,
            .samples = samples,
            .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
            .storeOp = store,
            .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
            .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
            .initialLayout = VK_IMAGE_LAYOUT_UNDEFINED,
            .finalLayout = finalLayout};
}

RenderPassHandle makeRenderPass(const Device& device,
                                std::span<const VkAttachmentDescription> attachments,
                                const VkSubpassDescription& subpass,
                                std::span<const VkSubpassDependency> dependencies) {
    const VkRenderPassCreateInfo info{
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
        .attachmentCount = static_cast<std::uint32_t>(attachments.size()),
        .pAttachments = attachments.data(),
        .subpassCount = 1,
        .pSubpasses = &subpass,
        .dependencyCount = static_cast<std::uint32_t>(dependencies.size()),
        .pDependencies = dependencies.data()};
    return {device.handle(), VK_CREATE(vkCreateRenderPass, device.handle(), info)};
}

FramebufferHandle makeFramebuffer(const Device& device, VkRenderPass pass,
                                  std::span<const VkImageView> views, VkExtent2D extent) {
    const VkFramebufferCreateInfo info{.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                       .renderPass = pass,
                                       .attachmentCount = static_cast<std::uint32_t>(views.size()),
                                       .pAttachments = views.data(),
                                       .width = extent.width,
                                       .height = extent.height,
                                       .layers = 1};
    return {device.handle(), VK_CREATE(vkCreateFramebuffer, device.handle(), info)};
}

void beginPass(VkCommandBuffer commands, VkRenderPass pass, VkFramebuffer framebuffer,
               VkExtent2D extent, std::span<const VkClearValue> clears) {
    const VkRenderPassBeginInfo info{.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                     .renderPass = pass,
                                     .framebuffer = framebuffer,
                                     .renderArea = {.extent = extent},
                                     .clearValueCount = static_cast<std::uint32_t>(clears.size()),
                                     .pClearValues = clears.data()};
    vkCmdBeginRenderPass(commands, &info, VK_SUBPASS_CONTENTS_INLINE);
}

RenderPassHandle makeRenderPass(const Device& device, const PassFormat& passFormat) {
    VkAttachmentDescription result =
        clearedAttachment(passFormat.format, VK_SAMPLE_COUNT_1_BIT, VK_ATTACHMENT_STORE_OP_STORE,
                          passFormat.finalLayout);
    const VkAttachmentDescription depthImage =
        clearedAttachment(kDepthFormat, passFormat.samples, VK_ATTACHMENT_STORE_OP_DONT_CARE,
                          VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL);
    std::vector attachments{result, depthImage};
    if (multisampled(passFormat)) {
        result.loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
        attachments = {clearedAttachment(passFormat.format, passFormat.samples,
                                         VK_ATTACHMENT_STORE_OP_DONT_CARE,
                                         VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL),
                       depthImage, result};
    }
    const VkAttachmentReference colour{0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    const VkAttachmentReference depth{1, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
    const VkAttachmentReference resolve{2, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    const VkSubpassDescription subpass{
        .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
        .colorAttachmentCount = 1,
        .pColorAttachments = &colour,
        .pResolveAttachments = multisampled(passFormat) ? &resolve : nullptr,
        .pDepthStencilAttachment = &depth};
    return makeRenderPass(device, attachments, subpass, dependencies());
}

TransientAttachments::TransientAttachments(const Device& device, const PassFormat& passFormat,
                                           VkExtent2D extent)
    : device_(device), extent_(extent) {
    constexpr VkImageUsageFlags kTransient = VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT;
    if (multisampled(passFormat))
        attachments_.emplace_back(
            device, Attachment::Description{passFormat.format, extent, passFormat.samples,
                                            VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | kTransient});
    attachments_.emplace_back(
        device, Attachment::Description{kDepthFormat, extent, passFormat.samples,
                                        VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | kTransient});
}

FramebufferHandle TransientAttachments::makeFramebuffer(VkRenderPass pass,
                                                        VkImageView target) const {
    VkImageView depth = attachments_.back().view();
    std::vector<VkImageView> views{target, depth};
    if (attachments_.size() > 1) views = {attachments_.front().view(), depth, target};
    return render::makeFramebuffer(device_, pass, views, extent_);
}

}  // namespace threefold::render
