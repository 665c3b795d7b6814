#include "render/occlusion.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <shaders/code.h>

#include "render/recording.h"
#include "render/render_pass.h"
#include "resources/shaders/shared.h"

namespace threefold::render {
namespace {

constexpr VkFormat kShareFormat = VK_FORMAT_R8_UNORM;
constexpr float kRadius = 0.28F;     // share of the largest mesh's radius
constexpr float kMostReach = 64.0F;  // logical pixels
constexpr float kStrength = 1.0F;
constexpr int kBlurReach = 2;

float reachOf(const Scene& scene) {
    return kMostReach * pixelRatioOf(scene);
}

SamplerHandle makeSampler(const Device& device) {
    const VkSamplerCreateInfo info{.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                   .magFilter = VK_FILTER_NEAREST,
                                   .minFilter = VK_FILTER_NEAREST,
                                   .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                   .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                   .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE};
    return {device.handle(), VK_CREATE(vkCreateSampler, device.handle(), info)};
}

// One image, cleared and drawn, then read by fragment shaders. Frames in flight share the image:
// each waits until the shaders of the one before have read it.
RenderPassHandle makePass(const Device& device, VkFormat format) {
    const bool isDepth = format == kDepthFormat;
    const VkImageLayout drawn = isDepth ? VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL
                                        : VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
    const VkPipelineStageFlags stages = isDepth ? VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT |
                                                      VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT
                                                : VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
    const VkAccessFlags writes = isDepth ? VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT
                                         : VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
    const VkAccessFlags reads =
        isDepth ? VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT : VK_ACCESS_COLOR_ATTACHMENT_READ_BIT;
    const VkAttachmentDescription image =
        drawnImage(format, VK_SAMPLE_COUNT_1_BIT, VK_ATTACHMENT_STORE_OP_STORE,
                   isDepth ? VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL
                           : VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    const VkAttachmentReference reference{0, drawn};
    const VkSubpassDescription subpass{.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                       .colorAttachmentCount = isDepth ? 0U : 1U,
                                       .pColorAttachments = isDepth ? nullptr : &reference,
                                       .pDepthStencilAttachment = isDepth ? &reference : nullptr};
    const std::array waits{
        VkSubpassDependency{.srcSubpass = VK_SUBPASS_EXTERNAL,
                            .dstSubpass = 0,
                            .srcStageMask = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT | stages,
                            .dstStageMask = stages,
                            .srcAccessMask = writes,
                            .dstAccessMask = reads | writes},
        VkSubpassDependency{.srcSubpass = 0,
                            .dstSubpass = VK_SUBPASS_EXTERNAL,
                            .srcStageMask = stages,
                            .dstStageMask = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
                            .srcAccessMask = writes,
                            .dstAccessMask = VK_ACCESS_SHADER_READ_BIT}};
    return makeRenderPass(device, {&image, 1}, subpass, waits);
}

shared::OcclusionConstants constantsOf(const Scene& scene, const Pane& pane, const PaneView& view,
                                       float largest) {
    const glm::vec2 size = sizeOf(view.whole);
    const glm::mat4 projection = pane.camera.projectionMatrix(size.x / size.y);
    const glm::vec2 begin(view.seen.x, view.seen.y);
    return {
        .projection = {projection[0][0], projection[1][1]},
        .middle = middleOf(view.whole),
        .wholeSize = size,
        .seenBegin = begin,
        .seenEnd = begin + sizeOf(view.seen),
        .origin = scene.tile ? glm::vec2(scene.tile->x & 3, scene.tile->y & 3) : glm::vec2(0.0F),
        .nearPlane = -projection[3][2],
        .radius = kRadius * largest,
        .mostPixels = reachOf(scene),
        .strength = kStrength};
}

// The largest radius of the surfaces in a pane; 0 if there is none.
float largestRadius(const Pane& pane, const std::vector<PreparedLayer>& layers) {
    float largest = 0.0F;
    for (std::size_t i = 0; i < layers.size(); ++i)
        if (layers[i].mesh && !pane.layers[i].unlit)
            largest = std::max(largest, layers[i].mesh->radius);
    return largest;
}

}  // namespace

struct Occlusion::Images {
    Images(const Occlusion& owner, VkExtent2D size)
        : extent(size),
          depth(owner.device_,
                {kDepthFormat, size, VK_SAMPLE_COUNT_1_BIT,
                 VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT}),
          shares(owner.device_, shareForm(size)),
          blurred(owner.device_, shareForm(size)),
          depthFramebuffer(framebuffer(owner, owner.depthPass_, depth)),
          shareFramebuffer(framebuffer(owner, owner.sharePass_, shares)),
          blurredFramebuffer(framebuffer(owner, owner.sharePass_, blurred)) {
        descriptors = makeDescriptorSet(
            owner.device_, owner.set_.get(),
            {boundImage(shared::kDepthBinding, owner.sampler_.get(), depth.view(),
                        VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL),
             boundImage(shared::kOccludedBinding, owner.sampler_.get(), shares.view(),
                        VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL)});
        layerDescriptors = makeDescriptorSet(
            owner.device_, owner.depthPipelines_.occlusionSet(),
            {boundImage(shared::kOcclusionBinding, owner.sampler_.get(), blurred.view(),
                        VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL)});
    }

