#include "render/render_pass.h"

#include <array>

#include "render/device_choice.h"
#include "render/vulkan_check.h"

namespace threefold::render {
namespace {

VkAttachmentDescription transient(VkFormat format, VkSampleCountFlagBits samples,
                                  VkImageLayout layout) {
    return {.format = format,
            .samples = samples,
            .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
            .storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
            .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
            .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
            .initialLayout = VK_IMAGE_LAYOUT_UNDEFINED,
            .finalLayout = layout};
}

VkAttachmentDescription result(const PassForm& form, VkAttachmentLoadOp load) {
    VkAttachmentDescription description =
        transient(form.format, VK_SAMPLE_COUNT_1_BIT, form.finalLayout);
    description.loadOp = load;
    description.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    return description;
}

bool multisampled(const PassForm& form) {
    return form.samples != VK_SAMPLE_COUNT_1_BIT;
}

// Frames in flight share colour and depth images, so each waits for the one before; and what
// follows the pass (a copy of the picture) waits for the pass.
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
    VkPhysicalDeviceProperties properties{};
    vkGetPhysicalDeviceProperties(device.physical(), &properties);
    const VkSampleCountFlags both = properties.limits.framebufferColorSampleCounts &
                                    properties.limits.framebufferDepthSampleCounts;
    if ((both & VK_SAMPLE_COUNT_4_BIT) != 0) return VK_SAMPLE_COUNT_4_BIT;
    if ((both & VK_SAMPLE_COUNT_2_BIT) != 0) return VK_SAMPLE_COUNT_2_BIT;
    return VK_SAMPLE_COUNT_1_BIT;
}

RenderPassHandle makeRenderPass(const Device& device, const PassForm& form) {
    std::vector<VkAttachmentDescription> attachments;
    if (multisampled(form)) {
        attachments = {
            transient(form.format, form.samples, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL),
            transient(kDepthFormat, form.samples, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL),
            result(form, VK_ATTACHMENT_LOAD_OP_DONT_CARE)};
    } else {
        attachments = {result(form, VK_ATTACHMENT_LOAD_OP_CLEAR),
                       transient(kDepthFormat, form.samples,
                                 VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL)};
    }
    const VkAttachmentReference colour{0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    const VkAttachmentReference depth{1, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
    const VkAttachmentReference resolve{2, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    const VkSubpassDescription subpass{
        .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
        .colorAttachmentCount = 1,
        .pColorAttachments = &colour,
        .pResolveAttachments = multisampled(form) ? &resolve : nullptr,
        .pDepthStencilAttachment = &depth};
    const auto waits = dependencies();
    const VkRenderPassCreateInfo info{
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
        .attachmentCount = static_cast<std::uint32_t>(attachments.size()),
        .pAttachments = attachments.data(),
        .subpassCount = 1,
        .pSubpasses = &subpass,
        .dependencyCount = static_cast<std::uint32_t>(waits.size()),
        .pDependencies = waits.data()};
    VkRenderPass pass = VK_NULL_HANDLE;
    VK_CHECK(vkCreateRenderPass(device.handle(), &info, nullptr, &pass));
    return {device.handle(), pass};
}

PassImages::PassImages(const Device& device, const PassForm& form, VkExtent2D extent)
    : device_(device), extent_(extent) {
    constexpr VkImageUsageFlags kTransient = VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT;
    if (multisampled(form)) {
        attachments_.emplace_back(device,
                                  Attachment::Form{form.format, extent, form.samples,
                                                   VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | kTransient,
                                                   VK_IMAGE_ASPECT_COLOR_BIT});
    }
    attachments_.emplace_back(
        device, Attachment::Form{kDepthFormat, extent, form.samples,
                                 VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | kTransient,
                                 VK_IMAGE_ASPECT_DEPTH_BIT});
}

FramebufferHandle PassImages::makeFramebuffer(VkRenderPass pass, VkImageView target) const {
    VkImageView depth = attachments_.back().view();
    std::vector<VkImageView> views{target, depth};
    if (attachments_.size() > 1) views = {attachments_.front().view(), depth, target};
    const VkFramebufferCreateInfo info{.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                       .renderPass = pass,
                                       .attachmentCount = static_cast<std::uint32_t>(views.size()),
                                       .pAttachments = views.data(),
                                       .width = extent_.width,
                                       .height = extent_.height,
                                       .layers = 1};
    VkFramebuffer framebuffer = VK_NULL_HANDLE;
    VK_CHECK(vkCreateFramebuffer(device_.handle(), &info, nullptr, &framebuffer));
    return {device_.handle(), framebuffer};
}

}  // namespace threefold::render
