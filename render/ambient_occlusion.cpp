#include "render/ambient_occlusion.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <shaders/code.h>

#include "render/recording.h"
#include "render/render_pass.h"
#include "resources/shaders/shared.h"

namespace threefold::render {
namespace {

constexpr VkFormat kOcclusionFormat = VK_FORMAT_R8_UNORM;
constexpr float kRadius = 0.28F;           // sampling radius ÷ radius of the largest mesh
constexpr float kMaxRadiusPixels = 64.0F;  // upper bound of the sampling radius, logical pixels
constexpr float kStrength = 1.0F;
constexpr int kBlurRadius = 2;

float maxRadiusPixels(const Scene& scene) {
    return kMaxRadiusPixels * pixelRatioOf(scene);
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

// Pass of one image, which is cleared, drawn, and then read by fragment shaders. Frames in flight
// share the image: each frame waits until the shaders of the previous frame have read it.
RenderPassHandle makeImagePass(const Device& device, VkFormat format) {
    const bool isDepth = format == kDepthFormat;
    const VkImageLayout attachmentLayout = isDepth
                                               ? VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL
                                               : VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
    const VkPipelineStageFlags stages = isDepth ? VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT |
                                                      VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT
                                                : VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
    const VkAccessFlags writes = isDepth ? VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT
                                         : VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
    const VkAccessFlags reads =
        isDepth ? VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT : VK_ACCESS_COLOR_ATTACHMENT_READ_BIT;
    const VkAttachmentDescription image =
        clearedAttachment(format, VK_SAMPLE_COUNT_1_BIT, VK_ATTACHMENT_STORE_OP_STORE,
                          isDepth ? VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL
                                  : VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    const VkAttachmentReference reference{0, attachmentLayout};
    const VkSubpassDescription subpass{.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                       .colorAttachmentCount = isDepth ? 0U : 1U,
                                       .pColorAttachments = isDepth ? nullptr : &reference,
                                       .pDepthStencilAttachment = isDepth ? &reference : nullptr};
    const std::array dependencies{
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
    return makeRenderPass(device, {&image, 1}, subpass, dependencies);
}

shared::OcclusionConstants constantsOf(const Scene& scene, const Pane& pane, const PaneView& view,
                                       float maxRadius) {
    const glm::vec2 size = sizeOf(view.whole);
    const glm::mat4 projection = pane.camera.projectionMatrix(size.x / size.y);
    const glm::vec2 begin(view.visible.x, view.visible.y);
    // The sampling pattern repeats every 4 pixels of the whole picture: keep its phase in tiles.
    constexpr int kPatternMask = 3;
    const glm::vec2 phase =
        scene.tile ? glm::vec2(scene.tile->x & kPatternMask, scene.tile->y & kPatternMask)
                   : glm::vec2(0.0F);
    return {.projection = {projection[0][0], projection[1][1]},
            .centre = centreOf(view.whole),
            .wholeSize = size,
            .seenBegin = begin,
            .seenEnd = begin + sizeOf(view.visible),
            .origin = phase,
            .nearPlane = -projection[3][2],
            .radius = kRadius * maxRadius,
            .maxPixels = maxRadiusPixels(scene),
            .strength = kStrength};
}

// Maximum radius of the lit meshes in a pane; 0 without such a mesh.
float largestRadius(const Pane& pane, const std::vector<PreparedLayer>& layers) {
    float maxRadius = 0.0F;
    for (std::size_t i = 0; i < layers.size(); ++i)
        if (layers[i].mesh && !pane.layers[i].unlit)
            maxRadius = std::max(maxRadius, layers[i].mesh->geometry.bounds.radius);
    return maxRadius;
}

}  // namespace

struct AmbientOcclusion::Images {
    Images(const AmbientOcclusion& owner, VkExtent2D size)
        : extent(size),
          depth(owner.device_,
                {kDepthFormat, size, VK_SAMPLE_COUNT_1_BIT,
                 VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT}),
          occlusion(owner.device_, occlusionDescription(size)),
          blurred(owner.device_, occlusionDescription(size)),
          depthFramebuffer(framebuffer(owner, owner.depthPass_, depth)),
          occlusionFramebuffer(framebuffer(owner, owner.occlusionPass_, occlusion)),
          blurredFramebuffer(framebuffer(owner, owner.occlusionPass_, blurred)) {
        descriptors = makeDescriptorSet(
            owner.device_, owner.setLayout_.get(),
            {imageBinding(shared::kDepthBinding, owner.sampler_.get(), depth.view(),
                          VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL),
             imageBinding(shared::kOccludedBinding, owner.sampler_.get(), occlusion.view(),
                          VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL)});
        layerDescriptors = makeDescriptorSet(
            owner.device_, owner.depthPipelines_.ambientOcclusionSetLayout(),
            {imageBinding(shared::kOcclusionBinding, owner.sampler_.get(), blurred.view(),
                          VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL)});
    }

    FramebufferHandle framebuffer(const AmbientOcclusion& owner, const RenderPassHandle& pass,
                                  const Attachment& image) const {
        const VkImageView view = image.view();
        return makeFramebuffer(owner.device_, pass.get(), {&view, 1}, extent);
    }
    static Attachment::Description occlusionDescription(VkExtent2D size) {
        return {kOcclusionFormat, size, VK_SAMPLE_COUNT_1_BIT,
                VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT};
    }

    VkExtent2D extent;
    Attachment depth, occlusion, blurred;
    FramebufferHandle depthFramebuffer, occlusionFramebuffer, blurredFramebuffer;
    DescriptorSet descriptors, layerDescriptors;
};

int ambientOcclusionMargin(const Scene& scene) {
    return showsAmbientOcclusion(scene)
               ? static_cast<int>(std::ceil(maxRadiusPixels(scene))) + kBlurRadius + 2
               : 0;
}

AmbientOcclusion::AmbientOcclusion(const Device& device)
    : device_(device),
      sampler_(makeSampler(device)),
      setLayout_(makeDescriptorSetLayout(
          device, {{shared::kDepthBinding, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1,
                    VK_SHADER_STAGE_FRAGMENT_BIT},
                   {shared::kOccludedBinding, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1,
                    VK_SHADER_STAGE_FRAGMENT_BIT}})),
      layout_(makePipelineLayout(device, {setLayout_.get()}, sizeof(shared::OcclusionConstants))),
      depthPass_(makeImagePass(device, kDepthFormat)),
      occlusionPass_(makeImagePass(device, kOcclusionFormat)),
      depthPipelines_(device, depthPass_.get(), VK_SAMPLE_COUNT_1_BIT) {
    PipelineDescription description{.vertexShader = kWholeVertex,
                                    .fragmentShader = kOcclusionFragment,
                                    .drawMode = DrawMode::blendedWithoutDepthTest,
                                    .layout = layout_.get(),
                                    .pass = occlusionPass_.get()};
    occlusionPipeline_ = makePipeline(device, description);
    description.fragmentShader = kOcclusionBlurFragment;
    blurPipeline_ = makePipeline(device, description);
}

void AmbientOcclusion::recordPasses(VkCommandBuffer commands, const Scene& scene,
                                    LayerPainter& layers, const PreparedScene& prepared,
                                    std::span<const PaneView> views, VkExtent2D extent,
                                    FrameResources& resources) {
    if (!images_ || !sameSize(images_->extent, extent))
        images_ = std::make_shared<Images>(*this, extent);
    resources.push_back(images_);

    VkClearValue farthest{};
    farthest.depthStencil = {1.0F, 0};
    const auto begin = [&](const RenderPassHandle& pass, const FramebufferHandle& framebuffer,
                           const VkClearValue& clear) {
        beginPass(commands, pass.get(), framebuffer.get(), extent, {&clear, 1});
    };
    begin(depthPass_, images_->depthFramebuffer, farthest);
    layers.recordDepth(commands, scene, prepared, views, depthPipelines_);
    vkCmdEndRenderPass(commands);
    begin(occlusionPass_, images_->occlusionFramebuffer, {});
    recordOcclusion(commands, scene, prepared, views, occlusionPipeline_.get());
    vkCmdEndRenderPass(commands);
    begin(occlusionPass_, images_->blurredFramebuffer, {});
    recordOcclusion(commands, scene, prepared, views, blurPipeline_.get());
    vkCmdEndRenderPass(commands);
}

VkDescriptorSet AmbientOcclusion::descriptorSet() const {
    return images_->layerDescriptors.set;
}

void AmbientOcclusion::recordOcclusion(VkCommandBuffer commands, const Scene& scene,
                                       const PreparedScene& prepared,
                                       std::span<const PaneView> views, VkPipeline pipeline) const {
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout_.get(), 0, 1,
                            &images_->descriptors.set, 0, nullptr);
    for (std::size_t i = 0; i < prepared.size(); ++i) {
        const float maxRadius = largestRadius(scene.panes[i], prepared[i]);
        if (isEmpty(views[i].visible) || !(maxRadius > 0.0F)) continue;
        const shared::OcclusionConstants constants =
            constantsOf(scene, scene.panes[i], views[i], maxRadius);
        setViewport(commands, views[i].visible);
        setScissor(commands, views[i].visible);
        vkCmdPushConstants(commands, layout_.get(), kConstantStages, 0, sizeof(constants),
                           &constants);
        vkCmdDraw(commands, 3, 1, 0, 0);
    }
}

}  // namespace threefold::render