    FramebufferHandle framebuffer(const Occlusion& owner, const RenderPassHandle& pass,
                                  const Attachment& image) const {
        const VkImageView view = image.view();
        return makeFramebuffer(owner.device_, pass.get(), {&view, 1}, extent);
    }
    static Attachment::Form shareForm(VkExtent2D size) {
        return {kShareFormat, size, VK_SAMPLE_COUNT_1_BIT,
                VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT};
    }

    VkExtent2D extent;
    Attachment depth, shares, blurred;
    FramebufferHandle depthFramebuffer, shareFramebuffer, blurredFramebuffer;
    DescriptorSet descriptors, layerDescriptors;
};

int occlusionReach(const Scene& scene) {
    return showsOcclusion(scene) ? static_cast<int>(std::ceil(reachOf(scene))) + kBlurReach + 2 : 0;
}

Occlusion::Occlusion(const Device& device)
    : device_(device),
      sampler_(makeSampler(device)),
      set_(makeSetLayout(device,
                         {{shared::kDepthBinding, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1,
                           VK_SHADER_STAGE_FRAGMENT_BIT},
                          {shared::kOccludedBinding, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1,
                           VK_SHADER_STAGE_FRAGMENT_BIT}})),
      layout_(makePipelineLayout(device, {set_.get()}, sizeof(shared::OcclusionConstants))),
      depthPass_(makePass(device, kDepthFormat)),
      sharePass_(makePass(device, kShareFormat)),
      depthPipelines_(device, depthPass_.get(), VK_SAMPLE_COUNT_1_BIT) {
    PipelineForm form{.vertexCode = kWholeVertex,
                      .fragmentCode = kOcclusionFragment,
                      .use = PipelineUse::overlaid,
                      .layout = layout_.get(),
                      .pass = sharePass_.get()};
    sharePipeline_ = makePipeline(device, form);
    form.fragmentCode = kOcclusionBlurFragment;
    blurPipeline_ = makePipeline(device, form);
}

void Occlusion::prepare(VkCommandBuffer commands, const Scene& scene, LayerPainter& layers,
                        const PreparedScene& prepared, std::span<const PaneView> views,
                        VkExtent2D extent, KeptAlive& kept) {
    if (!images_ || !sameSize(images_->extent, extent))
        images_ = std::make_shared<Images>(*this, extent);
    kept.push_back(images_);

    VkClearValue farthest{};
    farthest.depthStencil = {1.0F, 0};
    const auto begin = [&](const RenderPassHandle& pass, const FramebufferHandle& framebuffer,
                           const VkClearValue& clear) {
        beginPass(commands, pass.get(), framebuffer.get(), extent, {&clear, 1});
    };
    begin(depthPass_, images_->depthFramebuffer, farthest);
    layers.recordDepth(commands, scene, prepared, views, depthPipelines_);
    vkCmdEndRenderPass(commands);
    begin(sharePass_, images_->shareFramebuffer, {});
    recordShares(commands, scene, prepared, views, sharePipeline_.get());
    vkCmdEndRenderPass(commands);
    begin(sharePass_, images_->blurredFramebuffer, {});
    recordShares(commands, scene, prepared, views, blurPipeline_.get());
    vkCmdEndRenderPass(commands);
}

VkDescriptorSet Occlusion::shares() const {
    return images_->layerDescriptors.set;
}

void Occlusion::recordShares(VkCommandBuffer commands, const Scene& scene,
                             const PreparedScene& prepared, std::span<const PaneView> views,
                             VkPipeline pipeline) const {
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout_.get(), 0, 1,
                            &images_->descriptors.set, 0, nullptr);
    for (std::size_t i = 0; i < prepared.size(); ++i) {
        const float largest = largestRadius(scene.panes[i], prepared[i]);
        if (isEmpty(views[i].seen) || !(largest > 0.0F)) continue;
        const shared::OcclusionConstants constants =
            constantsOf(scene, scene.panes[i], views[i], largest);
        setViewport(commands, views[i].seen);
        setScissor(commands, views[i].seen);
        vkCmdPushConstants(commands, layout_.get(), kConstantStages, 0, sizeof(constants),
                           &constants);
        vkCmdDraw(commands, 3, 1, 0, 0);
    }
}

}  // namespace threefold::render
